"""Villages, buildings and fire: who shoots out, what cover is left, when walls fall.

Slides 30, 31. The figures of the table of fire and damage are not in the source: whoever needs one is asked for it.
"""

from math import ceil

from rulebook.systems.avant_garde.book import Structure, figures
from rulebook.systems.avant_garde.morale import Nerve
from rulebook.systems.avant_garde.odds import settled
from rulebook.systems.avant_garde.shooting import Cover
from rulebook.values.answers import ReasonLine

DAMAGE = 'Slide 31: "Damage"'
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


def burning_nerve(nerve: Nerve) -> Nerve:
    """The test of troops who stay in a burning sector."""
    return nerve.with_lines(ReasonLine(figures("morale")["burning"], "the sector burns", DAMAGE))
