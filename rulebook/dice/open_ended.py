"""Open-ended dice: a six-sided die that is thrown again after each 6, up to a number of dice."""

from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from types import MappingProxyType

from rulebook.dice.rolls import distribution

Dice = tuple[int, ...]


def dice_due(dice: Dice, most: int) -> bool:
    """Return whether another die is thrown: the first, and one after each 6, up to ``most``."""
    return len(dice) < most and all(die == 6 for die in dice)


def dice_told_wrong(dice: Dice, most: int) -> bool:
    """Return whether these dice end too early, continue after another face than 6, or exceed
    ``most``."""
    return dice_due(dice, most) or len(dice) > most or any(die != 6 for die in dice[:-1])


@cache
def throws(most: int) -> Mapping[Dice, Fraction]:
    """Return every way in which the dice may fall, with its exact chance; the chances sum to 1.

    >>> throws(2)[(6, 6)]
    Fraction(1, 36)
    """
    odds: dict[Dice, Fraction] = {(): Fraction(1)}
    for _ in range(most):
        for dice in [each for each in odds if dice_due(each, most)]:
            chance = odds.pop(dice)
            odds |= {(*dice, face): chance * share for face, share in distribution("D6").items()}
    return MappingProxyType(odds)
