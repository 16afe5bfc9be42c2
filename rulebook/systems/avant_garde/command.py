"""Command: pips, what orders cost and how far they reach, initiative, and what commanders risk.

Slides 2 to 5, 19, 33, 35. Rulings N-C1 to N-C9, N-T1, N-T3, N-A2.
"""

from fractions import Fraction
from itertools import product
from math import ceil

from rulebook.systems.avant_garde.book import Nation, Order, Rating, book, figures
from rulebook.systems.avant_garde.odds import Odds, modifiers, settled, total
from rulebook.values.answers import ReasonLine

CREW = 'Slide 19: "Artillery Reloading"'
WRITTEN = {"attack": "Attack", "hold": "Hold", "fall-back": "Fall back"}
"""Orders that a courier brings."""


def pips(die: int, rating: Rating) -> int:
    """The pips of a commander for this turn: the die and what his rating adds, not below 0. Ruling N-C6.

    Raises RulesError "not-in-source" where his rating has lost its pips. Ruling N-C1.
    """
    return max(0, die + settled(rating.pips, f"What {rating.name} adds to pips", "pips"))


def radius(rating: Rating | None = None) -> int:
    """How far a commander's orders reach, in inches; 8 where none is recorded. Ruling N-C9."""
    return (rating.radius if rating else None) or figures("command")["radius"]


def distances(inches: float, reach: int) -> int:
    """How many times a commander's radius a unit is away, parts counting whole; at least 1."""
    return max(1, ceil(inches / reach))


def crew_quarters(crew: int, lost: int) -> int:
    """How many full quarters of its crew a battery has lost. Ruling N-A2."""
    return 4 * lost // crew if crew else 0


def order_lines(
    order: Order, inches: float = 0, reach: int = 8, crew: int = 0, lost: int = 0
) -> tuple[ReasonLine, ...]:
    """What an order costs in pips, line by line, to a unit so far away, or to a battery that has lost crew."""
    radii, quarters = distances(inches, reach) - 1, crew_quarters(crew, lost) * order.crew
    return modifiers("order", order, radii=radii, quarters=quarters, name=order.name, reach=reach)


def order_pips(order: str, inches: float = 0, reach: int = 8) -> int:
    """The pips that an order of a commander costs by its key."""
    return total(order_lines(book().order[order], inches, reach))


def gun_order_pips(order: str, crew: int, lost: int) -> int:
    """The pips that an order of a battery costs by its key. Rulings N-C4, N-A2."""
    return total(order_lines(book().gun_order[order], crew=crew, lost=lost))


def courier_turns(inches: float) -> int:
    """In how many turns a courier comes so far; none where the commanders stand together. Slide 33."""
    return ceil(inches / int(figures("command")["courier"]))


def may_reroll(inches: float, reach: int) -> bool:
    """May a pip buy another throw of a failed test? Only inside the radius. Ruling N-C7."""
    return inches <= reach


def initiative_lines(
    nation: Nation | None = None, *, spent: int = 0, lost_last: bool = False, napoleon: bool = False
) -> tuple[ReasonLine, ...]:
    """What a side adds to its die for initiative: its predominant nation, pips spent before the throw. Ruling N-T3."""
    adds, name = (nation.initiative, nation.name) if nation else (0, "")
    return modifiers("initiative", spent=spent, lost_last=lost_last, nation=adds, name=name, napoleon=napoleon)


def initiative_odds(first: int, second: int) -> Odds:
    """The chance of each of two sides to be side A, from what they add to their dice; ties are thrown again (N-T1)."""
    leads = [one + first - other - second for one, other in product(range(1, 7), repeat=2)]
    won, lost = (sum(lead * side > 0 for lead in leads) for side in (1, -1))
    return {"first": Fraction(won, won + lost), "second": Fraction(lost, won + lost)}


def unhorsed(dice: tuple[int, ...]) -> bool:
    """Do these dice of a test unhorse the commander who lent it his influence? The test itself stands. Ruling N-C8."""
    return len(dice) == 2 and len(set(dice)) == 1 and dice[0] >= figures("command")["unhorsed_from"]
