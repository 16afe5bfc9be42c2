"""The log of a campaign: facts of its warbands and entries of members, newest first."""

from bisect import bisect
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import date, datetime
from typing import Any, NamedTuple
from uuid import UUID

from django.core.paginator import Page
from django.db.models import Case, CharField, Exists, F, OuterRef, Q, QuerySet, When
from django.db.models.fields.json import KT
from django.utils import timezone
from django.utils.translation import gettext
from msgspec import Struct
from msgspec.structs import replace

from campaigns.models import Campaign, Enrolment, JournalEntry
from clubs.models import Membership
from core.display_names import display_name
from core.history import LINES_ON_A_PAGE, join_lines
from core.pagination import page_of
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
    ``raised`` names the fighters who ranked up. ``day`` is the day by which the log is ordered; see
    ``log_rows``.
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
    day: date | None = None

    @property
    def entered_later(self) -> bool:
        """Return whether it was recorded on another day than ``day``."""
        return self.day is not None and timezone.localtime(self.at).date() != self.day


def log_entries(campaign: Campaign | UUID) -> QuerySet[ChronicleEntry]:
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
        .exclude(kind="arranged", payload__moved__isnull=True)
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
    if not isinstance(line, LogLine) or not line.raised:
        return None
    return line.warband, line.day or line.at.date()


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

    @property
    def day(self) -> date:
        """The day by which the log is ordered."""
        return self.on


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


def log_page(
    campaign: Campaign,
    entries: QuerySet[ChronicleEntry],
    journal: QuerySet[JournalEntry],
    number: str,
) -> tuple[Page[Any], tuple[LogSentence, ...]]:
    """Return a page of these facts and journal entries, and its lines. At most eight queries."""
    page = page_of(log_rows(entries, journal), number, LINES_ON_A_PAGE)
    return page, told_lines(campaign, page.object_list)


class LogRow(NamedTuple):
    """The place of a fact or a journal entry in the log: its day and time, and its id."""

    day: date
    moment: datetime
    fact: int | None = None
    entry: UUID | None = None


def log_rows(
    entries: QuerySet[ChronicleEntry], journal: QuerySet[JournalEntry]
) -> Sequence[LogRow]:
    """Return both, the latest day first, to be paginated and given to ``told_lines``.

    A battle has the day on which it was played. Everything else has the day on which it was
    recorded, but not a day after the warband's next battle or before its last one: results are
    often entered weeks later, and nobody ranks up after their death.
    """
    facts = list(
        entries.order_by().values_list("pk", "warband_id", "sequence", "recorded_at", _PLAYED)
    )
    battles = _battles_of({warband for _, warband, *_ in facts})
    rows = [
        LogRow(
            date.fromisoformat(played)
            if played
            else _between_battles(battles.get(warband, ()), sequence, moment),
            moment,
            fact=pk,
        )
        for pk, warband, sequence, moment, played in facts
    ]
    rows += [
        LogRow(day, moment, entry=pk)
        for pk, moment, day in journal.order_by().values_list("pk", "written_at", "on")
    ]
    return sorted(rows, key=lambda row: (row.day, row.moment, row.fact or 0), reverse=True)


_PLAYED = Case(
    When(kind="fought", then=KT("payload__fought_on")),
    When(kind="corrected", then=KT("payload__replacement__fought_on")),
    output_field=CharField(),
)
"""The ISO date on which the battle of an entry was played; None or "" for other entries."""


def _battles_of(warbands: Collection[UUID]) -> Mapping[UUID, Sequence[tuple[int, date]]]:
    """Return the places of these warbands' battles in their chronicles, with the days of play."""
    fought = ChronicleEntry.objects.filter(warband__in=warbands, kind="fought")
    battles: dict[UUID, list[tuple[int, date]]] = {}
    rows = fought.order_by("warband", "sequence").values_list("warband_id", "sequence", _PLAYED)
    for warband, sequence, played in rows:
        if played:
            battles.setdefault(warband, []).append((sequence, date.fromisoformat(played)))
    return battles


def _between_battles(
    battles: Sequence[tuple[int, date]], sequence: int, recorded: datetime
) -> date:
    """Return the day of an entry at this place: not after the next battle or before the last."""
    day, place = timezone.localtime(recorded).date(), bisect(battles, (sequence, date.max))
    if place < len(battles):
        day = min(day, battles[place][1])
    return max(day, battles[place - 1][1]) if place else day


def told_lines(campaign: Campaign, rows: Iterable[LogRow]) -> tuple[LogSentence, ...]:
    """Return the lines of a page's rows, with the rank-ups of an evening joined.

    At most five queries.
    """
    rows = list(rows)
    days = {row.fact: row.day for row in rows if row.fact is not None}
    entries = ChronicleEntry.objects.filter(pk__in=days).select_related("warband", "recorded_by")
    by_id = entries.in_bulk()
    lines: dict[Any, LogSentence] = {
        line.id: replace(line, day=days[line.id])
        for line in log_lines(campaign, [by_id[fact] for fact in days])
    }
    written = JournalEntry.objects.filter(pk__in=[row.entry for row in rows if row.entry])
    lines |= {entry.pk: journal_line(entry) for entry in written.select_related("author")}
    return evenings(lines[row.entry if row.fact is None else row.fact] for row in rows)
