"""The log of a campaign: facts of its warbands and entries of members, newest first."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime
from functools import partial
from typing import Any
from uuid import UUID

from django.db.models import BigIntegerField, Exists, F, OuterRef, Q, QuerySet, UUIDField, Value
from django.utils.translation import gettext
from msgspec import Struct
from msgspec.structs import replace

from campaigns.models import Campaign, Enrolment, JournalEntry
from clubs.models import Membership
from core.display_names import display_name
from core.history import History, join_lines
from rulebook.chronicle.wording import isolated
from warbands.fact_sentences import joined
from warbands.models import ChronicleEntry
from warbands.selectors.chronicle_log import RecordedFact, recorded_facts

OF_BATTLES = ("fought", "corrected")
"""Kinds of facts that every side of a battle has in its chronicle."""


class LogLine(Struct, frozen=True):
    """A log entry: the time, the warband, who recorded it, what happened, and the ids to link to.

    ``phrase`` has the warband as its subject. ``who`` is the recorder's name in the club, or else
    in the account. For a battle, ``played`` is its day and ``against`` names the other sides.
    ``raised`` names the fighters who ranked up.
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
    """Return the entries of the campaign's log, newest first.

    They can be filtered, paginated and given to ``log_lines``.
    """
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
    """Return the entries with one line for each battle that was confirmed or corrected.

    The other sides' entries of that moment are left out. So are the repetitions of changed house
    rules, which every warband's chronicle records.
    """
    at_once = ChronicleEntry.objects.filter(
        warband__enrolments__campaign=campaign,
        kind=OuterRef("kind"),
        recorded_at=OuterRef("recorded_at"),
        id__lt=OuterRef("id"),
    )
    same = at_once.filter(subject=OuterRef("subject"))
    return entries.exclude(Q(kind__in=OF_BATTLES) & Exists(same)).exclude(
        Q(kind="rules-changed") & Exists(at_once)
    )


def evenings(lines: Iterable["LogSentence"]) -> "tuple[LogSentence, ...]":
    """Return the lines with adjacent rank-ups of one warband on one day joined into one."""
    return join_lines(lines, _rank_ups_of_a_day, _with_rank_ups, adjacent=True)


def _rank_ups_of_a_day(line: "LogSentence") -> tuple[UUID, date] | None:
    return (line.warband, line.at.date()) if isinstance(line, LogLine) and line.raised else None


def _with_rank_ups(first: "LogSentence", later: "LogSentence") -> "LogSentence":
    assert isinstance(first, LogLine) and isinstance(later, LogLine)  # noqa: S101 - others are never joined
    raised = (*first.raised, *later.raised)
    phrase = gettext("ranked up %(fighter)s") % {"fighter": joined(raised)}
    return replace(first, raised=raised, phrase=phrase, fighter=None)


def log_lines(campaign: Campaign, entries: Iterable[ChronicleEntry]) -> tuple[LogLine, ...]:
    """Return the entries as lines.

    Takes three queries besides the one for the entries, and one more if house rules have changed.
    """
    recorded = recorded_facts(entries, campaign.ruleset, campaign.edition)
    colours = dict(Enrolment.objects.filter(campaign=campaign).values_list("warband_id", "colour"))
    members = _members(campaign)
    return tuple(_line(each, colours, members) for each in recorded)


def _line(
    recorded: RecordedFact, colours: Mapping[UUID, str], members: Mapping[int, str]
) -> LogLine:
    entry, current = recorded.entry, recorded.current
    account = display_name(entry.recorded_by)
    return LogLine(
        id=entry.pk,
        at=entry.recorded_at,
        kind=entry.kind,
        warband=entry.warband_id,
        warband_name=entry.warband.name,
        colour=colours[entry.warband_id],
        who=members.get(entry.recorded_by_id or 0, account),
        phrase=recorded.phrase,
        battle=UUID(current.battle) if current.battle else None,
        fighter=recorded.fighters[0].id if recorded.fighters else None,
        played=date.fromisoformat(current.fought_on) if current.fought_on else None,
        against=joined(isolated(name) for name in current.against),
        raised=recorded.promoted,
    )


def _members(campaign: Campaign) -> Mapping[int, str]:
    members = Membership.objects.filter(club=campaign.club_id, user__isnull=False)
    return {user: name for user, name in members.values_list("user_id", "name") if user is not None}


class JournalLine(Struct, frozen=True):
    """An entry that a member wrote: the author, when it was written, the day it is about.

    A removed entry has no text.

    ``author_user`` is the id of the author's account, None if the author has left the club.
    """

    id: UUID
    at: datetime
    on: date
    author: UUID
    author_name: str
    author_user: int | None
    text: str
    edited: bool
    removed: bool
    version: int
    kind: str = "journal"


LogSentence = LogLine | JournalLine


def journal_line(entry: JournalEntry) -> JournalLine:
    """Return the line of an entry that was loaded with its author. No queries."""
    return JournalLine(
        id=entry.pk,
        at=entry.written_at,
        on=entry.on,
        author=entry.author_id,
        author_name=entry.author.name,
        author_user=entry.author.user_id,
        text=entry.text,
        edited=entry.edited_at is not None,
        removed=entry.removed_at is not None,
        version=entry.version,
    )


def campaign_history(
    campaign: Campaign, entries: QuerySet[ChronicleEntry], journal: QuerySet[JournalEntry]
) -> History[LogSentence]:
    """Return the history of a campaign from these facts and journal entries."""
    return History(entries=with_journal(entries, journal), read=partial(told_lines, campaign))


def with_journal(
    entries: QuerySet[ChronicleEntry], journal: QuerySet[JournalEntry]
) -> QuerySet[Any, Any]:
    """Return both, newest first, to be paginated and given to ``told_lines``.

    The rows hold only the time and the id of the fact or the entry.
    """
    nobody = {
        "fact": Value(None, output_field=BigIntegerField()),
        "entry": Value(None, output_field=UUIDField()),
    }
    facts = entries.order_by().annotate(**{**nobody, "fact": F("pk")}, moment=F("recorded_at"))
    written = journal.order_by().annotate(**{**nobody, "entry": F("pk")}, moment=F("written_at"))
    columns = ("moment", "fact", "entry")
    return (
        facts.values_list(*columns)
        .union(written.values_list(*columns), all=True)
        .order_by("-moment")
    )


def told_lines(campaign: Campaign, rows: Iterable[Sequence[Any]]) -> tuple[LogSentence, ...]:
    """Return the lines of a page's rows, with the rank-ups of an evening joined.

    At most five queries.
    """
    rows = list(rows)
    facts = [fact for _, fact, _ in rows if fact is not None]
    entries = (
        ChronicleEntry.objects.filter(pk__in=facts)
        .select_related("warband", "recorded_by")
        .in_bulk()
    )
    lines: dict[Any, LogSentence] = {
        line.id: line for line in log_lines(campaign, [entries[fact] for fact in facts])
    }
    written = JournalEntry.objects.filter(pk__in=[entry for _, fact, entry in rows if fact is None])
    lines |= {entry.pk: journal_line(entry) for entry in written.select_related("author")}
    return evenings(lines[fact if fact is not None else entry] for _, fact, entry in rows)
