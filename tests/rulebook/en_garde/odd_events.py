"""Events that nobody should send: random values in every field, with known and unknown names."""

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

import msgspec
from msgspec import inspect

from rulebook.ruleset import LoggedEvent
from rulebook.systems.en_garde.play.play_state import PlayState
from tests.rulebook.en_garde.logs import KINDS

FIELDS: Mapping[str, tuple[inspect.Field, ...]] = {
    key: msgspec.inspect.type_info(kind).fields  # type: ignore[attr-defined]
    for key, kind in KINDS.items()
}
THINGS = ("", "sword", "pistol", "matchlock", "longbow", "pike", "nobody", "banner", "a", "b")
INCHES = (0, 0.5, 1, 2, 3, 6, 12, 24, 36, 47.5, 120)


def odd_event(state: PlayState, luck: Random) -> LoggedEvent:
    """Return an event of any kind in which only the types are right."""
    kind = luck.choice(list(KINDS))
    fields = [field for field in FIELDS[kind] if field.required or luck.random() < 0.25]
    turn = luck.choice([None, None, state.table.turn or 1, state.table.turn + 1])
    return LoggedEvent(1, kind, filled(fields, state, luck), turn)


def bent(event: LoggedEvent, state: PlayState, luck: Random) -> LoggedEvent:
    """Return a valid event with one to three changed fields, sometimes without dice or overruled."""
    fields = FIELDS[event.kind]
    data = {
        **event.data,
        **filled(luck.sample(fields, min(len(fields), luck.randint(1, 3))), state, luck),
    }
    if luck.random() < 0.5:
        data = {
            key: value
            for key, value in data.items()
            if not key.endswith(("dice", "die", "reroll", "initiative"))
        }
    if luck.random() < 0.5 and any(field.name == "overruled" for field in fields):
        data["overruled"] = "We agreed on it."
    return LoggedEvent(event.sequence, event.kind, data, event.turn)


def filled(
    fields: list[inspect.Field] | tuple[inspect.Field, ...], state: PlayState, luck: Random
) -> dict[str, Any]:
    """Return random values for these fields. ``thrown`` is left out, as Muster sets it."""
    words = [*state.combatants, *state.combatants, *state.civilians, *THINGS]
    values = {
        field.name: some(field.type, words, luck) for field in fields if field.name != "thrown"
    }
    return {key: value for key, value in values.items() if value is not None}


def some(kind: inspect.Type, words: list[str], luck: Random) -> Any:
    """Return a random value of a type."""
    if isinstance(kind, inspect.Metadata):
        return some(kind.type, words, luck)
    if isinstance(kind, inspect.UnionType):
        return some(luck.choice(kind.types), words, luck)
    if isinstance(kind, inspect.VarTupleType):
        return [some(kind.item_type, words, luck) for _ in range(luck.choice([0, 1, 1, 2, 3]))]
    if isinstance(kind, inspect.TupleType):
        return [some(each, words, luck) for each in kind.item_types]
    if isinstance(kind, inspect.DictType):
        pairs = range(luck.randint(0, 2))
        return {some(kind.key_type, words, luck): some(kind.value_type, words, luck) for _ in pairs}
    return PLAIN[type(kind)](kind, words, luck)


def _number(kind: Any, words: list[str], luck: Random) -> int:
    return luck.randint(kind.ge or 0, min(kind.le or 9, 12))


PLAIN: Mapping[type[inspect.Type], Callable[[Any, list[str], Random], Any]] = {
    inspect.NoneType: lambda kind, words, luck: None,
    inspect.AnyType: lambda kind, words, luck: luck.choice([None, 1, "x", {}, []]),
    inspect.BoolType: lambda kind, words, luck: luck.random() < 0.5,
    inspect.IntType: _number,
    inspect.FloatType: lambda kind, words, luck: luck.choice(INCHES),
    inspect.EnumType: lambda kind, words, luck: luck.choice(list(kind.cls)).value,
    inspect.LiteralType: lambda kind, words, luck: luck.choice(kind.values),
    inspect.StrType: lambda kind, words, luck: luck.choice(words),
}
