"""Challenges to a duel. Rule book: "Duels"."""

from rulebook.systems.en_garde.table.combatant import Combatant
from rulebook.values.problems import Violation

UNTOLD = "inches-untold"
"""The code of a distance that nobody has said and that a rule asks for."""


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
