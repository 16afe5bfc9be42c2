"""Every endpoint of battles against everybody who has no business there."""

from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from rest_framework.test import APIClient

from battles.models import Battle, BattleEvent, Combatant
from campaigns.models import Campaign
from clubs.models import BattlesRunBy, Club, Membership, Role
from tests.battles.field import fighters
from tests.battles.test_battles_api import ROOT, place
from tests.conftest import api_of
from warbands.models import ChronicleEntry, Warband

pytestmark = pytest.mark.one_database

NOTE = {
    "client_id": "c1f0a5a4-5a0f-4d1b-9d8e-1f2e3d4c5b6a",
    "kind": "note",
    "data": {"text": "One"},
}
READS = [(), ("events",), ("corrections",), ("preview",)]
WRITES: list[tuple[str, str, tuple[str, ...], dict[str, Any]]] = [
    ("planned", "patch", (), {"title": "Mine"}),
    ("planned", "put", ("sides", "a", "combatants"), {"fighters": [str(uuid4())]}),
    ("planned", "put", ("sides", "a", "combatants"), {"fighters": [str(uuid4())], "dry_run": True}),
    ("planned", "post", ("count-in",), {"campaign": str(uuid4())}),
    ("fielded", "post", ("start",), {}),
    ("under-way", "post", ("events",), NOTE),
    ("under-way", "post", ("preview",), {"events": [NOTE]}),
    ("under-way", "post", ("submit",), {}),
    ("submitted", "post", ("confirm",), {}),
    ("submitted", "post", ("dispute",), {"reason": "No."}),
    ("submitted", "post", ("decide",), {"decision": "as-logged"}),
    ("submitted", "post", ("reopen",), {}),
    ("planned", "post", ("void",), {}),
    ("submitted", "post", ("void",), {}),
    ("confirmed", "post", ("void",), {"reason": "I lost."}),
    ("confirmed", "post", ("void",), {"dry_run": True}),
    ("confirmed", "post", ("corrections",), {"events": [NOTE], "reason": "I lost."}),
    (
        "confirmed",
        "post",
        ("corrections",),
        {"events": [NOTE], "reason": "I lost.", "dry_run": True},
    ),
]
ORGANISERS_ONLY = {("decide",), ("corrections",)}


def untouched() -> tuple[Any, ...]:
    """Return all data that a refused request must not change."""
    return (
        list(Battle.objects.values_list("version", "state", "title", "revision")),
        BattleEvent.objects.count(),
        Combatant.objects.count(),
        ChronicleEntry.objects.count(),
    )


@pytest.mark.parametrize("steps", READS)
def test_reading_is_for_those_who_may_see(
    steps: tuple[str, ...],
    battle_that_is: Callable[[str], Battle],
    anonymous: APIClient,
    as_charlie: APIClient,
    as_dora: APIClient,
    as_bob: APIClient,
) -> None:
    battle = battle_that_is("submitted")
    assert anonymous.get(place(battle, *steps)).status_code == 401
    assert as_charlie.get(place(battle, *steps)).status_code == 404
    assert as_dora.get(place(battle, *steps)).status_code == 200
    assert as_bob.get(place(battle, *steps)).status_code == 200


@pytest.mark.parametrize("steps", READS)
def test_what_is_not_there_is_not_found(steps: tuple[str, ...], as_bob: APIClient) -> None:
    for key in (str(uuid4()), "nonsense"):
        assert as_bob.get(place(key, *steps)).status_code == 404


def test_plans_need_somebody(anonymous: APIClient) -> None:
    assert anonymous.post(ROOT, {}).status_code == 401


@pytest.mark.parametrize(("name", "method", "steps", "body"), WRITES)
def test_writing_is_refused_to_strangers_and_readers_and_changes_nothing(
    name: str,
    method: str,
    steps: tuple[str, ...],
    body: dict[str, Any],
    battle_that_is: Callable[[str], Battle],
    anonymous: APIClient,
    as_charlie: APIClient,
    as_dora: APIClient,
) -> None:
    battle = battle_that_is(name)
    before = untouched()
    assert getattr(anonymous, method)(place(battle, *steps), body).status_code == 401
    assert getattr(as_charlie, method)(place(battle, *steps), body).status_code == 404
    refused = getattr(as_dora, method)(place(battle, *steps), body)
    assert (refused.status_code, refused["Content-Type"]) == (403, "application/problem+json")
    assert untouched() == before


@pytest.mark.parametrize(("name", "method", "steps", "body"), WRITES)
def test_a_battle_that_is_not_there_cannot_be_written(
    name: str, method: str, steps: tuple[str, ...], body: dict[str, Any], as_alice: APIClient
) -> None:
    for key in (str(uuid4()), "nonsense"):
        assert getattr(as_alice, method)(place(key, *steps), body).status_code == 404


