"""The page form for an input, made from the struct that declares it (core.inputs)."""

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from django import forms
from django.db.models import Choices
from django.utils.text import format_lazy
from msgspec import NODEFAULT, Struct
from msgspec.inspect import BoolType, DateType, IntType, StrType, UUIDType, VarTupleType

from core.forms import PageForm
from core.inputs import SCALARS, Declared, fields_of
from core.markdown import HINT

AnyForm = TypeVar("AnyForm", bound=PageForm)
Maker = Callable[[Declared], forms.Field]
"""A function that makes the form field for a field of an input."""
Pairs = Iterable[tuple[str, Any]]


def form_class(
    kind: type[Struct],
    base: type[AnyForm],
    /,
    *,
    without: tuple[str, ...] = (),
    **own: forms.Field | Maker,
) -> type[AnyForm]:
    """Return a form class with a field for each field of the input, in the same order.

    Args:
        kind: The input.
        base: The form class with what only the page knows: choices from rows, the field order.
        without: Names of fields that the page does not show.
        own: What only the page decides, by field name: ``hidden()``, ``radio(...)``, ``chosen()``,
            or a form field.
    """
    fields: dict[str, forms.Field] = {}
    for name, each in fields_of(kind).items():
        maker = own.pop(name, page_field)
        if name not in without:
            fields[name] = maker if isinstance(maker, forms.Field) else maker(each)
    more = {name: each for name, each in own.items() if isinstance(each, forms.Field)}
    # Services use the field names of the API.
    places = {each.key: name for name, each in fields_of(kind).items() if each.key != name}
    body = {**fields, **more, "places": {**places, **base.places}, "input": kind}
    return type(
        f"{kind.__name__}Form",
        (base,),
        {**body, "__module__": base.__module__, "__doc__": kind.__doc__},
    )


def field_for(kind: type[Struct], name: str, maker: Maker | None = None) -> forms.Field:
    """Return the form field for one field of an input, for a hand-written form."""
    return (maker or page_field)(fields_of(kind)[name])


def page_field(each: Declared, **more: Any) -> forms.Field:
    """Return the form field for a field of an input. ``more`` overrides the declaration."""
    words, common = each.words, _common(each) | more
    if each.choices is not None:
        return _choice(each, **more)
    match each.kind:
        case BoolType():
            return forms.BooleanField(**{**common, "required": False})
        case IntType():
            return forms.IntegerField(**{"min_value": words.ge, "max_value": words.le, **common})
        case StrType() if words.address:
            return forms.URLField(
                **{"max_length": words.max_length, "assume_scheme": "https", **common}
            )
        case StrType():
            return forms.CharField(**{"max_length": words.max_length, **common})
        case DateType():
            widget = forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
            return forms.DateField(**{"widget": widget, **common})
        case UUIDType():
            return forms.UUIDField(**common)
    raise TypeError(f"A page has no field for {each.name}: {each.kind}. Its form has to make one.")


def hidden(**more: Any) -> Maker:
    """Return a maker of a hidden field."""
    return lambda each: page_field(
        each, **{"label": None, "help_text": "", **more, "widget": forms.HiddenInput}
    )


def area(rows: int, **more: Any) -> Maker:
    """Return a maker of a multi-line text field with ``rows`` rows."""
    return lambda each: page_field(each, **more, widget=forms.Textarea(attrs={"rows": rows}))


def story_area(rows: int) -> Maker:
    """Return a maker of a multi-line Markdown field, with a hint after its help."""

    def make(each: Declared) -> forms.Field:
        field = area(rows)(each)
        field.help_text = format_lazy("{} {}", field.help_text, HINT) if field.help_text else HINT
        return field

    return make


def like(**more: Any) -> Maker:
    """Return a maker of the declared field with other arguments, such as a label or widget."""
    return lambda each: page_field(each, **more)


def radio(choices: Pairs | None = None, **more: Any) -> Maker:
    """Return a maker of radio buttons, with the declared choices unless others are given."""
    return lambda each: _choice(each, choices, widget=forms.RadioSelect, **more)


def chosen(**more: Any) -> Maker:
    """Return a maker of a select whose choices the form fills in later."""
    return lambda each: _choice(each, (), **more)


def select(choices: Pairs, **more: Any) -> Maker:
    """Return a maker of a select with these choices."""
    return lambda each: _choice(each, choices, **more)


def ticks(**more: Any) -> Maker:
    """Return a maker of checkboxes, with the declared choices or, later, those of the form."""
    return lambda each: _ticks(each, **more)


def _ticks(each: Declared, **more: Any) -> forms.Field:
    item = each.item
    common = _common(each) | {"choices": _pairs(item) if item.choices else (), **more}
    return forms.TypedMultipleChoiceField(
        coerce=_type_of(item), widget=forms.CheckboxSelectMultiple, **common
    )


def _choice(each: Declared, choices: Pairs | None = None, **more: Any) -> forms.Field:
    common = {"empty_value": None if each.nullable else "", **_common(each), **more}
    return forms.TypedChoiceField(
        coerce=_type_of(each), choices=_pairs(each) if choices is None else choices, **common
    )


def _type_of(each: Declared) -> Any:
    """Return the type of a choice. Members of an enum stay texts until ``parse`` converts them."""
    return str if each.choices else SCALARS[type(each.kind)]


def _pairs(each: Declared) -> Pairs:
    kind = each.choices
    assert kind is not None  # noqa: S101 - this tells the type checker
    return (
        kind.choices
        if issubclass(kind, Choices)
        else [(member.value, member.value) for member in kind]
    )


def _common(each: Declared) -> dict[str, Any]:
    """Return the arguments that every field gets."""
    common: dict[str, Any] = {
        "label": each.words.label or None,
        "help_text": each.words.help,
        "required": _has_to_be_filled_in(each),
    }
    if each.default not in (NODEFAULT, None, "", ()) and each.default is not False:
        common["initial"] = each.default
    return common


def _has_to_be_filled_in(each: Declared) -> bool:
    """Return whether a page requires the field.

    A page shows the default of a number or choice, so an empty field never means the default.
    """
    if each.nullable or (each.choices and "" in {member.value for member in each.choices}):
        return False
    if isinstance(each.kind, StrType):
        return each.default is NODEFAULT and bool(each.words.min_length)
    if isinstance(each.kind, VarTupleType):
        return each.required
    return True
