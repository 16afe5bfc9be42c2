"""Command: pips, what orders cost and how far they reach, initiative, what commanders risk;
reserves and flank marches.

Slides 2 to 5, 19, 33, 35 to 37, 41. Rulings N-C1 to N-C9, N-T1, N-T3, N-A2, N-R1 to N-R4, N-V4.
"""

from collections.abc import Mapping
from fractions import Fraction
from itertools import product
from math import ceil

from rulebook.dice.pools import chance_of, gathered
from rulebook.dice.rolls import distribution
from rulebook.systems.avant_garde.book import Nation, Order, Rating, book, figures, words
from rulebook.systems.avant_garde.odds import Odds, modifiers, settled, total
from rulebook.values.answers import ReasonLine

WRITTEN = words("written-orders")
"""Orders that a courier brings."""
ARRIVAL_PLACES = words("arrival-places")
DEVIATION = {1: "left", 2: "left", 5: "right", 6: "right"}
"""Which way flankers go astray by their die; by others they do not."""


def pips(die: int, rating: Rating) -> int:
    """Return the pips of a commander for this turn: the die and what his rating adds, not below 0.
    Ruling N-C6.

    Raise RulesError "not-in-source" where his rating has lost its pips. Ruling N-C1.
    """
    return max(0, die + settled(rating.pips, f"What {rating.name} adds to pips", "pips"))


def radius(rating: Rating | None = None) -> int:
    """Return how far a commander's orders reach, in inches; 8 where none is recorded. Ruling
    N-C9."""
    return (rating.radius if rating else None) or figures("command")["radius"]


def order_lines(
    order: Order, inches: float = 0, reach: int = 8, crew: int = 0, lost: int = 0
) -> tuple[ReasonLine, ...]:
    """Return what an order costs in pips, line by line, to a unit so far away, or to a battery that
    has lost crew.

    Parts of a further radius count whole, of the crew full quarters alone. Ruling N-A2.
    """
    radii = max(0, ceil(inches / reach) - 1)
    quarters = 4 * lost // crew if order.crew and crew else 0
    return modifiers("order", order, radii=radii, quarters=quarters, name=order.name, reach=reach)


def order_pips(order: str, inches: float = 0, reach: int = 8) -> int:
    """Return the pips that an order of a commander costs by its key."""
    return total(order_lines(book().order[order], inches, reach))


def gun_order_pips(order: str, crew: int, lost: int) -> int:
    """Return the pips that an order of a battery costs by its key. Rulings N-C4, N-A2."""
    return total(order_lines(book().gun_order[order], crew=crew, lost=lost))


def courier_turns(inches: float) -> int:
    """In how many turns a courier comes so far; none where the commanders stand together. Slide
    33."""
    return ceil(inches / figures("command")["courier"])


def initiative_lines(
    nation: Nation | None = None, *, spent: int = 0, lost_last: bool = False, napoleon: bool = False
) -> tuple[ReasonLine, ...]:
    """Return what a side adds to its die for initiative: its predominant nation, pips spent before
    the throw.

    Ruling N-T3.
    """
    adds, name = (nation.initiative, nation.name) if nation else (0, "")
    return modifiers(
        "initiative", spent=spent, lost_last=lost_last, nation=adds, name=name, napoleon=napoleon
    )


def initiative_odds(first: int, second: int) -> Odds:
    """Return the chance of each of two sides to be side A, from what they add to their dice.

    Ties are thrown again (N-T1).
    """
    leads = [die + first - other_die - second for die, other_die in product(range(1, 7), repeat=2)]
    won, lost = (sum(lead * side > 0 for lead in leads) for side in (1, -1))
    return {"first": Fraction(won, won + lost), "second": Fraction(lost, won + lost)}


def unhorsed(dice: tuple[int, ...]) -> bool:
    """Return whether a test's dice unhorse the commander who lent his influence. The test counts.
    Ruling N-C8."""
    return len(dice) == 2 and len(set(dice)) == 1 and dice[0] >= figures("command")["unhorsed_from"]


def arrival_lines(place: str, nation: Nation | None = None) -> tuple[ReasonLine, ...]:
    """Return the die that brings a group: by place, and its nation on a flank alone. Ruling
    N-R4."""
    bonus = nation.flank if nation and place != "reserve" else 0
    return modifiers(
        "arrival",
        need=figures("arrives_on")[place],
        place=ARRIVAL_PLACES[place].lower(),
        nation=bonus,
    )


def arrival_odds(need: int, due: int, last: int) -> Mapping[int, Fraction]:
    """The chance to arrive on each turn up to the last, with a die on the turn when a group is due
    and one more on each after it, of which any brings it; what is missing to 1 never comes. Rulings
    N-R1, N-R3.
    """
    waits, odds = Fraction(1), {}
    for turn in range(due, last + 1):
        stays = waits * (1 - chance_of(need)) ** (turn - due + 1)
        odds[turn], waits = waits - stays, stays
    return odds


def deviation_odds() -> Mapping[int, Fraction]:
    """Return the chance of each number of inches astray, those to the left negative."""
    inches = distribution(f"{figures('arrivals')['deviation_dice']}D6")
    signs = {"left": -1, "right": 1}
    ways = (signs.get(DEVIATION.get(die, ""), 0) for die in range(1, 7))
    # Each way is one face of a die of six.
    parts: list[tuple[int, Fraction]] = []
    for sign in ways:
        parts += [(sign * far, chance / 6) for far, chance in inches.items()]
    return gathered(parts)


def nearest(place: str) -> int:
    """Return how near to the enemy a group may be placed, in inches. Ruling N-V4."""
    return figures("arrivals")["from_enemy_reserve" if place == "reserve" else "from_enemy_flank"]


def most_away(fighters: int) -> int:
    """Return the number of units that may wait in reserve; as many may march round a flank. Ruling
    N-R2."""
    return fighters // figures("arrivals")["share"]
