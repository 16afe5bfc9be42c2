"""How far somebody moves in a turn. Sheet: "Movement", "Close order", "Terrain". Rulings A-V1 to A-V9."""

from collections.abc import Mapping
from fractions import Fraction
from itertools import product

from msgspec import Struct

from rulebook.dice.rolls import distribution
from rulebook.systems.argad.book import book
from rulebook.systems.argad.dice import Dice
from rulebook.systems.argad.fighters import Fighter
from rulebook.values.answers import ReasonLine

MOVEMENT = 'Sheet: "Movement"'


class Move(Struct, frozen=True):
    """A move to be made: through which ground (the roughest part of it, A-V3), in which formation if in close order."""

    fighter: Fighter
    terrain: str = "open"
    formation: str = ""


class Reach(Struct, frozen=True):
    """How far a move may go, in centimetres, with the sum that says why; a blocked one goes nowhere."""

    cm: int
    blocked: bool
    lines: tuple[ReasonLine, ...]


def ground(fighter: Fighter, terrain: str) -> str:
    """How hard this ground is for him: "open", "difficult" or "very-difficult"."""
    return book().terrain[terrain][not fighter.on_foot]


def slowing_dice(fighter: Fighter, terrain: str) -> int:
    """How many dice are thrown for the move: none in the open, one on foot, two mounted. Rulings A-V6, A-V8."""
    return 0 if ground(fighter, terrain) == "open" else book().mount[fighter.mount].dice


def base_cm(fighter: Fighter, formation: str = "") -> int:
    """Centimetres in the open. On foot a musket is as heavy as a breastplate; close order is never faster (A-V9)."""
    burdened = fighter.on_foot and fighter.firearm == "musket" and fighter.clothing == "light"
    own = book().mount[fighter.mount].move["encumbered" if burdened else fighter.clothing]
    return min(own, book().formation[formation]) if formation else own


def reach(move: Move, dice: Dice = ()) -> Reach:
    """How far the move may go with these slowing dice. Rulings A-V4 (one 6 on foot), A-V5 (halves are rounded down)."""
    cm, hard = base_cm(move.fighter, move.formation), ground(move.fighter, move.terrain)
    lines = [ReasonLine(cm, "in the open", MOVEMENT)]
    if hard == "very-difficult":
        lines.append(ReasonLine(cm // 2 - cm, "very difficult ground: half", "Ruling A-V5"))
    if hard == "open":
        return Reach(cm, False, tuple(lines))
    lines.append(ReasonLine(-sum(dice), "slowing dice", MOVEMENT))
    blocked = dice.count(6) >= book().mount[move.fighter.mount].blocked_by[hard]
    return Reach(0 if blocked else max(0, sum(line.amount for line in lines)), blocked, tuple(lines))


def reach_odds(move: Move) -> Mapping[int, Fraction]:
    """The chance of each distance in centimetres, in rising order; 0 is what blocks, or slows down to nothing."""
    found: dict[int, Fraction] = {}
    faces = distribution("D6")
    for dice in product(faces, repeat=slowing_dice(move.fighter, move.terrain)):
        cm = reach(move, dice).cm
        found[cm] = found.get(cm, Fraction(0)) + Fraction(1, len(faces) ** len(dice))
    return dict(sorted(found.items()))
