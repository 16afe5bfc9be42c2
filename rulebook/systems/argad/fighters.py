"""A character as play sees him, and how far he moves in a turn.

Sheet: "Movement", "Close order", "Terrain". Rulings A-V1 to A-V9.
"""

from collections.abc import Mapping
from fractions import Fraction
from itertools import product

from msgspec import Struct

from rulebook.dice.open_ended import Dice
from rulebook.dice.rolls import distribution
from rulebook.systems.argad.book import NO_FIREARM, book
from rulebook.values.answers import ReasonLine

MOVEMENT = 'Sheet: "Movement"'


class Fighter(Struct, frozen=True, rename={"class_": "class"}):
    """A character with its equipment: the canonical form of a build.

    ``length`` overrides the suggested length of his weapon, "" keeps it (Ruling A-M1). ``trained``
    is at receiving cavalry with a pole weapon; ``group`` names those he stands with, ``role`` says
    who he is.
    """

    class_: int = 3
    clothing: str = "light"
    mount: str = "foot"
    firearm: str = NO_FIREARM
    weapon: str = "sword"
    length: str = ""
    trained: bool = False
    close_order: bool = False
    group: str = ""
    role: str = ""

    @property
    def armour(self) -> int:
        """0, 4 or 5; half-armour 4* is a 4. Rulings A-V1, A-M9."""
        return book().clothing[self.clothing].armour

    @property
    def on_foot(self) -> bool:
        """Return whether he is on his own two feet."""
        return self.mount == "foot"


class Move(Struct, frozen=True):
    """A move to be made: through which ground (the roughest part of it, A-V3), in which formation
    if in close order."""

    fighter: Fighter
    terrain: str = "open"
    formation: str = ""


class Reach(Struct, frozen=True):
    """The distance of a move in centimetres, with the sum that gives it; 0 if it is blocked."""

    cm: int
    blocked: bool
    lines: tuple[ReasonLine, ...]


def ground(fighter: Fighter, terrain: str) -> str:
    """Return how hard this ground is for him: "open", "difficult" or "very-difficult"."""
    return book().terrain[terrain][1 if fighter.on_foot else 2]


def slowing_dice(fighter: Fighter, terrain: str) -> int:
    """Return how many dice are thrown for the move: none in the open, one on foot, two mounted.
    Rulings A-V6, A-V8."""
    return 0 if ground(fighter, terrain) == "open" else book().mount[fighter.mount].dice


def base_cm(fighter: Fighter, formation: str = "") -> int:
    """Centimetres in the open. On foot a musket is as heavy as a breastplate; close order is never
    faster (A-V9)."""
    burdened = fighter.on_foot and fighter.firearm == "musket" and fighter.clothing == "light"
    own = book().mount[fighter.mount].move["encumbered" if burdened else fighter.clothing]
    return min(own, book().formation[formation][1]) if formation else own


def reach(move: Move, dice: Dice = ()) -> Reach:
    """Return how far the move may go with these slowing dice.

    Rulings A-V4 (one 6 on foot), A-V5 (halves are rounded down).
    """
    cm, hard = base_cm(move.fighter, move.formation), ground(move.fighter, move.terrain)
    lines = [ReasonLine(cm, "in the open", MOVEMENT)]
    if hard == "very-difficult":
        lines.append(ReasonLine(cm // 2 - cm, "very difficult ground: half", "Ruling A-V5"))
    if hard == "open":
        return Reach(cm, False, tuple(lines))
    lines.append(ReasonLine(-sum(dice), "slowing dice", MOVEMENT))
    blocked = dice.count(6) >= book().mount[move.fighter.mount].blocked_by[hard]
    return Reach(
        0 if blocked else max(0, sum(line.amount for line in lines)), blocked, tuple(lines)
    )


def reach_odds(move: Move) -> Mapping[int, Fraction]:
    """Return the chance of each distance in centimetres, in rising order.

    A distance of 0 is ground that blocks, or slows him down to nothing.
    """
    odds: dict[int, Fraction] = {}
    faces = distribution("D6")
    for dice in product(faces, repeat=slowing_dice(move.fighter, move.terrain)):
        cm = reach(move, dice).cm
        odds[cm] = odds.get(cm, Fraction(0)) + Fraction(1, len(faces) ** len(dice))
    return dict(sorted(odds.items()))