@pytest.mark.parametrize(
    ("name", "method", "steps", "body"), [each for each in WRITES if each[2] in ORGANISERS_ONLY]
)
def test_some_things_are_for_organisers_alone(
    name: str,
    method: str,
    steps: tuple[str, ...],
    body: dict[str, Any],
    battle_that_is: Callable[[str], Battle],
    as_bob: APIClient,
    as_alice: APIClient,
) -> None:
    battle = battle_that_is(name)
    assert getattr(as_bob, method)(place(battle, *steps), body).status_code == 403
    assert getattr(as_alice, method)(place(battle, *steps), body).status_code in (200, 201)


def test_a_player_runs_no_battle_between_two_others(
    battle_that_is: Callable[[str], Battle],
    campaign: Campaign,
    make_user: Callable[[str], User],
    reds: Warband,
    blues: Warband,
) -> None:
    emil = make_user("emil")
    Membership.objects.create(club=campaign.club, user=emil, name="Emil", role=Role.PLAYER)
    as_emil = api_of(emil)
    sides = [{"warband": str(each.pk), "role": "side"} for each in (reds, blues)]
    wish = {
        "campaign": str(campaign.pk),
        "scenario": "brawl",
        "sides": sides,
        "fought_on": "2026-03-07",
    }
    begun = battle_that_is("under-way")
    runs: list[tuple[Battle, str, tuple[str, ...], dict[str, Any]]] = [
        (battle_that_is("planned"), "patch", (), {"title": "Mine"}),
        (battle_that_is("fielded"), "post", ("start",), {}),
        (begun, "post", ("events",), NOTE),
        (begun, "post", ("submit",), {}),
    ]
    before = untouched()
    answers = [
        as_emil.post(ROOT, wish),
        *(getattr(as_emil, how)(place(it, *steps), body) for it, how, steps, body in runs),
    ]
    assert [(each.status_code, each.json()["code"]) for each in answers] == [
        (403, "not-your-warband"), *[(403, "not-your-battle")] * 4
    ]  # fmt: skip
    assert as_emil.get(place(begun)).json()["doors"]["actions"] == []
    assert untouched() == before
    Club.objects.update(battles_run_by=BattlesRunBy.EVERY_PLAYER)
    assert as_emil.post(ROOT, wish).status_code == 201
    assert [getattr(as_emil, how)(place(it, *steps), body).status_code for it, how, steps, body in runs] == [
        200, 400, 201, 200
    ]  # fmt: skip
    assert as_emil.post(place(begun, "confirm"), {}).status_code == 403, (
        "each side still confirms for itself"
    )


def test_player_voids_only_unsubmitted_battles(
    battle_that_is: Callable[[str], Battle], as_bob: APIClient
) -> None:
    assert as_bob.post(place(battle_that_is("planned"), "void")).status_code == 200
    for name in ("submitted", "confirmed"):
        assert (
            as_bob.post(place(battle_that_is(name), "void"), {"reason": "I lost."}).status_code
            == 403
        )


def test_nobody_confirms_for_another(
    battle_that_is: Callable[[str], Battle], as_bob: APIClient
) -> None:
    battle = battle_that_is("submitted")
    assert as_bob.post(place(battle, "confirm"), {"side": "a"}).status_code == 403
    assert as_bob.post(place(battle, "confirm"), {"side": "z"}).status_code == 404


def test_a_spectator_plans_no_battle(
    campaign: Campaign, as_dora: APIClient, as_charlie: APIClient, reds: Warband, blues: Warband
) -> None:
    sides = [{"warband": str(each.pk), "role": "side"} for each in (reds, blues)]
    wish = {
        "campaign": str(campaign.pk),
        "scenario": "brawl",
        "sides": sides,
        "fought_on": "2026-03-07",
    }
    assert as_dora.post(ROOT, wish).status_code == 403
    stranger = as_charlie.post(ROOT, wish)
    assert (stranger.status_code, stranger.json()["code"]) == (400, "unknown-campaign")
    assert not Battle.objects.exists()


def test_a_player_fields_only_fighters_of_the_sides_own_warband(
    battle_that_is: Callable[[str], Battle], as_bob: APIClient, reds: Warband
) -> None:
    force = {"fighters": [str(fighters(reds)[0].pk)]}
    answer = as_bob.put(place(battle_that_is("planned"), "sides", "b", "combatants"), force)
    assert (answer.status_code, answer.json()["errors"][0]["code"]) == (400, "unknown-fighter")
