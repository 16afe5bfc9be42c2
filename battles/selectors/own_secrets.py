"""What Muster has thrown for one side of a battle alone: shown to who plays that side, and to nobody else."""

from django.contrib.auth.models import AnonymousUser, User
from msgspec import Struct

from battles.models import Battle, Side
from battles.rulebook_values import dice_of, read_setup, ruleset_of_battle, sides_of
from rulebook.ruleset import PrivateRoll


class OwnSecrets(Struct, frozen=True):
    """What somebody has learnt of a battle before the others do."""

    secrets: tuple[PrivateRoll, ...]


def own_secrets(battle: Battle, user: User | AnonymousUser) -> OwnSecrets:
    """What the user has drawn for the sides that he plays."""
    if not user.is_authenticated:
        return OwnSecrets(())
    played = Side.objects.played_by(user).filter(battle=battle, key__in=battle.set_up.get(DRAWN, []))
    secrets = (secret_of(battle, key) for key in played.order_by("key").values_list("key", flat=True))
    return OwnSecrets(tuple(secret for secret in secrets if secret is not None))


DRAWN = "secrets_drawn"
"""The key of a set-up under which the sides stand that have learnt theirs."""


def secret_of(battle: Battle, side: str) -> PrivateRoll | None:
    """What Muster throws for this side; None where nothing is secret, or nothing of it is Muster's."""
    return ruleset_of_battle(battle).secrets.own_secret(read_setup(battle, sides_of(battle)), side, dice_of(battle))
