"""The form of a calculator, whose values are in the URL and are checked by its rule system."""

from collections.abc import Callable, Iterator, Mapping
from itertools import groupby
from typing import Any
from urllib.parse import urlencode

from django.http import QueryDict
from msgspec import Struct

from core.forms import PageForm
from core.ruleset_forms import address_field
from rulebook.ruleset import Calculator
from rulebook.values.fields import Field, as_text


class FieldGroup(Struct, frozen=True):
    """A group of fields.

    ``is_open`` says whether one of them has an error or differs from its default.
    """

    name: str
    fields: tuple[Any, ...]
    is_open: bool


Ask = Callable[[Mapping[str, Any]], Mapping[str, Any]]
"""A function that returns the answer for a calculator's values as they are in the URL.

It raises RulesError or MusterError for wrong values.
"""


class CalculatorForm(PageForm):
    """The fields of a calculator.

    A field without a value in the URL has its default. ``answer`` comes from the rules.
    """

    beside: Mapping[str, str] = {}
    """Parameters of the URL that are not fields of the calculator, by name."""

    def __init__(self, query: QueryDict, *, calculator: Calculator) -> None:
        self.calculator, self.told = calculator, query
        super().__init__(_filled(query, calculator))
        for field in calculator.fields:
            self.fields[field.key] = address_field(field)

    def ask(self, ask: Ask) -> None:
        """Get the answer from the rule system; show its errors at their fields."""
        self.full_clean()
        self.submit(lambda: ask(self._values()))

    def place_of(self, field: str) -> str | None:
        """Return the form's field for an error.

        Errors of a build name, for example, "target_build.profile".
        """
        return super().place_of(field.partition(".")[0])

    def _values(self) -> dict[str, Any]:
        """Return the values in the URL, without empty ones."""
        named = (each for each in self.told.lists() if each[0] not in self.beside)
        lists = {name: [value for value in values if value] for name, values in named}
        return {
            name: values[0] if len(values) == 1 else values
            for name, values in lists.items()
            if values
        }

    @property
    def groups(self) -> Iterator[FieldGroup]:
        """The fields by their groups, in order."""
        for name, group_fields in groupby(self.calculator.fields, key=lambda field: field.group):
            fields = list(group_fields)
            has_values = any(self._is_told(field) for field in fields)
            yield FieldGroup(name, tuple(self[field.key] for field in fields), has_values)

    def _is_told(self, field: Field) -> bool:
        return bool(self.errors.get(field.key)) or any(
            value not in ("", as_text(field.default)) for value in self.told.getlist(field.key)
        )

    @property
    def examples(self) -> list[str]:
        """URL parameters to try."""
        return [urlencode(example) for example in self.calculator.examples]

    @property
    def address(self) -> str:
        """The URL parameters that this answer needs, without superfluous ones."""
        remaining = QueryDict(mutable=True)
        remaining.update({name: value for name, value in self.beside.items() if value})
        for field in self.calculator.fields:
            if self._is_told(field):
                remaining.setlist(field.key, self.told.getlist(field.key))
        return remaining.urlencode()


def _filled(query: QueryDict, calculator: Calculator) -> QueryDict:
    """Return the values in the URL, with defaults for all other fields."""
    filled = query.copy()
    for field in calculator.fields:
        if field.kind == "list" and field.choices:
            filled.setlist(
                field.key, [part for text in filled.getlist(field.key) for part in text.split(",")]
            )
        elif field.key not in filled and not (field.kind == "flag" and query):
            filled[field.key] = as_text(field.default)
    return filled
