"""What the sentences of kinds are made of whose classes do not tell themselves yet."""

from collections.abc import Callable, Mapping
from typing import Any

from rulebook.at_table.sentences import Names, all_of, dice_in, name_of
from rulebook.systems.en_garde.play.words import arm

__all__ = ["Data", "Names", "all_of", "arm", "dice_in", "die_in", "does", "name_of", "standing"]

Data = Mapping[str, Any]


def die_in(data: Data, field: str = "die") -> list[int]:
    """A single die, if it was thrown."""
    return [data[field]] if data.get(field) else []


def does(verb: str, field: str = "fighter") -> Callable[[Data, Names], str]:
    """A sentence of one fighter, or one side, and a verb."""
    return lambda data, names: f"{name_of(names, data[field])} {verb}"


def standing(words: str) -> Callable[[Data, Names], str]:
    """A sentence of a side, some words, and its fighters."""
    return lambda data, names: f"{name_of(names, data['side'])} {words}: {all_of(names, data['fighters'])}"
