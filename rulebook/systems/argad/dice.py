"""How a die is read: a 6 is thrown again, two sixes are worth 7, three are a matter of their own.

Sheet: "Melee". Rulings A-S4, A-S5, A-M3, A-M8.
"""

from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from types import MappingProxyType

from rulebook.dice.rolls import distribution

Dice = tuple[int, ...]
TRIPLE = (6, 6, 6)
MOST = 3
"""Nobody throws more dice than this for one shot or blow."""


def dice_due(dice: Dice, most: int) -> bool:
    """Is another die to be thrown? The first is, and one more after each 6, up to ``most``."""
    return len(dice) < most and all(die == 6 for die in dice)


def dice_told_wrong(dice: Dice, most: int) -> bool:
    """Do these dice end too early, go on after something else than a 6, or beyond ``most``?"""
    return dice_due(dice, most) or len(dice) > most or any(die != 6 for die in dice[:-1])


def natural(dice: Dice, *, disorder: bool = False, triple: int = 7) -> int:
    """What the dice show: a double 6 is 7, three sixes are worth ``triple``, but in disorder both are a 6.

    >>> natural((6, 6)), natural((6, 6), disorder=True), natural((6, 2))
    (7, 6, 6)
    """
    if disorder or dice[:2] != TRIPLE[:2]:
        return dice[0]
    return triple if dice == TRIPLE else 7


@cache
def throws(most: int) -> Mapping[Dice, Fraction]:
    """Every way in which the dice may fall, with its exact chance; the chances sum to 1.

    >>> throws(2)[(6, 6)]
    Fraction(1, 36)
    """
    found: dict[Dice, Fraction] = {(): Fraction(1)}
    for _ in range(most):
        for dice in [each for each in found if dice_due(each, most)]:
            chance = found.pop(dice)
            found |= {(*dice, face): chance * share for face, share in distribution("D6").items()}
    return MappingProxyType(found)
