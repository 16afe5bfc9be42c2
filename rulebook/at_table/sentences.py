"""Parts of sentences and sums about events: names and dice.

``names`` maps ids of fighters and keys of sides to what they are called.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from rulebook.values.answers import ReasonLine

Names = Mapping[str, str]


def name_of(names: Names, key: object) -> str:
    """Return the name for an id; guests of the battle are named by their keys: "guest-2" is "Guest
    2"."""
    return names.get(str(key)) or str(key).replace("-", " ").capitalize()


def all_of(names: Names, keys: Sequence[object]) -> str:
    """Return several names: "Athos and Porthos"."""
    *most, last = [name_of(names, key) for key in keys] or ["nobody"]
    return f"{', '.join(most)} and {last}" if most else last


def dice_in(*thrown: Any) -> str:
    """Return dice as they fell, in brackets."""
    shown = [", ".join(map(str, dice)) for dice in thrown if dice]
    return f" [{' – '.join(shown)}]" if shown else ""


def die_in(die: int | None) -> tuple[int, ...]:
    """Return a single die, if it was thrown."""
    return () if die is None else (die,)


def dice_line(dice: tuple[int, ...], rule: str) -> ReasonLine:
    """Return dice as a line: "Dice 3 and 4"."""
    if not dice:
        return ReasonLine(0, "No dice", rule)
    noun = "Die" if len(dice) == 1 else "Dice"
    return ReasonLine(sum(dice), f"{noun} {' and '.join(map(str, dice))}", rule)
