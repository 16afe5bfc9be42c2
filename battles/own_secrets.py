"""What Muster has thrown for one side of a battle alone. Whoever asks here has made sure that he plays it."""

from battles.models import Battle
from battles.reading import dice_of, rules_of, setup_of, sides_of
from rulebook.ruleset import OwnSecret

DRAWN = "secrets_drawn"
"""The key of a set-up under which the sides stand that have learnt theirs."""


def secret_of(battle: Battle, side: str) -> OwnSecret | None:
    """What Muster throws for this side; None where nothing is secret, or nothing of it is Muster's."""
    return rules_of(battle).secrets.own_secret(setup_of(battle, sides_of(battle)), side, dice_of(battle))
