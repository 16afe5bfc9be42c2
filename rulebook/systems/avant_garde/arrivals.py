"""Reserves and flank marches: what brings them, where they come to stand, and who is delayed.

Slides 36, 37, 41. Rulings N-R1 to N-R4, N-V4.
"""

from collections.abc import Mapping
from fractions import Fraction

from rulebook.dice.pools import chance_of
from rulebook.dice.rolls import distribution
from rulebook.systems.avant_garde.book import Nation, figures, words
from rulebook.systems.avant_garde.odds import modifiers, total
from rulebook.values.answers import ReasonLine

RESERVES = 'Slide 36: "Reserves & Flankers"'
PLACES = words("arrival-places")
LEFT, RIGHT = (1, 2), (5, 6)
"""The dice that lead flankers astray."""


def arrival_lines(place: str, nation: Nation | None = None) -> tuple[ReasonLine, ...]:
    """The die that brings a group: by place, and its nation on a flank alone. Ruling N-R4."""
    bonus = nation.flank if nation and place != "reserve" else 0
    return modifiers("arrival", need=figures("arrives_on")[place], place=PLACES[place].lower(), nation=bonus)


def arrival_need(place: str, nation: Nation | None = None) -> int:
    """What one of its dice has to show."""
    return total(arrival_lines(place, nation))


def arrival_dice(due: int, turn: int) -> int:
    """How many dice a group throws: one on the turn it is due, one more each turn. Rulings N-R1, N-R3."""
    return max(0, turn - due + 1)


def arrives(dice: tuple[int, ...], need: int) -> bool:
    """Does a group arrive? Any of its dice brings it. Ruling N-R1."""
    return any(die >= need for die in dice)


def arrival_odds(need: int, due: int, last: int) -> Mapping[int, Fraction]:
    """The chance to arrive on each turn up to the last; what is missing to 1 never comes."""
    waits, found, fails = Fraction(1), {}, 1 - chance_of(need)
    for turn in range(due, last + 1):
        stays = waits * fails ** arrival_dice(due, turn)
        found[turn], waits = waits - stays, stays
    return found


def deviation(die: int) -> str:
    """Which way flankers go astray: "left", "right", or "" for nowhere."""
    return "left" if die in LEFT else "right" if die in RIGHT else ""


def deviation_odds() -> Mapping[int, Fraction]:
    """The chance of each number of inches astray, those to the left negative."""
    astray = distribution(f"{figures('arrivals')['deviation_dice']}D6")
    found = {inches: chance / 3 for inches, chance in astray.items()}
    return dict(sorted({**found, **{-inches: chance for inches, chance in found.items()}, 0: Fraction(1, 3)}.items()))


def nearest(place: str) -> int:
    """How near to the enemy a group may be placed, in inches. Ruling N-V4."""
    return figures("arrivals")["from_enemy_reserve" if place == "reserve" else "from_enemy_flank"]


def most_away(fighters: int) -> int:
    """How many of so many units may wait in reserve, and as many march round a flank: ruling N-R2."""
    return fighters // figures("arrivals")["share"]
