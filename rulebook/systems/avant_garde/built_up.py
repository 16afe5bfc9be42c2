"""Villages, buildings and fire: who shoots out, what cover is left, when walls collapse, leaving.

Slides 30, 31. The figures of the table of fire and damage are not in the source: whoever needs one is asked for it.
"""

from fractions import Fraction
from math import ceil

from rulebook.dice.rolls import distribution
from rulebook.systems.avant_garde.book import Structure, figures
from rulebook.systems.avant_garde.morale import Nerve, target
from rulebook.systems.avant_garde.odds import Odds, at_most, die_chance, pass_chance, settled
from rulebook.systems.avant_garde.shooting import Cover
from rulebook.values.answers import ReasonLine

DAMAGE = 'Slide 31: "Damage"'
LEAVING = 'Slide 31: "Leaving a town sector"'
LEFT_COVER: dict[Cover, Cover] = {"hard": "soft", "soft": "none", "none": "none"}
"""The cover of a ruin."""


def facing_shooters(facing: int) -> int:
    """How many of the figures at an edge shoot out of it: half, rounded up. Slide 30."""
    return ceil(facing / 2)


def ruined_cover(cover: Cover) -> Cover:
    """The cover that is left when a building has collapsed: one less. Slide 31."""
    return LEFT_COVER[cover]


def hit_points_left(points: int, dice: tuple[int, ...]) -> int:
    """What is left of a building after these dice, one for each ball that hit and each end of a turn on fire."""
    return max(0, points - sum(dice))


def hit_points(structure: Structure) -> int:
    """The hit points that a building starts with. Raises RulesError "not-in-source" where they are lost."""
    return settled(structure.hit_points, f"The hit points of {structure.name.lower()}", "hit_points")


def collapse_chance(points: int, dice: int) -> Fraction:
    """The chance that so many dice of damage bring a building with these hit points down."""
    if dice < 1:
        return Fraction(points <= 0)
    return 1 - at_most(distribution(f"{dice}D6"), points - 1)


def fire_chance(on: int | None) -> Fraction:
    """The chance that a fire starts, spreads or is put out from this die on. Raises RulesError "not-in-source"."""
    return die_chance(settled(on, "The die of the fire table", "on"))


def burning_nerve(nerve: Nerve) -> Nerve:
    """The test of troops who stay in a burning sector."""
    return nerve.with_lines(ReasonLine(figures("morale")["burning"], "the sector burns", DAMAGE))


def collapse_odds(nerve: Nerve) -> Odds:
    """What becomes of a unit whose building collapses: "stands" or "flees"."""
    stands = pass_chance(target(nerve))
    return {"stands": stands, "flees": 1 - stands}


def leaving_odds(nerve: Nerve) -> Odds:
    """The state of a unit that has moved out of a town sector: it forms up or is disordered. Slide 31."""
    formed = pass_chance(target(nerve))
    return {"good": formed, "disordered": 1 - formed}
