"""The log of a campaign: what its warbands' chronicles say of their time in it, newest first."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from uuid import UUID

from django.db.models import F, Q, QuerySet
from msgspec import Struct

from campaigns.models import Campaign, Enrolment, Membership
from rulebook.chronicle.facts import AnyFact, Fought, decode
from warbands.models import ChronicleEntry, Fighter
from warbands.phrases import Names, fighters_in, phrase
from warbands.reading import post_names


class LogLine(Struct, frozen=True):
    """One entry: when, which warband, who recorded it, what happened, and the ids to link to.

    ``phrase`` has the warband as its subject. ``who`` is the recorder's name in the club, else the account's.
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


def log_lines(campaign: Campaign, entries: Iterable[ChronicleEntry]) -> tuple[LogLine, ...]:
    """The entries as lines. Three queries beside that for the entries, whatever their number."""
    entries = list(entries)
    told = [decode(entry.payload) for entry in entries]
    names = {**post_names(campaign.ruleset, campaign.edition), **_fighter_names(told)}
    colours = dict(Enrolment.objects.filter(campaign=campaign).values_list("warband_id", "colour"))
    members = _members(campaign)
    return tuple(_line(entry, fact, names, colours, members) for entry, fact in zip(entries, told, strict=True))


def _line(
    entry: ChronicleEntry, fact: AnyFact, names: Names, colours: Mapping[UUID, str], members: Mapping[int, str]
) -> LogLine:
    account = entry.recorded_by.get_username() if entry.recorded_by else ""
    concerned = [UUID(fighter) for fighter in fighters_in(fact) if fighter in names]
    return LogLine(
        id=entry.pk,
        at=entry.recorded_at,
        kind=entry.kind,
        warband=entry.warband_id,
        warband_name=entry.warband.name,
        colour=colours[entry.warband_id],
        who=members.get(entry.recorded_by_id or 0, account),
        phrase=phrase(fact, names),
        battle=_battle(fact),
        fighter=concerned[0] if concerned else None,
    )


def _battle(fact: AnyFact) -> UUID | None:
    told = getattr(fact, "replacement", None) or fact
    return UUID(told.battle) if isinstance(told, Fought) and told.battle else None


def _fighter_names(told: Sequence[AnyFact]) -> Names:
    """Names as they are today, by id; a fighter struck off the roster has none."""
    concerned = {fighter for fact in told for fighter in fighters_in(fact)}
    known = Fighter.objects.filter(pk__in=concerned).values_list("pk", "name")
    return {str(key): name for key, name in known}


def _members(campaign: Campaign) -> Mapping[int, str]:
    members = Membership.objects.filter(club=campaign.club_id, user__isnull=False)
    return {user: name for user, name in members.values_list("user_id", "name") if user is not None}
