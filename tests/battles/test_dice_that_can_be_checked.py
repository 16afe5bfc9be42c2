"""Battles of En Garde! logged turn by turn: Muster's dice, the state of play, and the script that
checks every die."""

import json
from collections.abc import Callable
from typing import Any
from uuid import uuid4

import msgspec
import pytest
from django.contrib.auth.models import User
from rest_framework.test import APIClient

from battles.models import Battle
from battles.rulebook_values import read_setup, sides_of
from battles.selectors.dice import dice_record, state_of_play
from battles.services.logbook import NewEvent, log_events
from battles.services.review import submit_battle
from battles.services.setting_up import set_up_battle
from core.errors import Forbidden, InvalidInput, NotFound, StateConflict
from rulebook.dice.committed import CommittedDice
from rulebook.ruleset import RulesError
from scripts.demo.referees.en_garde import referee
from scripts.verify_dice import faults
from tests.battles.test_fighting_en_garde import Season

pytestmark = pytest.mark.one_database

Send = Callable[..., Any]


@pytest.fixture
def season(alice: User) -> Season:
    return Season(alice)


@pytest.fixture
def battle(season: Season) -> Battle:
    return season.start("skirmish")


def told(battle: Battle, user: User, kind: str, turn: int | None = None, **data: Any) -> Any:
    """Log one event, and return its row."""
    event = NewEvent(uuid4(), kind, data, turn)
    return log_events(battle_id=battle.pk, events=[event], user=user)[0]


def as_json(record: Any) -> dict[str, Any]:
    """Return the record as the API returns it."""
    data: dict[str, Any] = json.loads(msgspec.json.encode(record))
    return data


def test_muster_throws_the_dice_that_an_event_lacks(battle: Battle, alice: User):
    told(battle, alice, "turn", turn=1)
    row = told(battle, alice, "priority")
    assert row.data["thrown"] == "app"
    assert len(row.dice) >= 2
    assert row.first_die == 1
    again = CommittedDice(battle.dice_seed, str(battle.pk))
    assert row.dice == [again.randint(1, 6) for _ in row.dice]


def test_a_repeated_event_is_answered_with_the_dice_of_the_first(battle: Battle, alice: User):
    told(battle, alice, "turn", turn=1)
    event = NewEvent(uuid4(), "priority")
    first = log_events(battle_id=battle.pk, events=[event], user=alice)[0]
    second = log_events(battle_id=battle.pk, events=[event], user=alice)[0]
    assert (first.pk, first.data) == (second.pk, second.data)
    battle.refresh_from_db()
    assert battle.dice_used == len(first.dice)


def test_dice_typed_in_are_marked_and_use_none_of_musters(battle: Battle, alice: User):
    told(battle, alice, "turn", turn=1)
    row = told(battle, alice, "priority", rolls=[{"a": 5, "b": 2}])
    assert (row.data["thrown"], row.dice, row.first_die) == ("table", [], None)
    battle.refresh_from_db()
    assert (battle.dice_used, dice_record(battle).typed) == (0, (2,))


def test_nothing_is_thrown_for_an_event_that_is_refused(battle: Battle, alice: User):
    told(battle, alice, "turn", turn=1)
    with pytest.raises(InvalidInput):
        told(battle, alice, "stun_roll", fighter=str(uuid4()))
    battle.refresh_from_db()
    assert battle.dice_used == 0


def test_seed_stays_hidden_until_battle_ends(battle: Battle, alice: User):
    set_up_battle(battle_id=battle.pk, user=alice)
    battle.refresh_from_db()
    planned = referee(read_setup(battle, sides_of(battle)), CommittedDice("another", "seed"))
    for event in planned:
        bare = {key: value for key, value in event.data.items() if key not in DICE}
        told_bare(battle, alice, event.kind, bare, event.turn)
        if Battle.objects.get(pk=battle.pk).last_sequence > 40:
            break
    told(battle, alice, "ended", how="agreed")
    hidden = dice_record(Battle.objects.get(pk=battle.pk))
    assert hidden.seed is None
    assert faults(as_json(hidden)) == [
        "The seed has not been revealed yet: the battle is not over."
    ]
    submit_battle(battle_id=battle.pk, user=alice)
    record = as_json(dice_record(Battle.objects.get(pk=battle.pk)))
    assert len(record["throws"]) >= 3
    assert faults(record) == []
    record["throws"][1]["dice"][0] = record["throws"][1]["dice"][0] % 6 + 1
    assert len(faults(record)) == 1
    assert "not the one that was committed to" in faults({**record, "seed": "0"})[0]


