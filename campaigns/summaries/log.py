"""The log of a campaign: what its warbands' chronicles say of their time in it, newest first."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime
from uuid import UUID

from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.utils.translation import gettext
from msgspec import Struct
from msgspec.structs import replace

from campaigns.models import Campaign, Enrolment, Membership
from core.display_names import shown_name
from rulebook.chronicle.facts import AnyFact, Fought, RankedUp, decode
from warbands.models import ChronicleEntry, Fighter
from warbands.phrases import Names, fighters_in, isolated, joined, phrase
from warbands.reading import post_names
from warbands.rule_changes import Changes, rule_changes

OF_BATTLES = ("fought", "corrected")
"""Kinds of fact that every side of a battle has in its chronicle."""


class LogLine(Struct, frozen=True):
    """One entry: when, which warband, who recorded it, what happened, and the ids to link to.

    ``phrase`` has the warband as its subject. ``who`` is the recorder's name in the club, else the account's. Of a
    battle ``played`` is its day and ``against`` names the other sides; ``raised`` are those who have risen in rank.
    """

    id: int
    at: datetime
    kind: str
    warband: UUID
    warband_name: str
    colour: str
    who: str
    phrase: str
    battle: UUID | None = None
    fighter: UUID | None = None
    played: date | None = None
    against: str = ""
    raised: tuple[str, ...] = ()


def log_entries(campaign: Campaign) -> QuerySet[ChronicleEntry]:
    """The entries that belong into the campaign's log, newest first: to be filtered, cut into pages and given to
    ``log_lines``."""
    still_in = Q(warband__enrolments__left_at__isnull=True)
    before_leaving = Q(recorded_at__lte=F("warband__enrolments__left_at"))
    return (
        ChronicleEntry.objects.filter(
            still_in | before_leaving,
            warband__enrolments__campaign=campaign,
            recorded_at__gte=F("warband__enrolments__enrolled_at"),
        )
        .select_related("warband", "recorded_by")
        .order_by("-recorded_at", "-id")
    )


def told_once(campaign: Campaign, entries: QuerySet[ChronicleEntry]) -> QuerySet[ChronicleEntry]:
    """The entries without the other sides' share of a battle: what was confirmed or corrected at once is one line.

    So is a change of the house rules, which every warband's chronicle keeps.
    """
    at_once = ChronicleEntry.objects.filter(
        warband__enrolments__campaign=campaign,
        kind=OuterRef("kind"),
        recorded_at=OuterRef("recorded_at"),
        id__lt=OuterRef("id"),
    )
    same = at_once.filter(subject=OuterRef("subject"))
    return entries.exclude(Q(kind__in=OF_BATTLES) & Exists(same)).exclude(Q(kind="rules-changed") & Exists(at_once))


def evenings(lines: Iterable[LogLine]) -> tuple[LogLine, ...]:
    """The lines with those who rose in rank in a row, of one warband and on one day, in one of them."""
    told: list[LogLine] = []
    for line in lines:
        last = told[-1] if told else None
        if last and line.raised and last.raised and (last.warband, last.at.date()) == (line.warband, line.at.date()):
            raised = (*last.raised, *line.raised)
            told[-1] = replace(
                last, raised=raised, phrase=gettext("raised %(fighter)s") % {"fighter": joined(raised)}, fighter=None
            )
        else:
            told.append(line)
    return tuple(told)


def log_lines(campaign: Campaign, entries: Iterable[ChronicleEntry]) -> tuple[LogLine, ...]:
    """The entries as lines. Three queries beside that for the entries, whatever their number, and one
    where house rules have changed."""
    entries = list(entries)
    told = [decode(entry.payload) for entry in entries]
    names = {**post_names(campaign.ruleset, campaign.edition), **_fighter_names(told)}
    colours = dict(Enrolment.objects.filter(campaign=campaign).values_list("warband_id", "colour"))
    members = _members(campaign)
    changes = rule_changes(entries, campaign.ruleset, campaign.edition)
    return tuple(
        _line(entry, fact, names, colours, members, changes) for entry, fact in zip(entries, told, strict=True)
    )


def _line(
    entry: ChronicleEntry,
    fact: AnyFact,
    names: Names,
    colours: Mapping[UUID, str],
    members: Mapping[int, str],
    changes: Changes,
) -> LogLine:
    account = shown_name(entry.recorded_by)
    told = getattr(fact, "replacement", None) or fact
    battle = told if isinstance(told, Fought) else None
    concerned = [UUID(fighter) for fighter in fighters_in(fact) if fighter in names]
    return LogLine(
        id=entry.pk,
        at=entry.recorded_at,
        kind=entry.kind,
        warband=entry.warband_id,
        warband_name=entry.warband.name,
        colour=colours[entry.warband_id],
        who=members.get(entry.recorded_by_id or 0, account),
        phrase=phrase(fact, names, changes.get(entry.pk, ())),
        battle=UUID(battle.battle) if battle and battle.battle else None,
        fighter=concerned[0] if concerned else None,
        played=date.fromisoformat(battle.fought_on) if battle and battle.fought_on else None,
        against=joined(isolated(name) for name in battle.against) if battle else "",
        raised=tuple(names[key] for key in fighters_in(fact) if key in names) if isinstance(fact, RankedUp) else (),
    )


def _fighter_names(told: Sequence[AnyFact]) -> Names:
    """Names as they are today, by id; a fighter struck off the roster has none."""
    concerned = {fighter for fact in told for fighter in fighters_in(fact)}
    known = Fighter.objects.filter(pk__in=concerned).values_list("pk", "name")
    return {str(key): name for key, name in known}


def _members(campaign: Campaign) -> Mapping[int, str]:
    members = Membership.objects.filter(club=campaign.club_id, user__isnull=False)
    return {user: name for user, name in members.values_list("user_id", "name") if user is not None}
