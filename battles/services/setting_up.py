"""Set up a battle: roll the terrain and weather on the server, or store what players rolled."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext
from msgspec.structs import replace

from audit.verbs import Verb
from battles.models import Battle
from battles.rulebook_values import dice_of, read_setup, ruleset_of_battle, sides_of
from battles.services.locking import (
    BEFORE_SUBMISSION,
    expect_logger,
    expect_shared_version,
    expect_state,
    lock_battle,
    record_battle,
    save_battle,
)
from core.cleaning import clean_json
from core.errors import StateConflict


@transaction.atomic
def set_up_battle(
    *,
    battle_id: UUID,
    user: User,
    typed: Mapping[str, Any] | None = None,
    version: int | None = None,
) -> Battle:
    """Roll everything that is not typed in, and store it for good.

    ``typed`` is what the players have rolled or agreed themselves. Raises StateConflict
    "set-up-already" once the set-up is rolled, "log-begun" once events are logged, "stale-version",
    "wrong-state"; RulesError if the rule system refuses a value; Forbidden.
    """
    battle = lock_battle(battle_id)
    expect_logger(battle, user)
    expect_shared_version(battle, version)
    expect_state(battle, *BEFORE_SUBMISSION)
    if battle.set_up.get("throws"):
        raise StateConflict(
            "set-up-already", gettext("The setup has already been rolled."), field="set_up"
        )
    if battle.last_sequence:
        raise StateConflict(
            "log-begun",
            gettext("The battle has begun. You can no longer set up the table."),
            field="set_up",
        )
    dice = dice_of(battle)
    given = {**battle.set_up, **clean_json("typed", typed or {})}
    setup = replace(read_setup(battle, sides_of(battle)), set_up=given)
    rolled = ruleset_of_battle(battle).set_up.roll(setup, dice)
    throws = {"first": battle.dice_used + 1, "dice": [list(each) for each in dice.thrown]}
    battle.set_up = {**rolled, "typed": sorted(given), "throws": throws}
    battle.dice_used = dice.used
    save_battle(battle, "set_up", "dice_used")
    record_battle(Verb.BATTLE_SET_UP, battle, user)
    return battle
