"""What Muster throws for one side alone: asked for by who plays it, and binding from then on."""

from uuid import UUID

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext

from battles.models import BattleState, Side
from battles.selectors.own_secrets import DRAWN, secret_of
from battles.services.locking import expect_logger, expect_state, lock_battle, save_battle
from core.errors import Forbidden, InvalidInput
from rulebook.ruleset import PrivateRoll


@transaction.atomic
def roll_private_dice(*, battle_id: UUID, user: User, side: str) -> PrivateRoll:
    """What Muster has thrown for this side, which brings no die of its own any more. Asked again, it is the same.

    Raises Forbidden "not-your-side" for who does not play the side; InvalidInput "no-secret" where nothing is secret,
    or nothing of it is Muster's; StateConflict "wrong-state" unless the battle is under way.
    """
    battle = lock_battle(battle_id)
    expect_logger(battle, user)
    if not Side.objects.played_by(user).filter(battle=battle, key=side).exists():
        raise Forbidden("not-your-side", gettext("Only who plays a side learns what Muster has thrown for it alone."))
    expect_state(battle, BattleState.UNDER_WAY)
    secret = secret_of(battle, side)
    if secret is None:
        raise InvalidInput("no-secret", gettext("Muster throws nothing in secret for this side."), field="side")
    drawn = battle.set_up.get(DRAWN, [])
    if side not in drawn:
        battle.set_up = {**battle.set_up, DRAWN: sorted({*drawn, side})}
        save_battle(battle, "set_up", shared=False)
    return secret
