"""Victory points, victory locations, and how long a battle lasts.

Slides 16, 37, 41. Rulings N-W1 to N-W8.
"""

from collections.abc import Mapping
from fractions import Fraction

from msgspec import Struct

from rulebook.dice.pools import chance_of
from rulebook.systems.avant_garde.book import HouseRules, figures
from rulebook.systems.avant_garde.fighters import USUAL
from rulebook.systems.avant_garde.morale import strength_state
from rulebook.systems.avant_garde.odds import modifiers
from rulebook.values.answers import ReasonLine

VICTORY = 'Slide 37: "Victory Conditions"'


class Tally(Struct, frozen=True):
    """The achievements of a side: enemy losses, locations held, colours taken."""

    broken_brigades: int = 0
    shaken: int = 0
    shattered: int = 0
    locations: int = 0
    colours: int = 0


def scored_as(
    starting: int, present: int, *, off_table: bool = False, rules: HouseRules = USUAL
) -> str:
    """Return what a unit scores as for the enemy: "shaken", "shattered" or "". Rulings N-W2, N-W6.

    Only the worst state counts. A unit that has left the table scores by its casualties, as
    shattered by house rule.
    """
    if off_table and rules.off_table_scores:
        return "shattered"
    return strength_state(starting, present)


def victory_lines(tally: Tally, rules: HouseRules = USUAL) -> tuple[ReasonLine, ...]:
    """Return the victory points of a side, line by line: a broken brigade and its units both count.

    Rulings N-W1, N-W3.
    """
    return modifiers("victory", tally, colours=rules.colours_value * tally.colours)


def winner(points: Mapping[str, int]) -> str:
    """Return the side with more points, "" for a draw. Ruling N-W5."""
    best = max(points.values())
    leading = [side for side, each in points.items() if each == best]
    return leading[0] if len(leading) == 1 else ""


def next_turn_on(turn: int) -> int:
    """Return the die that gives a turn a successor: 1 before the seventh, 7 after the ninth, the
    last. Ruling N-W8."""
    rules = figures("length")
    after = turn - rules["turns"]
    if after < 0:
        return 1
    return {0: rules["eighth_on"], 1: rules["ninth_on"]}.get(after, 7)


def length_odds() -> Mapping[int, Fraction]:
    """Return the chance that each turn is the last."""
    odds, plays = {}, Fraction(1)
    for turn in range(figures("length")["turns"], figures("length")["turns"] + 3):
        going = plays * chance_of(next_turn_on(turn))
        odds[turn], plays = plays - going, going
    return odds
