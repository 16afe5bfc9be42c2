"""Challenges to a duel. Rule book: "Duels"."""

from rulebook.systems.en_garde.table.combatant import Combatant
from rulebook.values.problems import Violation


def challenge_violations(
    challenger: Combatant, challenged: Combatant, inches: float, *, engaged: bool = False
) -> tuple[Violation, ...]:
    """Everything that forbids a challenge. Rule book: "Duels"."""
    hurt = challenged.wounds.stunned > 0 or challenged.wounds.worst != ""
    checks = (
        (challenger.rank < 3, "too-low-to-challenge", "A challenge is for Rank 3 and above."),
        (challenged.rank < challenger.rank, "beneath-challenge", "The challenged must be of equal or higher Rank."),
        (inches > 6, "out-of-earshot", 'The challenged must be within 6".'),
        (engaged, "engaged", "Neither may be Engaged."),
        (hurt, "hurt", "Who is wounded or Stunned cannot be challenged."),
    )
    return tuple(Violation(code, sentence, 'Rule book: "Duels"') for wrong, code, sentence in checks if wrong)