DICE = {
    "rolls",
    "dice",
    "defence_dice",
    "reroll",
    "defence_reroll",
    "initiative",
    "die",
    "thrown",
    "nerve",
    "rider_die",
}


def told_bare(
    battle: Battle, user: User, kind: str, data: dict[str, Any], turn: int | None
) -> None:
    """Log an event without its dice.

    Ignore events that no longer fit after Muster's other dice.
    """
    try:
        log_events(battle_id=battle.pk, events=[NewEvent(uuid4(), kind, data, turn)], user=user)
    except (InvalidInput, RulesError):
        return


def test_the_set_up_is_rolled_once_and_says_what_was_typed(battle: Battle, alice: User):
    set_up = set_up_battle(battle_id=battle.pk, user=alice, typed={"weather": "rain"}).set_up
    assert (set_up["weather"], set_up["typed"]) == ("rain", ["weather"])
    assert set_up["throws"]["first"] == 1
    with pytest.raises(StateConflict, match="already been rolled"):
        set_up_battle(battle_id=battle.pk, user=alice)


@pytest.mark.parametrize(
    ("typed", "code"),
    [
        ({"weather": "hail"}, "not-a-choice"),
        ({"moon": 1}, "unknown-field"),
        ({"turns": "many"}, "not-a-number"),
    ],
)
def test_a_set_up_that_cannot_be_is_refused(battle: Battle, alice: User, typed, code):
    with pytest.raises(RulesError) as refused:
        set_up_battle(battle_id=battle.pk, user=alice, typed=typed)
    assert [problem.code for problem in refused.value.problems] == [code]
    battle.refresh_from_db()
    assert "throws" not in battle.set_up


def test_nothing_is_set_up_once_the_log_has_begun_or_by_a_stranger(
    battle: Battle, alice: User, charlie: User
):
    with pytest.raises(Forbidden):
        set_up_battle(battle_id=battle.pk, user=charlie)
    told(battle, alice, "turn", turn=1)
    with pytest.raises(StateConflict, match="has begun"):
        set_up_battle(battle_id=battle.pk, user=alice)


def test_the_state_of_play_at_any_event(battle: Battle, alice: User):
    told(battle, alice, "turn", turn=1)
    told(battle, alice, "turn", turn=2)
    battle.refresh_from_db()
    assert (
        state_of_play(battle)["turn"],
        state_of_play(battle, 1)["turn"],
        state_of_play(battle, 0)["turn"],
    ) == (
        2,
        1,
        0,
    )
    with pytest.raises(NotFound):
        state_of_play(battle, 3)


def test_the_endpoints_of_the_table(
    battle: Battle, as_alice: APIClient, as_charlie: APIClient, anonymous: APIClient
):
    root = f"/api/v1/battles/{battle.pk}"
    assert (
        as_alice.post(f"{root}/set-up/", {"typed": {"hour": "night"}}, format="json").json()[
            "set_up"
        ]["hour"]
        == "night"
    )
    again = as_alice.post(f"{root}/set-up/", {}, format="json")
    assert (again.status_code, again.json()["code"]) == (409, "set-up-already")
    assert as_alice.get(f"{root}/state/").json()["turn"] == 0
    assert as_alice.get(f"{root}/state/?at=-1").json()["code"] == "wrong-number"
    assert as_alice.get(f"{root}/state/?at=7").status_code == 404
    dice = as_alice.get(f"{root}/dice/").json()
    assert (dice["seed"], len(dice["commitment"])) == (None, 64)
    for path in ("state", "dice"):
        assert as_charlie.get(f"{root}/{path}/").status_code == 404
        assert anonymous.get(f"{root}/{path}/").status_code == 401
    assert as_charlie.post(f"{root}/set-up/", {}, format="json").status_code == 404


def test_the_dice_of_a_battle_take_a_fixed_number_of_queries(
    battle: Battle, alice: User, django_assert_num_queries: Any
):
    told(battle, alice, "turn", turn=1)
    for turn in range(2, 9):
        told(battle, alice, "priority")
        told(battle, alice, "turn", turn=turn)
    battle.refresh_from_db()
    with django_assert_num_queries(1):
        dice_record(battle)
    with django_assert_num_queries(3):
        state_of_play(battle)


def test_no_line_of_the_seed_leaves_the_server_before_the_end(battle: Battle, as_alice: APIClient):
    told_paths = ("", "events/", "dice/", "state/", "preview/")
    for path in told_paths:
        assert (
            battle.dice_seed
            not in as_alice.get(f"/api/v1/battles/{battle.pk}/{path}").content.decode()
        )
