"""What sentences about events are made of: names, arms, dice.

``names`` maps ids of fighters and keys of sides to what they are called.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rulebook.systems.en_garde.at_table.words import weapon_name

Data = Mapping[str, Any]
Names = Mapping[str, str]


def name_of(names: Names, key: object) -> str:
    """What somebody is called."""
    known = str(key)
    return names.get(known) or (known.replace("-", " ").capitalize() if known.startswith("summoned-") else known)


def all_of(names: Names, keys: Sequence[object]) -> str:
    """Several names: "Athos and Porthos"."""
    *most, last = [name_of(names, key) for key in keys] or ["nobody"]
    return f"{', '.join(most)} and {last}" if most else last


def arm(key: str) -> str:
    """A weapon in the middle of a sentence."""
    return weapon_name(key).lower()


def dice_in(*thrown: Any) -> str:
    """Dice as they fell, in brackets."""
    shown = [", ".join(map(str, dice)) for dice in thrown if dice]
    return f" [{' – '.join(shown)}]" if shown else ""


def die_in(data: Data, field: str = "die") -> list[int]:
    """A single die, if it was thrown."""
    return [data[field]] if data.get(field) else []


def does(verb: str, field: str = "fighter") -> Callable[[Data, Names], str]:
    """A sentence of one fighter, or one side, and a verb."""
    return lambda data, names: f"{name_of(names, data[field])} {verb}"


def standing(words: str) -> Callable[[Data, Names], str]:
    """A sentence of a side, some words, and its fighters."""
    return lambda data, names: f"{name_of(names, data['side'])} {words}: {all_of(names, data['fighters'])}"
