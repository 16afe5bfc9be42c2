"""How a die is read: a 6 is thrown again, two sixes are worth 7, three are a matter of their own.

Sheet: "Melee". Rulings A-S4, A-S5, A-M3, A-M8.
"""

from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from types import MappingProxyType

from rulebook.dice.rolls import distribution

Dice = tuple[int, ...]
SIX = 6
MOST = 3
"""Nobody throws more dice than this for one shot or blow."""


def dice_due(dice: Dice, most: int) -> int:
    """How many dice are still to be thrown, 0 or 1: the first, and one more after each 6 up to ``most``."""
    return int(len(dice) < most and all(die == SIX for die in dice))


def dice_told_wrong(dice: Dice, most: int) -> bool:
    """Do these dice go on after something else than a 6, or beyond ``most``?"""
    return len(dice) > most or any(die != SIX for die in dice[:-1])


def natural(dice: Dice, *, disorder: bool = False, triple: int = 7) -> int:
    """What the dice show: a double 6 is 7, except in disorder; three sixes are worth ``triple``.

    >>> natural((6, 6)), natural((6, 6), disorder=True), natural((6, 2))
    (7, 6, 6)
    """
    if is_triple(dice) and not disorder:
        return triple
    return 7 if dice[:2] == (SIX, SIX) and not disorder else dice[0]


def is_triple(dice: Dice) -> bool:
    """Are there three sixes?"""
    return dice == (SIX, SIX, SIX)


@cache
def throws(most: int) -> Mapping[Dice, Fraction]:
    """Every way in which the dice may fall, with its exact chance; the chances sum to 1.

    >>> throws(2)[(6, 6)]
    Fraction(1, 36)
    """
    found: dict[Dice, Fraction] = {(): Fraction(1)}
    for _ in range(most):
        going_on = {dice: chance for dice, chance in found.items() if dice_due(dice, most)}
        found = {dice: chance for dice, chance in found.items() if dice not in going_on}
        for dice, chance in going_on.items():
            found |= {(*dice, face): chance * share for face, share in distribution("D6").items()}
    return MappingProxyType(found)
