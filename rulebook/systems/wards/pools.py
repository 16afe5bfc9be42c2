"""Handfuls of dice, counted exactly: how many of them succeed, with failed ones thrown again once or not (W-G5)."""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import cache
from math import comb
from types import MappingProxyType

Chances = Mapping[int, Fraction]


def successes(dice: Iterable[int], need: int) -> int:
    """How many dice show at least ``need``."""
    return sum(die >= need for die in dice)


def chance_of(need: int, *, again: bool = False) -> Fraction:
    """The chance that one die shows at least ``need``, thrown again once if it does not and ``again`` is given.

    >>> chance_of(5), chance_of(5, again=True)
    (Fraction(1, 3), Fraction(5, 9))
    """
    once = Fraction(7 - need, 6)
    return once + (1 - once) * once if again else once


@cache
def pool(number: int, chance: Fraction) -> Chances:
    """The chance of each number of successes among so many dice of this chance each, in rising order.

    >>> pool(2, Fraction(1, 2))[1]
    Fraction(1, 2)
    """
    found = {k: comb(number, k) * chance**k * (1 - chance) ** (number - k) for k in range(number + 1)}
    return MappingProxyType(found)


def thinned(chances: Chances, kept: Fraction) -> Chances:
    """The chance of each number that is left when each of them stays with the chance ``kept``."""
    found: dict[int, Fraction] = {}
    for number, chance in chances.items():
        for left, share in pool(number, kept).items():
            found[left] = found.get(left, Fraction(0)) + chance * share
    return dict(sorted(found.items()))


def capped(chances: Chances, most: int) -> Chances:
    """The same, with everything above ``most`` counted as ``most``."""
    found: dict[int, Fraction] = {}
    for number, chance in chances.items():
        found[min(number, most)] = found.get(min(number, most), Fraction(0)) + chance
    return found
