"""A calculator as a form that asks by its address: drawn from its fields, judged by its rule system."""

from collections.abc import Callable, Iterator, Mapping
from itertools import groupby
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.http import QueryDict
from msgspec import Struct

from config.pages.forms import PageForm
from rulebook.ruleset import Calculator
from rulebook.values.fields import Field, as_text

YES_OR_NO = (("true", "Yes"), ("false", "No"))
TICKED = ("true", "1", "yes", "on")


class TickBox(forms.CheckboxInput):
    """A box that says "true" when it is ticked, and understands what scripts say for it."""

    def format_value(self, value: Any) -> str:
        """What the box says."""
        return "true"

    def value_from_datadict(self, data: Mapping[str, Any], files: Any, name: str) -> bool:
        """Whether it is ticked."""
        return str(data.get(name, "")).strip().lower() in TICKED


class FieldGroup(Struct, frozen=True):
    """Fields that stand together; ``told`` says that one of them is not as it was."""

    name: str
    fields: tuple[Any, ...]
    told: bool


Ask = Callable[[Mapping[str, Any]], Mapping[str, Any]]
"""Answers a calculator's values, as the address has them; raises RulesError or MusterError for what is wrong."""


class CalculatorForm(PageForm):
    """The fields of a calculator. What an address does not say has its default; ``answer`` is the rules' own."""

    beside: Mapping[str, str] = {}
    """What the address says that is no field of the calculator, by name."""

    def __init__(self, told: QueryDict, *, calculator: Calculator) -> None:
        self.calculator, self.told = calculator, told
        super().__init__(_filled(told, calculator))
        for field in calculator.fields:
            self.fields[field.key] = form_field(field)

    def ask(self, ask: Ask) -> None:
        """Let the rule system answer; what it cannot use stands beside its field."""
        self.full_clean()
        self.carries_out(lambda: ask(self._values()))

    def place_of(self, field: str) -> str | None:
        """Problems of a build speak of "target_build.profile"."""
        return super().place_of(field.partition(".")[0])

    def _values(self) -> dict[str, Any]:
        """What stands in the address, without what was left empty."""
        named = (each for each in self.told.lists() if each[0] not in self.beside)
        lists = {name: [value for value in values if value] for name, values in named}
        return {name: values[0] if len(values) == 1 else values for name, values in lists.items() if values}

    @property
    def groups(self) -> Iterator[FieldGroup]:
        """The fields by their groups, in order."""
        for name, found in groupby(self.calculator.fields, key=lambda field: field.group):
            fields = list(found)
            told = any(self._is_told(field) for field in fields)
            yield FieldGroup(name, tuple(self[field.key] for field in fields), told)

    def _is_told(self, field: Field) -> bool:
        return bool(self.errors.get(field.key)) or any(
            value not in ("", as_text(field.default)) for value in self.told.getlist(field.key)
        )

    @property
    def examples(self) -> list[str]:
        """Addresses to try."""
        return [urlencode(example) for example in self.calculator.examples]

    @property
    def address(self) -> str:
        """What the address has to say for this answer, and no more."""
        kept = QueryDict(mutable=True)
        kept.update({name: value for name, value in self.beside.items() if value})
        for field in self.calculator.fields:
            if self._is_told(field):
                kept.setlist(field.key, self.told.getlist(field.key))
        return kept.urlencode()


def _filled(told: QueryDict, calculator: Calculator) -> QueryDict:
    """What was told, and the defaults of everything else."""
    filled = told.copy()
    for field in calculator.fields:
        if field.kind == "list" and field.choices:
            filled.setlist(field.key, [part for told in filled.getlist(field.key) for part in told.split(",")])
        elif field.key not in filled and not (field.kind == "flag" and told):
            filled[field.key] = as_text(field.default)
    return filled


def form_field(field: Field) -> forms.Field:
    """A field as a form draws it; whether it makes sense is the rule system's to say."""
    if field.kind == "list" and field.choices:
        boxes = forms.CheckboxSelectMultiple(choices=field.choices)
        return forms.Field(label=field.label, help_text=field.help, required=False, widget=boxes)
    return forms.CharField(label=field.label, help_text=field.help, required=False, widget=_widget(field))


def _widget(field: Field) -> forms.Widget:
    if field.kind == "choice":
        return forms.Select(choices=field.choices)
    if field.kind == "flag":
        return _flag(field)
    if field.kind in ("number", "inches"):
        return forms.NumberInput(attrs=_bounds(field))
    if field.kind == "map":
        return forms.Textarea(attrs={"rows": 2, "spellcheck": "false"})
    return forms.TextInput(attrs={"inputmode": "numeric", "autocomplete": "off"} if field.kind == "dice" else {})


def _flag(field: Field) -> forms.Widget:
    """A box to tick; where ticked is the default a choice, for a box that is not ticked says nothing."""
    if field.default == "true":
        return forms.Select(choices=YES_OR_NO)
    return TickBox()


def _bounds(field: Field) -> dict[str, Any]:
    bounds = {"min": field.least, "max": field.most, "step": "0.5" if field.kind == "inches" else None}
    return {name: bound for name, bound in bounds.items() if bound is not None}
