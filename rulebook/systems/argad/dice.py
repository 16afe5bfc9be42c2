"""How dice are read: two sixes are worth 7, three are a matter of their own. Rulings A-S4, A-S5, A-M3, A-M8."""

from rulebook.dice.open_ended import Dice

TRIPLE = (6, 6, 6)
MOST = 3
"""Nobody throws more dice than this for one shot or blow."""


def natural(dice: Dice, *, disorder: bool = False, triple: int = 7) -> int:
    """What the dice show: a double 6 is 7, three sixes are worth ``triple``, but in disorder both are a 6.

    >>> natural((6, 6)), natural((6, 6), disorder=True), natural((6, 2))
    (7, 6, 6)
    """
    if disorder or dice[:2] != TRIPLE[:2]:
        return dice[0]
    return triple if dice == TRIPLE else 7
