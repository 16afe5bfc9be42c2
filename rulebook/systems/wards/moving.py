"""Moves of Wards that take dice: sideways, out of scenery; and arrivals. Sheet: "Movement", "Arrivals".

Rulings W-V1 to W-V3, W-A1, W-A2.
"""

from fractions import Fraction

from rulebook.dice.rolls import distribution
from rulebook.systems.wards.book import figures
from rulebook.systems.wards.pools import chance_of

MOVEMENT = 'Sheet: "Movement"'
MOVES = {
    "advance": "One Zone forward",
    "back": "One Zone backward",
    "sideways": "One Zone sideways",
    "scenery": "Out of scenery",
    "assault": "Assault forward or backward",
    "assault-sideways": "Assault sideways",
    "assault-scenery": "Assault out of scenery",
    "swap": "Swap front and rear",
    "stay": "Stay",
}
"""What a Ward may do in the movement step."""
ROLLED = ("sideways", "scenery", "assault-sideways", "assault-scenery")
"""Moves that take dice. Ruling W-V3: to assault straight forward or backward takes none."""


def move_dice(move: str, *, failed_before: bool = False, no_enemy: bool = False) -> int:
    """How many dice a move takes; either reason for a fourth is enough, and both make no fifth. Ruling W-V1."""
    if move not in ROLLED:
        return 0
    known = figures("sideways")
    dice: int = known["more" if failed_before or no_enemy else "dice"]
    return dice


def move_succeeds(dice: tuple[int, ...]) -> bool:
    """Does the Ward move? The dice are added up. Ruling W-V2."""
    return not dice or sum(dice) >= figures("sideways")["need"]


def move_chance(number: int) -> Fraction:
    """The chance that so many dice come to enough; certain without any."""
    if not number:
        return Fraction(1)
    totals = distribution(f"{number}D6")
    return sum((chance for total, chance in totals.items() if total >= figures("sideways")["need"]), Fraction(0))


def arrival_chance(shares: int) -> Fraction:
    """The chance that a unit arrives with so many of the arrival dice. Rulings W-A1, W-A2."""
    return 1 - (1 - chance_of(figures("turn")["arrival_on"])) ** shares
