"""Dice: rolls from a generator that is handed in, and exact distributions as fractions.

Notation: "D6", "D3", "2D6", "D6+6", "2D6-1". A D3 has three equal faces.
"""

import re
from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from types import MappingProxyType
from typing import Protocol

from msgspec import Struct

from rulebook.dice.pools import repeated

NOTATION = re.compile(r"(?P<number>\d*)[Dd](?P<faces>\d+)(?P<plus>[+-]\d+)?")


class Generator(Protocol):
    """Where luck comes from; ``random.Random`` is one."""

    def randint(self, a: int, b: int, /) -> int:
        """Return a whole number from a to b, both included."""


class Dice(Struct, frozen=True):
    """A number of dice of one size, and what is added to their sum."""

    number: int
    faces: int
    plus: int = 0


class Roll(Struct, frozen=True):
    """A throw: each die as it fell, and the total."""

    notation: str
    dice: tuple[int, ...]
    total: int


@cache
def read_dice(notation: str) -> Dice:
    """Return what a notation such as "2D6" or "D6+6" means. Raise ValueError naming the text.

    >>> read_dice("D6+6")
    Dice(number=1, faces=6, plus=6)
    """
    match = NOTATION.fullmatch(notation.replace(" ", ""))
    if match is None:
        raise ValueError(f"{notation!r} is not dice: write it like D6, D3, 2D6 or D6+6.")
    dice = Dice(int(match["number"] or 1), int(match["faces"]), int(match["plus"] or 0))
    if not (1 <= dice.number <= 20 and 2 <= dice.faces <= 100):
        raise ValueError(f"{notation!r} is out of bounds: 1 to 20 dice of 2 to 100 faces.")
    return dice


def roll(notation: str, generator: Generator) -> Roll:
    """Throw the dice of a notation. Raise ValueError for a notation that makes no sense."""
    dice = read_dice(notation)
    thrown = tuple(generator.randint(1, dice.faces) for _ in range(dice.number))
    return Roll(notation, thrown, sum(thrown) + dice.plus)


def d6(generator: Generator) -> int:
    """Return one six-sided die."""
    return generator.randint(1, 6)


@cache
def distribution(notation: str) -> Mapping[int, Fraction]:
    """Return the exact chance of each total of a notation, in rising order; the chances sum to 1.

    >>> distribution("2D6")[7]
    Fraction(1, 6)
    """
    dice = read_dice(notation)
    faces = {pips: Fraction(1, dice.faces) for pips in range(1, dice.faces + 1)}
    totals = repeated(faces, dice.number)
    return MappingProxyType({total + dice.plus: chance for total, chance in totals.items()})
