"""Shared parts of the admin: lists and searches that never read a whole table."""

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse

from core.pagination import OpenEndedPaginator
from core.queries import ids_of_any
from core.search_text import words_of
from rulebook.registry import rulesets
from rulebook.values.rosters import Fate

if TYPE_CHECKING:
    Base = admin.ModelAdmin[Any]
else:
    Base = object


class ReadOnly:
    """A mixin that makes an admin page read-only.

    Only services change these rows: they check the rules and write the chronicles.
    """

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Return False: rows cannot be added here."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Return False: rows cannot be changed here."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Return False: rows cannot be deleted here."""
        return False


MAX_FOUND = 1000
"""The maximum number of rows that a search finds."""
MAX_WORDS = 8
"""The maximum number of words of a search that count."""


class LargeTable(Base):
    """An admin list for a table that grows with the installation.

    The list reads only the rows of the page that it shows, in an order that has an index. A search
    finds the beginnings of words, names and ids with their indexes and never reads every row. The
    values of filters are known without reading the table.
    """

    list_per_page = 50
    list_max_show_all = 0
    show_full_result_count = False
    show_facets = admin.ShowFacets.NEVER
    sortable_by = ()
    # The list does not count its rows, so nobody can select all of them.
    actions_selection_counter = False

    def get_paginator(
        self, request: HttpRequest, queryset: Any, per_page: int, *args: Any, **named: Any
    ) -> Any:
        """Return a paginator that knows which page is shown."""
        # The admin counts pages from 1, in its addresses too.
        return OpenEndedPaginator(queryset, per_page, shown=request.GET.get("p", ""))

    def response_action(
        self, request: HttpRequest, queryset: Any, *args: Any
    ) -> HttpResponse | None:
        """Carry out an action for the selected rows of the page, never for the whole table."""
        chosen = request.POST.getlist(ACTION_CHECKBOX_NAME)
        return super().response_action(request, queryset.filter(pk__in=chosen), *args)

    def get_search_results(
        self, request: HttpRequest, queryset: Any, search_term: str
    ) -> tuple[Any, bool]:
        """Return the rows in which ``search_fields`` match every word, at most ``MAX_FOUND``."""
        words = search_term.replace("\0", " ").split()[:MAX_WORDS]
        if not words:
            return queryset, False
        rows = self.model._default_manager.order_by()
        for word in words:
            querysets = list(self.matches(word))
            rows = rows.filter(pk__in=ids_of_any(*querysets)) if querysets else rows.none()
        # Run the search before the list: with the list's order in the same query, the database may
        # walk through the whole table.
        return queryset.filter(pk__in=list(rows.values_list("pk", flat=True)[:MAX_FOUND])), False

    def matches(self, word: str) -> Iterator[QuerySet[Any]]:
        """Yield the rows that match a word, one queryset for each search field and value."""
        for lookup in self.search_fields:
            name, _, rest = lookup.partition("__")
            related = (
                self.model._meta.get_field(name).related_model if rest and name != "pk" else None
            )
            for value in sought(self.model, lookup, word):
                if related is None:
                    yield self.model._default_manager.filter(**{lookup: value})
                    continue
                # Search the other table first: in a single query, the database may read both tables
                # to join them.
                keys = (
                    related._default_manager.order_by()
                    .filter(**{rest: value})
                    .values_list("pk", flat=True)
                )
                yield self.model._default_manager.filter(**{f"{name}__in": list(keys[:MAX_FOUND])})


def sought(model: Any, lookup: str, word: str) -> Iterable[Any]:
    """Return the values of a lookup that match a typed word.

    Returns an empty list if the word cannot be a value of that field.
    """
    if lookup.endswith("__has_words"):
        folded = " ".join(words_of(word))
        return [folded] if folded else []
    if "__" in lookup:
        return [word]
    try:
        return [
            model._meta.get_field(model._meta.pk.name if lookup == "pk" else lookup).to_python(word)
        ]
    except ValidationError:
        return []


def filter_by(
    column: str, name: str, values: Callable[[], Iterable[tuple[str, str]]]
) -> type[admin.SimpleListFilter]:
    """Return a filter by a column with known values, which need no query."""

    class Filter(admin.SimpleListFilter):
        title = name
        parameter_name = column

        def lookups(self, request: HttpRequest, _: Any) -> list[tuple[str, str]]:
            return list(values())

        def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
            return queryset.filter(**{column: self.value()}) if self.value() else queryset

    return Filter


RulesetFilter = filter_by(
    "ruleset", "rule system", lambda: [(each.key, each.name) for each in rulesets()]
)
FateFilter = filter_by("fate", "fate", lambda: [(each.value, each.value) for each in Fate])
