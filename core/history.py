"""Histories: what happened, newest first, filtered, paginated and turned into lines.

A history declares the source of its entries and how they become lines: ``warband_history`` (a
warband's chronicle), ``audit_history`` (the activity log of a club) and ``ticker`` (casualties and
rank-ups of a campaign). A campaign's log has its own order (``campaigns.selectors.log.log_page``).
"""

from collections.abc import Callable, Hashable, Iterable, Iterator
from datetime import date, datetime, time, timedelta, tzinfo
from itertools import islice
from typing import Any, Generic, Protocol, TypeVar

from django.core.paginator import Page
from django.db.models import Model, QuerySet
from msgspec import Struct

from core.pagination import page_of

LINES_ON_A_PAGE = 50
LINES_AT_ONCE = 500
"""The number of lines of a file that are read together."""


class HistoryLine(Protocol):
    """The parts of every line: the time it was recorded, and the kind of event."""

    @property
    def at(self) -> datetime: ...

    @property
    def kind(self) -> str: ...


Line = TypeVar("Line", bound=HistoryLine)
Entry = TypeVar("Entry", bound=Model)


class History(Struct, Generic[Line], frozen=True, kw_only=True):
    """The entries of a history, newest first, and ``read``, which turns them into lines.

    ``read`` keeps the order of the entries and makes the same number of queries for any number of
    them. It may join entries into one line.
    """

    entries: QuerySet[Any, Any]
    read: Callable[[Iterable[Any]], Iterable[Line]]

    def page(self, number: str) -> tuple[Page[Any], tuple[Line, ...]]:
        """Return the page with this number, or the nearest page, and its lines.

        Makes one query, or two if there is more than one page.
        """
        page = page_of(self.entries, number, LINES_ON_A_PAGE)
        return page, tuple(self.read(page.object_list))

    def newest(self, count: int) -> tuple[Line, ...]:
        """Return the lines of at most ``count`` entries. One query besides those of ``read``."""
        return tuple(self.read(self.entries[:count]))

    def lines(self) -> Iterator[Line]:
        """Yield every line, for a file, without loading all entries into memory."""
        entries = self.entries.iterator(LINES_AT_ONCE)
        while batch := list(islice(entries, LINES_AT_ONCE)):
            yield from self.read(batch)


def narrow(entries: QuerySet[Entry], **lookups: Any) -> QuerySet[Entry]:
    """Return the entries that match these lookups. Lookups of None and "" are ignored."""
    return entries.filter(
        **{name: value for name, value in lookups.items() if value is not None and value != ""}
    )


def days_between(
    column: str, since: date | None, until: date | None, zone: tzinfo
) -> dict[str, datetime | None]:
    """Return the lookups for a period, both days included, in a time zone. None is an open end."""
    return {
        f"{column}__gte": None if since is None else datetime.combine(since, time.min, zone),
        f"{column}__lt": None
        if until is None
        else datetime.combine(until + timedelta(days=1), time.min, zone),
    }


def join_lines(
    lines: Iterable[Line],
    key: Callable[[Line], Hashable | None],
    join: Callable[[Line, Line], Line],
    *,
    adjacent: bool = False,
) -> tuple[Line, ...]:
    """Return the lines, with every line joined to the earlier line that has the same key.

    A line whose key is None stays alone. With ``adjacent``, only adjacent lines are joined.
    """
    joined: list[Line] = []
    place_of: dict[Hashable, int] = {}
    for line in lines:
        group = key(line)
        place = None if group is None else place_of.get(group)
        if place is None or (adjacent and place < len(joined) - 1):
            place_of[group] = len(joined)
            joined.append(line)
        else:
            joined[place] = join(joined[place], line)
    return tuple(joined)
