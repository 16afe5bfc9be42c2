"""Reading an event's JSON, and the forms that ask for it: both follow from the class of its
kind."""

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import cache
from operator import attrgetter
from typing import Any

import msgspec
from msgspec.inspect import (
    BoolType,
    DictType,
    EnumType,
    FloatType,
    IntType,
    LiteralType,
    Metadata,
    NoneType,
    StrType,
    StructType,
    Type,
    UnionType,
    VarTupleType,
)
from msgspec.inspect import Field as StructField

from rulebook.battle_log.kinds import EventKind
from rulebook.values.battles import LoggedEvent
from rulebook.values.fields import Choices, Field, wanted_in_json
from rulebook.values.problems import Problem, RulesError, shown

AnyKind = type[EventKind[Any]]


def read_as(kind: AnyKind, logged: LoggedEvent) -> EventKind[Any]:
    """Return the event's data as its kind. Raise RulesError "unreadable-event" with field, value
    and the way out."""
    try:
        read = msgspec.convert(logged.data, type=kind)
    except msgspec.ValidationError as error:
        raise RulesError(_unreadable(kind, logged, str(error))) from error
    needed = _who_is_needed(kind)
    for name in needed:
        if not getattr(read, name):
            nobody = (each for each in needed if not getattr(read, each))
            raise RulesError(*(_unreadable(kind, logged, f"at `$.{each}`") for each in nobody))
    return read


@cache
def _who_is_needed(kind: AnyKind) -> tuple[str, ...]:
    """Return the fields of a kind that have to name somebody."""
    return tuple(
        field.key for field in event_fields(kind) if field.required and field.kind == "combatant"
    )


def _unreadable(kind: AnyKind, logged: LoggedEvent, why: str) -> Problem:
    data = logged.data if isinstance(logged.data, Mapping) else {}
    match = re.search(r"at `\$\.(\w+)", why) or re.search(r"field `(\w+)`", why)
    name = match[1] if match else ""
    sentence = f"{kind.label}: {_what_is_wrong(kind, name, data)}"
    return Problem("unreadable-event", sentence, field=name, value=shown(data.get(name, "")))


def _what_is_wrong(kind: AnyKind, name: str, data: Mapping[str, object]) -> str:
    fields = {field.key: field for field in event_fields(kind)}
    if name not in fields:
        wrong = f"there is no field {name!r}" if name else "this is not an event's data"
        return f"{wrong}. Its fields: {', '.join(fields)}."
    expected = wanted_in_json(fields[name])
    if name not in data:
        return f"{name!r} is missing: {expected}."
    return f"{name!r} cannot be {data[name]!r}; give {expected}."


@cache
def event_fields(kind: AnyKind) -> tuple[Field, ...]:
    """Return the fields of a kind of event, in the order in which a form asks for them."""
    return tuple(_form_field(field) for field in _struct_fields(kind))


@cache
def dice_fields(kind: AnyKind) -> tuple[str, ...]:
    """Return the fields of a kind that hold dice as they fell."""
    return tuple(field.name for field in _struct_fields(kind) if _holds_dice(field.type))


def dice_of(event: EventKind[Any]) -> dict[str, Any]:
    """Return the dice that an event holds, by field; none for a kind that Muster never throws
    for."""
    if "thrown" not in event.__struct_fields__:
        return {}
    return {name: getattr(event, name) for name in dice_fields(type(event)) if getattr(event, name)}


def holds_dice(event: EventKind[Any]) -> bool:
    """Return whether an event holds any dice, as ``dice_of`` returns them."""
    return any(_dice_reader(type(event))(event))


@cache
def _dice_reader(kind: AnyKind) -> Callable[[EventKind[Any]], tuple[Any, ...]]:
    """Return what reads the dice of an event of this kind, all fields in one go."""
    fields = dice_fields(kind) if "thrown" in kind.__struct_fields__ else ()
    # Of a single name, attrgetter would not return a tuple.
    return attrgetter(*fields, *fields) if fields else lambda event: ()


def _struct_fields(kind: AnyKind) -> tuple[StructField, ...]:
    info = msgspec.inspect.type_info(kind)
    assert isinstance(info, StructType)  # noqa: S101 - every kind is a struct; this tells the type checker
    return info.fields


