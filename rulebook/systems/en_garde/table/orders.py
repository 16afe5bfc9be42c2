"""What one fighter may say to others: orders of a Commander, challenges to a duel.

Rule book: "Issue an order", "Shoot order", "Duels".
"""

from enum import StrEnum

from rulebook.systems.en_garde.table.combatant import Combatant
from rulebook.values.problems import Violation, violated

UNTOLD = "inches-untold"
"""The code of a distance that nobody has said and that a rule asks for."""
GROUP_INCHES = 3


def challenge_violations(
    challenger: Combatant, challenged: Combatant, inches: float | None, *, engaged: bool = False
) -> tuple[Violation, ...]:
    """Everything that forbids a challenge; ``inches`` is None where nobody has said them. Rule book: "Duels"."""
    hurt = challenged.wounds.stunned > 0 or challenged.wounds.worst != ""
    return violated(
        'Rule book: "Duels"',
        (challenger.rank < 3, "too-low-to-challenge", "A challenge is for Rank 3 and above."),
        (challenged.rank < challenger.rank, "beneath-challenge", "The challenged must be of equal or higher Rank."),
        (inches is None, UNTOLD, 'The challenged must be within 6": say how many inches it is.'),
        ((inches or 0) > 6, "out-of-earshot", 'The challenged must be within 6".'),
        (engaged, "engaged", "Neither may be Engaged."),
        (hurt, "hurt", "Who is wounded or Stunned cannot be challenged."),
    )


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
    name, rank = commander.name, commander.rank
    far = ((inches > 3, "out-of-earshot", f'{each.name} is more than 3" away.') for each, inches in ordered)
    above = ((each.rank > rank, "outranks-commander", f"{each.name} outranks {name}.") for each, _ in ordered)
    return violated(
        'Rule book: "Issue an order"',
        (not commander.has("commander"), "not-a-commander", f"{name} is no Commander."),
        (len(ordered) > rank, "too-many-ordered", f"{name} may order {rank} at most."),
        *(check for checks in zip(far, above, strict=True) for check in checks),
    )
