"""Shooting: of units, guns and hand gunners, with saves, disorder and arrows running low, and the exact chances.

Sheet: "Shooting", "Saves", "Artillery", "Hand gunners". Rulings W-H1 to W-H3, W-A3, W-A4.
"""

from collections.abc import Mapping
from fractions import Fraction

from msgspec import Struct

from rulebook.systems.wards.book import book, figures
from rulebook.systems.wards.pools import Chances, chance_of, pool, thinned

SHOOTING = 'Sheet: "Shooting"'
SAVES = 'Sheet: "Saves"'
ARTILLERY = 'Sheet: "Artillery"'
MODES = {"normal": "As usual", "intense": "Intense, at those who touch front or rear"}


class Volley(Struct, frozen=True):
    """What units shoot: bases abreast of each, in which mode, and whether failed dice are thrown again.

    ``low`` are the frontages of those whose arrows run low: they hit on 6 alone, and never shoot intensely (W-H2).
    """

    frontages: tuple[float, ...]
    low: tuple[float, ...] = ()
    mode: str = "normal"
    again: bool = False


def unit_dice(frontage: float) -> int:
    """The dice of one unit: two from three bases abreast on, else one."""
    known = figures("shooting")
    dice: int = known["dice"]["wide" if frontage >= known["wide"] else "narrow"]
    return dice


def needs(mode: str, *, low: bool = False) -> int:
    """The lowest die that hits."""
    hits_on: Mapping[str, int] = figures("shooting")["hits_on"]
    return hits_on["low" if low else mode]


def volley_odds(volley: Volley) -> Chances:
    """The chance of each number of hits, all units together."""
    steady = pool(sum(map(unit_dice, volley.frontages)), chance_of(needs(volley.mode), again=volley.again))
    short = pool(sum(map(unit_dice, volley.low)), chance_of(needs(volley.mode, low=True), again=volley.again))
    found: dict[int, Fraction] = {}
    for hits, chance in steady.items():
        for more, other in short.items():
            found[hits + more] = found.get(hits + more, Fraction(0)) + chance * other
    return dict(sorted(found.items()))


def casualty_odds(hits: Chances, save: int) -> Chances:
    """The chance of each number of casualties when each hit may be saved on ``save`` or more."""
    return thinned(hits, 1 - chance_of(save))


def disorder_chance(casualties: Chances) -> Fraction:
    """The chance that a unit with these casualties falls out of order: one die for each of them. Ruling W-H3."""
    each = chance_of(figures("shooting")["disorder_on"])
    return sum((chance * (1 - (1 - each) ** number) for number, chance in casualties.items()), Fraction(0))


def gun_dice(arm: str) -> int:
    """The dice of a gun's shot; each 6 is a casualty without a save, and failed dice are thrown again."""
    return book().arm[arm].dice


def gun_odds(arm: str) -> Chances:
    """The chance of each number of casualties of one shot."""
    return pool(gun_dice(arm), chance_of(figures("artillery")["hits_on"], again=True))


def faces_turned(dice: tuple[int, ...]) -> int:
    """By how many faces a gun is turned towards being loaded. Ruling W-A3."""
    turns_on: int = figures("turn")["loading"]["turns_on"]
    return sum(die >= turns_on for die in dice)


def loading_odds(*, light: bool) -> Chances:
    """The chance of each number of faces in one turn; a light gun throws failed dice again."""
    known = figures("turn")["loading"]
    return pool(known["dice"], chance_of(known["turns_on"], again=light))


def hand_gunner_odds(bases: int) -> Chances:
    """The chance of each number of half bases that hand gunners kill: one die for each of their bases."""
    return pool(bases, chance_of(figures("hand_gunners")["kills_on"]))
