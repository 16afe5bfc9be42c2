"""Words of one fighter to others: orders of a Commander, challenges to a duel.

Rule book: "Issue an order", "Shoot order", "Duels".
"""

from enum import StrEnum

from rulebook.systems.en_garde.book import broken, violation
from rulebook.systems.en_garde.table.combatant import Combatant
from rulebook.values.problems import Violation

UNTOLD = "inches-untold"
"""The code of a distance that nobody has said and that a rule asks for."""
GROUP_INCHES = 3


def challenge_violations(
    challenger: Combatant, challenged: Combatant, inches: float | None, *, engaged: bool = False
) -> tuple[Violation, ...]:
    """Return everything that forbids a challenge; ``inches`` is None where nobody has said them.

    Rule book: "Duels".
    """
    hurt = challenged.wounds.stunned > 0 or challenged.wounds.worst != ""
    return broken(
        (challenger.rank < 3, "too-low-to-challenge"),
        (challenged.rank < challenger.rank, "beneath-challenge"),
        (inches is None, "challenge-inches-untold"),
        ((inches or 0) > 6, "challenge-out-of-earshot"),
        (engaged, "duellists-engaged"),
        (hurt, "hurt"),
    )


def order_target_violations(target: str, allowed: tuple[str, ...]) -> tuple[Violation, ...]:
    """Return what forbids a shot on the order at somebody else."""
    if not allowed or target in allowed:
        return ()
    return (violation("not-nominated"),)


class Order(StrEnum):
    """The orders that a Commander may give."""

    MOVE = "move"
    SHOOT = "shoot"
    RELOAD = "reload"


def order_violations(
    commander: Combatant, ordered: tuple[tuple[Combatant, float], ...], *, engaged: bool = False
) -> tuple[Violation, ...]:
    """Return everything that forbids an order; ``ordered`` are the fighters with their distances in
    inches.

    As many as his Rank, of his Rank or below, within 3". Rule book: "Issue an Order".
    """
    name, rank = commander.name, commander.rank
    own = (
        (not commander.has("commander"), "not-a-commander"),
        (len(ordered) > rank, "too-many-ordered"),
    )
    violations = broken(*own, name=name, rank=rank)
    for each, inches in ordered:
        checks = (
            (inches > GROUP_INCHES, "ordered-too-far"),
            (each.rank > rank, "outranks-commander"),
        )
        violations += broken(*checks, name=each.name, commander=name, most=GROUP_INCHES)
    return violations
