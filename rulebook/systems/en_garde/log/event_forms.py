"""Reading an event's JSON, and the forms that ask for it: both follow from the structs in ``events``."""

import re
from collections.abc import Iterator, Mapping
from functools import cache

import msgspec
from msgspec.inspect import (
    BoolType,
    DictType,
    EnumType,
    Field,
    FloatType,
    IntType,
    LiteralType,
    Metadata,
    NoneType,
    StructType,
    Type,
    UnionType,
    VarTupleType,
)

from rulebook.ruleset import EventField, EventKind, LoggedEvent, Problem, RulesError
from rulebook.systems.en_garde.log.event_help import help_of
from rulebook.systems.en_garde.log.event_registry import KINDS
from rulebook.systems.en_garde.play.events import Event
from rulebook.systems.en_garde.turns.events import TURN_BY_TURN


def read_event(event: LoggedEvent) -> Event:
    """The event's data as its kind's struct.

    Raises RulesError "unknown-event-kind" or "unreadable-event", naming the field, the value and the way out.
    """
    kind = KINDS.get(event.kind)
    if kind is None:
        sentence = f"A log takes no event of kind {event.kind!r}. Known kinds: {', '.join(KINDS)}."
        raise RulesError(Problem("unknown-event-kind", sentence, field="kind", value=event.kind))
    try:
        read = msgspec.convert(event.data, type=kind)
    except msgspec.ValidationError as error:
        raise RulesError(_unreadable(event, str(error))) from error
    nobody = [name for name in _people(event.kind) if not getattr(read, name)]
    if nobody:
        raise RulesError(*(_unreadable(event, f"at `$.{name}`") for name in nobody))
    return read


@cache
def _people(kind: str) -> tuple[str, ...]:
    """The fields of a kind that have to name somebody."""
    return tuple(field.key for field in event_fields(kind) if field.required and field.kind == "combatant")


def _unreadable(event: LoggedEvent, why: str) -> Problem:
    data = event.data if isinstance(event.data, Mapping) else {}
    found = re.search(r"at `\$\.(\w+)", why) or re.search(r"field `(\w+)`", why)
    name = found[1] if found else ""
    sentence = f"{KINDS[event.kind].label}: {_what_is_wrong(event.kind, name, data)}"
    return Problem("unreadable-event", sentence, field=name, value=str(data.get(name, "")))


def _what_is_wrong(kind: str, name: str, data: Mapping[str, object]) -> str:
    fields = {field.key: field for field in event_fields(kind)}
    if name not in fields:
        wrong = f"there is no field {name!r}" if name else "this is not an event's data"
        return f"{wrong}. Its fields: {', '.join(fields)}."
    wanted = _wanted(fields[name])
    return f"{name!r} cannot be {data[name]!r}; give {wanted}." if name in data else f"{name!r} is missing: {wanted}."


def _wanted(field: EventField) -> str:
    """What a field takes, in words."""
    if field.choices:
        return "one of " + ", ".join(key for key, _ in field.choices)
    if field.kind == "number":
        return f"a whole number from {field.least}" + (f" to {field.most}" if field.most else "")
    words = {
        "combatant": "a fighter's id",
        "side": "a side's key",
        "flag": "true or false",
        "list": "fighters' ids",
        "dice": "a list of dice, each from 1 to 6",
        "inches": "a number of inches",
    }
    return words.get(field.kind, "a text, neither empty nor overlong")


@cache
def event_kinds() -> tuple[EventKind, ...]:
    """Every kind of event with its fields, enough to draw a form."""
    return tuple(
        EventKind(key, kind.label, event_fields(key), kind.help, turn_by_turn=key in TURN_BY_TURN)
        for key, kind in KINDS.items()
    )


@cache
def event_fields(kind: str) -> tuple[EventField, ...]:
    """The fields of a kind of event, in the order in which a form asks for them."""
    info = msgspec.inspect.type_info(KINDS[kind])
    assert isinstance(info, StructType)  # noqa: S101 - every kind is a struct; this tells the type checker
    return tuple(_form_field(kind, field) for field in info.fields)


def _form_field(kind: str, field: Field) -> EventField:
    meta = field.type
    assert isinstance(meta, Metadata)  # noqa: S101 - every field of an event is annotated
    shown = meta.extra_json_schema or {}
    inner = _without_none(meta.type)
    return EventField(
        key=field.name,
        label=shown.get("title", field.name),
        kind="inches" if isinstance(inner, FloatType) else (meta.extra or {}).get("kind") or _form_kind(inner),
        required=field.required,
        choices=tuple(_choices(inner)),
        help=shown.get("description") or (help_of(kind, field.name) if kind in TURN_BY_TURN else ""),
        least=getattr(inner, "ge", None),
        most=getattr(inner, "le", None),
        default=str(field.default) if isinstance(inner, EnumType | LiteralType) and not field.required else "",
    )


def _without_none(kind: Type) -> Type:
    if isinstance(kind, UnionType):
        return next(each for each in kind.types if not isinstance(each, NoneType))
    return kind


def _form_kind(kind: Type) -> str:
    if isinstance(kind, EnumType | LiteralType):
        return "choice"
    if isinstance(kind, IntType):
        return "number"
    if isinstance(kind, VarTupleType):
        return {DictType: "map", IntType: "dice"}.get(type(_bare(kind.item_type)), "list")
    return "map" if isinstance(kind, DictType) else "flag" if isinstance(kind, BoolType) else "text"


def _bare(kind: Type) -> Type:
    """The type without its bounds and titles."""
    return kind.type if isinstance(kind, Metadata) else kind


def _choices(kind: Type) -> Iterator[tuple[str, str]]:
    if isinstance(kind, VarTupleType):
        yield from _choices(_bare(kind.item_type))
    if isinstance(kind, EnumType):
        for member in kind.cls:
            yield member.value, member.value.replace("-", " ").capitalize()
    if isinstance(kind, LiteralType):
        for value in kind.values:
            yield str(value), str(value).replace("-", " ").capitalize()
