"""What one fighter may say to others: orders of a Commander, challenges to a duel.

Rule book: "Issue an order", "Shoot order", "Duels".
"""

from enum import StrEnum

from rulebook.systems.en_garde.table.combatant import Combatant
from rulebook.values.problems import Violation

UNTOLD = "inches-untold"
"""The code of a distance that nobody has said and that a rule asks for."""
GROUP_INCHES = 3


def challenge_violations(
    challenger: Combatant, challenged: Combatant, inches: float | None, *, engaged: bool = False
) -> tuple[Violation, ...]:
    """Everything that forbids a challenge; ``inches`` is None where nobody has said them. Rule book: "Duels"."""
    hurt = challenged.wounds.stunned > 0 or challenged.wounds.worst != ""
    checks = (
        (challenger.rank < 3, "too-low-to-challenge", "A challenge is for Rank 3 and above."),
        (challenged.rank < challenger.rank, "beneath-challenge", "The challenged must be of equal or higher Rank."),
        (inches is None, UNTOLD, 'The challenged must be within 6": say how many inches it is.'),
        ((inches or 0) > 6, "out-of-earshot", 'The challenged must be within 6".'),
        (engaged, "engaged", "Neither may be Engaged."),
        (hurt, "hurt", "Who is wounded or Stunned cannot be challenged."),
    )
    return tuple(Violation(code, sentence, 'Rule book: "Duels"') for wrong, code, sentence in checks if wrong)


def order_target_violations(target: str, allowed: tuple[str, ...]) -> tuple[Violation, ...]:
    """What forbids a shot on the order at somebody else."""
    if not allowed or target in allowed:
        return ()
    sentence = 'On this order only the nominated enemy is shot at, and those within 3" of it.'
    return (Violation("not-nominated", sentence, 'Rule book: "Shoot order"'),)


class Order(StrEnum):
    """What a Commander may have his fighters do."""

    MOVE = "move"
    SHOOT = "shoot"
    RELOAD = "reload"


def order_violations(
    commander: Combatant, ordered: tuple[tuple[Combatant, float], ...], *, engaged: bool = False
) -> tuple[Violation, ...]:
    """Everything that forbids an order; ``ordered`` are the fighters with their distances in inches.

    As many as his Rank, of his Rank or below, within 3". Rule book: "Issue an Order".
    """
    rule = 'Rule book: "Issue an order"'
    found: list[Violation] = []
    if not commander.has("commander"):
        found.append(Violation("not-a-commander", f"{commander.name} is no Commander.", rule))
    if len(ordered) > commander.rank:
        found.append(Violation("too-many-ordered", f"{commander.name} may order {commander.rank} at most.", rule))
    for fighter, inches in ordered:
        if inches > 3:
            found.append(Violation("out-of-earshot", f'{fighter.name} is more than 3" away.', rule))
        if fighter.rank > commander.rank:
            found.append(Violation("outranks-commander", f"{fighter.name} outranks {commander.name}.", rule))
    return tuple(found)