def _holds_dice(kind: Type) -> bool:
    """Return whether there are dice anywhere in the type."""
    if isinstance(kind, Metadata):
        return bool((kind.extra or {}).get("dice")) or _holds_dice(kind.type)
    if isinstance(kind, UnionType):
        return any(_holds_dice(each) for each in kind.types)
    if isinstance(kind, VarTupleType):
        return _holds_dice(kind.item_type)
    return isinstance(kind, DictType) and _holds_dice(kind.value_type)


def _form_field(field: StructField) -> Field:
    meta = field.type
    assert isinstance(meta, Metadata)  # noqa: S101 - every field of an event is annotated
    shown = meta.extra_json_schema or {}
    inner = _inner(meta.type)
    labelled = _labelled(meta)

    # A kind that the type names goes before the one that its labels or its Python type suggest.
    suggested = "choice" if labelled and isinstance(inner, StrType) else _form_kind(inner)
    field_kind = _extra(meta, "kind") or suggested
    return Field(
        key=field.name,
        label=shown.get("title", field.name),
        kind=field_kind,
        required=field.required,
        choices=labelled or tuple(_choices(inner)),
        help=shown.get("description", ""),
        least=getattr(inner, "ge", None),
        most=getattr(inner, "le", None),
        default=str(field.default) if field_kind == "choice" and not field.required else "",
        measure=_extra(meta, "measure"),
    )


def _extra(kind: Type, key: str) -> str:
    """Return what a field's type, or one within it, says of its form field: its "kind", its
    "measure".

    Return "" where it says nothing.
    """
    if isinstance(kind, UnionType):
        return next((value for value in (_extra(each, key) for each in kind.types) if value), "")
    if not isinstance(kind, Metadata):
        return ""
    return str((kind.extra or {}).get(key, "")) or _extra(kind.type, key)


def _labelled(kind: Type) -> Choices:
    """Return the choices that a type names with labels of its own, in a list of them too; () where
    it names none."""
    if isinstance(kind, UnionType):
        return next((choices for choices in map(_labelled, kind.types) if choices), ())
    if isinstance(kind, VarTupleType):
        return _labelled(kind.item_type)
    if not isinstance(kind, Metadata):
        return ()
    return (kind.extra or {}).get("choices") or _labelled(kind.type)


def _inner(kind: Type) -> Type:
    """Return the type without its bounds and titles, and without None."""
    if isinstance(kind, UnionType):
        return next(_inner(each) for each in kind.types if not isinstance(each, NoneType))
    return _inner(kind.type) if isinstance(kind, Metadata) else kind


def _form_kind(kind: Type) -> str:
    if isinstance(kind, EnumType | LiteralType):
        return "choice"
    if isinstance(kind, IntType):
        return "number"
    if isinstance(kind, FloatType):
        return "length"
    if isinstance(kind, VarTupleType):
        return {DictType: "map", IntType: "dice"}.get(type(_inner(kind.item_type)), "list")
    return {DictType: "map", BoolType: "flag"}.get(type(kind), "text")


def _choices(kind: Type) -> Iterator[tuple[str, str]]:
    if isinstance(kind, VarTupleType):
        yield from _choices(_inner(kind.item_type))
    values = (
        [each.value for each in kind.cls]
        if isinstance(kind, EnumType)
        else getattr(kind, "values", ())
    )
    for value in map(str, values):
        yield value, value.replace("-", " ").capitalize()


def unknown_names(
    event: EventKind[Any], fighters: Collection[str], sides: Collection[str]
) -> Iterator[Problem]:
    """Yield the problem of each fighter and side that an event names and that is not in the battle;
    "" names nobody."""
    for key, names_side in _naming_fields(type(event)):
        value = getattr(event, key)
        names = value if isinstance(value, tuple) else (value,)
        valid_keys = sides if names_side else fighters
        for name in names:
            if name and name not in valid_keys:
                sentence = f"{name!r} is not in this battle. There are {', '.join(valid_keys)}."
                yield Problem("unknown-combatant", sentence, field=key, value=shown(name))


@cache
def _naming_fields(kind: AnyKind) -> tuple[tuple[str, bool], ...]:
    """Return the fields of a kind that name fighters or sides, each with whether it names sides."""
    naming = [
        field
        for field in event_fields(kind)
        if field.kind in ("combatant", "side", "list") and not field.choices
    ]
    return tuple((field.key, field.kind == "side") for field in naming)
