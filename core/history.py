"""Histories: what happened somewhere, newest first, narrowed down, cut into pages and turned into
lines.

A history declares where its entries come from and how they become lines: ``warband_history`` (a
warband's chronicle), ``campaign_history`` (a campaign's log), ``audit_history`` (who did what in a
club) and ``ticker`` (the dead and the promoted of a campaign).
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
"""So many lines of a file are read together."""


class HistoryLine(Protocol):
    """What every line says: when it was recorded, and what kind of thing happened."""

    @property
    def at(self) -> datetime: ...

    @property
    def kind(self) -> str: ...


Line = TypeVar("Line", bound=HistoryLine)
Entry = TypeVar("Entry", bound=Model)


class History(Struct, Generic[Line], frozen=True, kw_only=True):
    """The entries of a history, newest first, and ``read``, which turns some of them into lines.

    ``read`` keeps their order, and takes as many queries for many entries as for few. It may join
    entries in one line.
    """

    entries: QuerySet[Any, Any]
    read: Callable[[Iterable[Any]], Iterable[Line]]

    def page(self, number: str) -> tuple[Page[Any], tuple[Line, ...]]:
        """Return the page of this number, or the nearest, and its lines. One query, or two if there
        are more pages."""
        page = page_of(self.entries, number, LINES_ON_A_PAGE)
        return page, tuple(self.read(page.object_list))

    def newest(self, count: int) -> tuple[Line, ...]:
        """Return the lines of so many entries at most. One query beside those of ``read``."""
        return tuple(self.read(self.entries[:count]))

    def lines(self) -> Iterator[Line]:
        """Yield every line, for a file: the entries are never in memory at once."""
        entries = self.entries.iterator(LINES_AT_ONCE)
        while batch := list(islice(entries, LINES_AT_ONCE)):
            yield from self.read(batch)


def narrow(entries: QuerySet[Entry], **lookups: Any) -> QuerySet[Entry]:
    """Return the entries that meet these lookups; None and "" narrow nothing down."""
    return entries.filter(
        **{name: value for name, value in lookups.items() if value is not None and value != ""}
    )


def days_between(
    column: str, since: date | None, until: date | None, zone: tzinfo
) -> dict[str, datetime | None]:
    """Return the lookups of a period, both days included, by the clocks of the zone; None is an
    open end."""
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
    """Return the lines, each that has the key of an earlier line joined to that one.

    A line whose key is None stays alone. With ``adjacent`` only lines in a row are joined.
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
