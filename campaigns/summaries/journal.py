"""A campaign's log with the entries that people wrote into its journal by hand, between what it says by itself."""

from collections.abc import Iterable, Sequence
from datetime import date, datetime
from itertools import groupby
from typing import Any
from uuid import UUID

from django.db.models import BigIntegerField, F, QuerySet, UUIDField, Value
from msgspec import Struct

from campaigns.models import Campaign, JournalEntry
from campaigns.summaries.log import LogLine, evenings, log_lines
from warbands.models import ChronicleEntry


class JournalLine(Struct, frozen=True):
    """An entry by hand: by whom, when it was written, the day that it tells of. A removed one has no text.

    ``author_user`` is the id of the author's account, None for who has left the club.
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


Told = LogLine | JournalLine


def journal_line(entry: JournalEntry) -> JournalLine:
    """The line of an entry that was loaded with its author. No queries."""
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


def with_journal(entries: QuerySet[ChronicleEntry], journal: QuerySet[JournalEntry]) -> QuerySet[Any, Any]:
    """Both, newest first, to be cut into pages and given to ``told_lines``: rows that know their place and no more."""
    nobody = {"fact": Value(None, output_field=BigIntegerField()), "entry": Value(None, output_field=UUIDField())}
    facts = entries.order_by().annotate(**{**nobody, "fact": F("pk")}, moment=F("recorded_at"))
    written = journal.order_by().annotate(**{**nobody, "entry": F("pk")}, moment=F("written_at"))
    columns = ("moment", "fact", "entry")
    return facts.values_list(*columns).union(written.values_list(*columns), all=True).order_by("-moment")


def told_lines(campaign: Campaign, rows: Iterable[Sequence[Any]]) -> tuple[Told, ...]:
    """What the rows of a page say, rank-ups of an evening together. Five queries, whatever their number."""
    rows = list(rows)
    facts = [fact for _, fact, _ in rows if fact is not None]
    known = ChronicleEntry.objects.filter(pk__in=facts).select_related("warband", "recorded_by").in_bulk()
    lines: dict[Any, Told] = {line.id: line for line in log_lines(campaign, [known[fact] for fact in facts])}
    written = JournalEntry.objects.filter(pk__in=[entry for _, fact, entry in rows if fact is None])
    lines |= {entry.pk: journal_line(entry) for entry in written.select_related("author")}
    in_order = [lines[fact if fact is not None else entry] for _, fact, entry in rows]
    runs = ([*run] for _, run in groupby(in_order, key=lambda line: line.kind == "journal"))
    return tuple(line for run in runs for line in _by_evening(run))


def _by_evening(run: Sequence[Told]) -> Sequence[Told]:
    """Lines between entries by hand, as ``evenings`` joins them; or such entries as they are."""
    return evenings(line for line in run if isinstance(line, LogLine)) or run
