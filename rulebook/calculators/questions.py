"""What a calculator is made of: its description, the function that answers, and its fields in few words."""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from rulebook.values.answers import Answer
from rulebook.values.battles import Calculator
from rulebook.values.fields import Field, LengthUnit

ODDS, TABLE, PREPARATION = "odds", "at the table", "before the battle"
"""Groups of calculators."""

Values = Mapping[str, Any]


class Question(Struct, frozen=True):
    """A calculator and the function that answers it, from whom it is about and the values that were read."""

    calculator: Calculator
    answer: Callable[..., Answer]


def number(
    key: str, label: str, default: int | None = None, *, least: int = 0, most: int = 50, help: str = ""
) -> Field:
    """A whole number; without a default it may be left open."""
    text = "" if default is None else str(default)
    return Field(key, label, "number", False, help=help, least=least, most=most, default=text)


def length(unit: LengthUnit, key: str, label: str, default: float, *, most: int = 120, help: str = "") -> Field:
    """A distance."""
    text = f"{default:g}"
    return Field(key, label, "length", False, help=help, least=0, most=most, default=text, unit=unit.many)


def flag(key: str, label: str, *, default: bool = False, help: str = "") -> Field:
    """Yes or no."""
    return Field(key, label, "flag", False, help=help, default=str(default).lower())


def choice(key: str, label: str, choices: tuple[tuple[str, str], ...], default: str = "", help: str = "") -> Field:
    """One of several."""
    return Field(key, label, "choice", False, choices=choices, help=help, default=default)


def several(key: str, label: str, choices: tuple[tuple[str, str], ...], help: str = "") -> Field:
    """Any of several."""
    return Field(key, label, "list", False, choices=choices, help=help)


def dice(key: str, label: str, most: int, help: str = "") -> Field:
    """Dice as they fell; none, if nothing was thrown."""
    return Field(key, label, "dice", False, help=help, most=most)


def text(key: str, label: str, default: str = "", help: str = "") -> Field:
    """Words."""
    return Field(key, label, "text", False, help=help, default=default)


def data(key: str, label: str, help: str = "") -> Field:
    """A JSON object."""
    return Field(key, label, "map", False, help=help)


def grouped(group: str, *fields: Field, prefix: str = "") -> tuple[Field, ...]:
    """Fields that belong together, their keys with a prefix."""
    return tuple(replace(field, key=prefix + field.key, group=group) for field in fields)
