"""Handfuls of six-sided dice, counted exactly: how many of them succeed, with failed ones thrown
again once or not."""

from collections.abc import Hashable, Iterable, Mapping
from fractions import Fraction
from functools import cache, reduce
from math import comb
from types import MappingProxyType
from typing import TypeVar

Key = TypeVar("Key", bound=Hashable)
Chances = Mapping[int, Fraction]


def successes(dice: Iterable[int], need: int) -> int:
    """Return how many dice show at least ``need``."""
    return sum(die >= need for die in dice)


def chance_of(need: int, *, again: bool = False) -> Fraction:
    """Return the chance that one die shows at least ``need``, thrown again once if it does not and
    ``again`` is given.

    Below 2 it is certain, above 6 impossible.

    >>> chance_of(5), chance_of(5, again=True)
    (Fraction(1, 3), Fraction(5, 9))
    """
    once = Fraction(7 - min(max(need, 1), 7), 6)
    return once + (1 - once) * once if again else once


@cache
def pool(number: int, chance: Fraction) -> Chances:
    """Return the chance of each number of successes among so many dice of this chance each, in
    rising order.

    >>> pool(2, Fraction(1, 2))[1]
    Fraction(1, 2)
    """
    odds = {
        k: comb(number, k) * chance**k * (1 - chance) ** (number - k) for k in range(number + 1)
    }
    return MappingProxyType(odds)


def thinned(chances: Chances, kept: Fraction) -> Chances:
    """Return the chance of each number that is left when each of them stays with the chance
    ``kept``."""
    parts: list[tuple[int, Fraction]] = []
    for number, chance in chances.items():
        # Of so many successes each stays or goes on its own: a pool of that many dice.
        parts += [(left, chance * share) for left, share in pool(number, kept).items()]
    return gathered(parts)


def added(first: Chances, other: Chances) -> Chances:
    """Return the chance of each sum of two numbers that are independent."""
    parts: list[tuple[int, Fraction]] = []
    for number, chance in first.items():
        # Independent numbers: the chances of a pair are multiplied.
        parts += [(number + more, chance * share) for more, share in other.items()]
    return gathered(parts)


def gathered(parts: Iterable[tuple[int, Fraction]]) -> Chances:
    """Return the chance of each number, in rising order, from parts of which several may have the
    same number."""
    odds: dict[int, Fraction] = {}
    for number, chance in parts:
        odds[number] = odds.get(number, Fraction(0)) + chance
    return dict(sorted(odds.items()))


def mean(chances: Chances) -> Fraction:
    """Return the average of a number."""
    return sum((number * chance for number, chance in chances.items()), Fraction(0))


def repeated(chances: Chances, times: int) -> Chances:
    """Return the chance of each sum of ``times`` numbers of the same kind."""
    return reduce(added, [chances] * times, {0: Fraction(1)})


def at_most(chances: Chances, most: float) -> Fraction:
    """Return the chance of a number that is no greater."""
    return sum((chance for number, chance in chances.items() if number <= most), Fraction(0))


def together(*parts: tuple[Key, Fraction]) -> dict[Key, Fraction]:
    """Return the chance of each thing, in the order in which things come first, from parts that may
    be of the same."""
    odds: dict[Key, Fraction] = {}
    for key, chance in parts:
        odds[key] = odds.get(key, Fraction(0)) + chance
    return odds
