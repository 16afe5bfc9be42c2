"""The API's serializer of an input, made from the struct that declares it (core.inputs)."""

from collections.abc import Mapping
from copy import deepcopy
from enum import Enum
from typing import Any

from django.db.models import Choices
from msgspec import Struct
from msgspec.inspect import (
    AnyType,
    BoolType,
    DateTimeType,
    DateType,
    DictType,
    IntType,
    StrType,
    StructType,
    TimeType,
    Type,
    UUIDType,
    VarTupleType,
)
from msgspec.structs import replace
from rest_framework import serializers

from core.api.strict_input import ExactSerializer
from core.inputs import Declared, fields_of

Serializer = type[ExactSerializer]
NESTED: dict[type[Struct], Serializer] = {}
"""The serializers of inputs that lie in other ones: each input is one component of the schema."""


PLAIN: Mapping[type[Type], type[serializers.Field]] = {
    BoolType: serializers.BooleanField,
    UUIDType: serializers.UUIDField,
    DateType: serializers.DateField,
    DateTimeType: serializers.DateTimeField,
    TimeType: serializers.TimeField,
    DictType: serializers.DictField,
    AnyType: serializers.JSONField,
}
"""The fields of kinds that have no bounds."""


def serializer_class(
    kind: type[Struct],
    *more: Serializer,
    name: str = "",
    doc: str = "",
    without: tuple[str, ...] = (),
) -> Serializer:
    """Return the serializer of an input, and with it the component of the schema.

    Its data has the names of Python, as ``core.inputs.parse`` and the services take them.

    Args:
        kind: The input.
        more: Serializers whose fields follow those of the input, such as ``DryRun``.
        name: Of the class, where it is not the input's; the component is called so without
            "Serializer".
        doc: Description of the component, where it is not the input's.
        without: Names of fields that the API does not take.
    """
    fields = {
        each.key: api_field(each) for each in fields_of(kind).values() if each.name not in without
    }
    for other in more:
        # Copies are numbered anew: they stand behind the input's own fields.
        fields |= {key: deepcopy(field) for key, field in other._declared_fields.items()}
    body: dict[str, Any] = {
        **fields,
        "__doc__": doc or kind.__doc__,
        "__module__": kind.__module__,
        "input": kind,
    }
    made = type(name or f"{kind.__name__}Serializer", (*more, ExactSerializer), body)
    NESTED.setdefault(kind, made)
    return made


def api_field(each: Declared) -> serializers.Field:
    """Return the field of a serializer for a field of an input."""
    common = _common(each)
    if each.choices is not None:
        return _choice(each.choices, common)
    if type(each.kind) in PLAIN:
        return PLAIN[type(each.kind)](**common)
    words = each.words
    match each.kind:
        case IntType():
            return serializers.IntegerField(
                **common, **_given(min_value=words.ge, max_value=words.le)
            )
        case StrType():
            # A text of one character is one that is not blank.
            least = (
                {"allow_blank": True} if not words.min_length else {"min_length": words.min_length}
            )
            bounds = _given(
                max_length=words.max_length, **(least if least != {"min_length": 1} else {})
            )
            return serializers.CharField(**common, **bounds)
        case StructType():
            return _nested(each.kind.cls)(**common)
        case VarTupleType():
            fewest = (
                {"allow_empty": False}
                if words.min_length == 1
                else {"min_length": words.min_length}
            )
            bounds = _given(max_length=words.max_length, **fewest)
            return serializers.ListField(child=api_field(_entry(each)), **common, **bounds)
    raise TypeError(f"The API has no field for {each.name}: {each.kind}.")


def field_for(kind: type[Struct], name: str) -> serializers.Field:
    """Return the field of one field of an input, for a serializer that is written by hand."""
    return api_field(fields_of(kind)[name])


def _common(each: Declared) -> dict[str, Any]:
    """Return what every field is made with."""
    common: dict[str, Any] = {"help_text": each.words.api or each.words.help or None}
    if not each.required:
        common |= {"default": each.default} if each.words.default else {"required": False}
    if each.name != each.key:
        common["source"] = each.name
    if each.nullable and each.words.null:
        common["allow_null"] = True
    return common


def _entry(each: Declared) -> Declared:
    """Return what a list holds; it has no name, so its source is its place."""
    return replace(each.item, name="", key="")


def _nested(kind: type[Struct]) -> Serializer:
    return NESTED.get(kind) or serializer_class(kind)


def _choice(kind: type[Enum], common: dict[str, Any]) -> serializers.ChoiceField:
    """Return the field of a closed set: one of Django's has labels, which the schema shows."""
    if issubclass(kind, Choices):
        choices = [(value, label) for value, label in kind.choices]
    else:
        choices = [(member.value, member.value) for member in kind]
    if any(value == "" for value, _ in choices):
        common["allow_blank"] = True
    return serializers.ChoiceField(choices, **common)


def _given(**bounds: Any) -> dict[str, Any]:
    return {name: bound for name, bound in bounds.items() if bound is not None}
