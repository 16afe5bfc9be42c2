"""Secret minor objectives by Muster's dice: each player learns his own, and nobody else does before
the end."""

import json
from typing import Any
from uuid import uuid4

import msgspec
import pytest
from django.contrib.auth.models import User
from rest_framework.test import APIClient

from battles.models import Battle
from battles.selectors.dice import dice_record, own_secrets
from battles.services.logbook import NewEvent, log_events
from battles.services.secret_choices import roll_private_dice
from core.errors import Forbidden, InvalidInput, StateConflict
from rulebook.dice.committed import die
from scripts.verify_dice import faults
from tests.battles.test_fighting_en_garde import Season
from warbands.models import Warband

pytestmark = pytest.mark.one_database


@pytest.fixture
def season(alice: User) -> Season:
    return Season(alice, minor_objectives="secret")


@pytest.fixture
def battle(season: Season, bob: User) -> Battle:
    """Return a Skirmish in progress: side a is Alice's, side b is Bob's."""
    battle = season.start("skirmish")
    Warband.objects.filter(pk=season.warbands[1].pk).update(owner=bob)
    return battle


def told(battle: Battle, user: User, kind: str, **data: Any) -> Any:
    return log_events(battle_id=battle.pk, events=[NewEvent(uuid4(), kind, data)], user=user)[0]


def test_each_player_learns_his_own_and_only_his_own(battle: Battle, alice: User, bob: User):
    mine = roll_private_dice(battle_id=battle.pk, user=alice, side="a")
    assert mine.die == die(battle.dice_seed, f"{battle.pk} objective a", 1)
    battle.refresh_from_db()
    assert [secret.side for secret in own_secrets(battle, alice).secrets] == ["a"]
    assert own_secrets(battle, bob).secrets == ()
    roll_private_dice(battle_id=battle.pk, user=bob, side="b")
    battle.refresh_from_db()
    assert [secret.side for secret in own_secrets(battle, bob).secrets] == ["b"]


def test_asked_again_it_is_the_same_and_costs_no_die_of_the_battle(battle: Battle, alice: User):
    first = roll_private_dice(battle_id=battle.pk, user=alice, side="a")
    assert roll_private_dice(battle_id=battle.pk, user=alice, side="a") == first
    battle.refresh_from_db()
    assert (battle.dice_used, battle.set_up["secrets_drawn"]) == (0, ["a"])


def test_nobody_draws_for_a_side_that_he_does_not_play(battle: Battle, alice: User, charlie: User):
    for user, side in ((alice, "b"), (charlie, "a"), (alice, "z")):
        with pytest.raises(Forbidden):
            roll_private_dice(battle_id=battle.pk, user=user, side=side)


def test_the_end_reveals_it_and_no_other_die_will_do(battle: Battle, alice: User, bob: User):
    secret = roll_private_dice(battle_id=battle.pk, user=alice, side="a")
    with pytest.raises(InvalidInput, match="secret"):
        told(battle, alice, "minor_objective", side="a")
    told(battle, alice, "ended", how="agreed")
    with pytest.raises(InvalidInput) as refused:
        told(battle, alice, "minor_objective", side="a", rolled=secret.die % 6 + 1)
    assert [problem.code for problem in refused.value.problems] == ["typed-dice"]
    row = told(battle, bob, "minor_objective", side="a")
    assert (row.data["rolled"], row.data["thrown"], row.dice) == (secret.die, "app", [])


def test_where_nothing_is_secret_nothing_is_drawn(alice: User):
    battle = Season(alice).start("skirmish")
    with pytest.raises(InvalidInput) as refused:
        roll_private_dice(battle_id=battle.pk, user=alice, side="a")
    assert refused.value.code == "no-secret"


def test_a_battle_that_is_over_has_no_secrets_to_draw(battle: Battle, alice: User):
    Battle.objects.filter(pk=battle.pk).update(state="confirmed")
    with pytest.raises(StateConflict):
        roll_private_dice(battle_id=battle.pk, user=alice, side="a")


def test_anybody_can_check_the_secret_dice_afterwards(battle: Battle):
    assert dice_record(battle).asides == ()
    battle.state = "confirmed"
    record = json.loads(msgspec.json.encode(dice_record(battle)))
    assert [each["side"] for each in record["asides"]] == ["a", "b"]
    assert faults(record) == []
    record["asides"][0]["die"] = record["asides"][0]["die"] % 6 + 1
    assert [fault[:20] for fault in faults(record)] == ["Secret die of side a"]


def test_the_api_draws_and_shows_ones_own(battle: Battle, alice: User, bob: User, charlie: User):
    root = f"/api/v1/battles/{battle.pk}/secrets/"
    clients = {}
    for user in (alice, bob, charlie):
        clients[user.username] = APIClient()
        clients[user.username].force_authenticate(user)
    drawn = clients["alice"].post(root, {"side": "a"}, format="json")
    assert (drawn.status_code, [each["side"] for each in drawn.json()["secrets"]]) == (200, ["a"])
    assert clients["alice"].get(root).json() == drawn.json()
    assert clients["bob"].get(root).json() == {"secrets": []}
    assert clients["bob"].post(root, {"side": "a"}, format="json").status_code == 403
    assert clients["charlie"].get(root).status_code == 404
    assert clients["alice"].post(root, {}, format="json").status_code == 400
