"""Pagination of lists that grow with the installation, without counting rows that no page shows."""

from collections.abc import Callable, Sequence
from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import QuerySet
from django.utils.functional import cached_property

from core.queries import ids_of_any

MAX_PAGES = 1000
"""The last page that a user can open. To find rows after it, they use the search."""


def page_of(
    rows: QuerySet[Any, Any] | Sequence[Any],
    number: str,
    size: int,
    first_rows: Callable[[], Sequence[Any]] | None = None,
) -> Page[Any]:
    """Return the page with this number, or the nearest page.

    Makes one query if all rows are on the first page, else two. ``first_rows`` returns the rows of
    the first page and one more; by default they are sliced from ``rows``.
    """
    paginator = Paginator(rows, size)
    if number != "1":
        return paginator.get_page(number)
    first = list(first_rows() if first_rows else rows[: size + 1])
    if len(first) <= size:
        # Most lists are short. Skip the COUNT, which costs as much as the rows.
        paginator.count = len(first)
    return Page(first[:size], 1, paginator)


def first_page(rows: Sequence[Any], size: int) -> Page[Any]:
    """Return the first page of a list that is open-ended. ``rows`` has one row more, if any."""
    paginator = OpenEndedPaginator(rows, size, shown="1")
    paginator.count = len(rows)
    return Page(rows[:size], 1, paginator)


class OpenEndedPaginator(Paginator):
    """A paginator that reads only up to the page that is shown, and one more row.

    Args:
        rows: A queryset in an order that has an index.
        size: The number of rows on a page.
        shown: The page number from the request. Anything that is not a number means the first page.
    """

    def __init__(self, rows: Any, size: int, *, shown: str) -> None:
        super().__init__(rows, size)
        number = (
            int(shown)
            if shown.isascii() and shown.isdigit() and len(shown) <= len(str(MAX_PAGES))
            else 1
        )
        self.shown = min(max(number, 1), MAX_PAGES)

    def narrow(self, public_rows: QuerySet[Any], *known_rows: QuerySet[Any]) -> None:
        """Limit the list to public rows (any number) and rows that the user knows (few).

        Of the public rows, read only those that can come before the end of the shown page, in the
        order of the list. The known rows may be several querysets, also of ids (``ids_of_any``).
        """
        rows: Any = self.object_list
        first = rows.model._default_manager.filter(
            pk__in=public_rows.values("pk")[: self.least + 1]
        )
        self.object_list = rows.filter(pk__in=ids_of_any(first, *known_rows))

    def shown_page(self) -> "Page[Any]":
        """Return the shown page, or the last page. One query, or more if there is no such page."""
        rows: Any = self.object_list
        before = self.least - self.per_page
        shown_rows = list(rows[before : self.least + 1])
        if not shown_rows:
            return self.get_page(self.shown)
        # The rows show whether there is a next page, so no COUNT is needed.
        self.count = before + len(shown_rows)
        return Page(shown_rows[: self.per_page], self.shown, self)

    @cached_property
    def count(self) -> int:
        """The number of rows, but at most one more than up to the end of the shown page."""
        rows: Any = self.object_list
        return int(rows.values("pk")[: self.least + 1].count())

    @property
    def least(self) -> int:
        """The number of rows up to the end of the shown page if that page is full."""
        return self.shown * self.per_page

    @property
    def is_open(self) -> bool:
        """Return whether there are rows after the shown page."""
        return self.count > self.least
