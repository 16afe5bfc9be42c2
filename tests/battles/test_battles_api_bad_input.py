"""Nonsense sent to every endpoint of battles: a clear answer, and nothing half written."""

import json
from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from rest_framework.test import APIClient

from battles.models import Battle
from campaigns.models import Campaign
from tests.battles.field import begin, confirmed, fight, fighters, plan
from tests.battles.test_battles_api import ROOT, codes, place
from tests.battles.test_battles_api_permissions import untouched
from warbands.models import Warband

pytestmark = pytest.mark.one_database
UNSTORABLE = ["a\\u0000b", "\\ud800", "\\udfff and more"]
"""Characters in JSON that one of the databases cannot store."""


def deep(depth: int) -> Any:
    """Return nested lists of this depth."""
    return "x" if depth == 0 else [deep(depth - 1)]


@pytest.fixture
def wish(campaign: Campaign, reds: Warband, blues: Warband) -> dict[str, Any]:
    """Return a valid plan."""
    sides = [{"warband": str(each.pk), "role": "side"} for each in (reds, blues)]
    return {
        "campaign": str(campaign.pk),
        "scenario": "brawl",
        "sides": sides,
        "fought_on": "2026-03-07",
    }


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"sides": []}, "sides"),
        ({"sides": "both"}, "sides"),
        ({"sides": [{"warband": "x", "role": "side"}, {"role": "side"}]}, "sides.0.warband"),
        ({"sides": [7, 8]}, "sides.0"),
        ({"scenario": ""}, "scenario"),
        ({"scenario": "siege"}, "scenario"),
        ({"scenario": None}, "scenario"),
        ({"fought_on": "yesterday"}, "fought_on"),
        ({"points_limit": 0}, "points_limit"),
        ({"points_limit": 10**12}, "points_limit"),
        ({"title": "x" * 121}, "title"),
        ({"set_up": {"a": deep(30)}}, "set_up"),
        ({"set_up": {"a": "x" * 30_000}}, "set_up"),
        ({"set_up": {"a": 10**30}}, "set_up"),
        ({"set_up": [1]}, "set_up"),
        ({"client_id": "mine"}, "client_id"),
        ({"campaign": "ours"}, "campaign"),
        ({"friendly": "perhaps"}, "friendly"),
        ({"friendly": True}, "friendly"),
    ],
)
def test_a_plan_that_makes_no_sense(
    change: dict[str, Any], field: str, wish: dict[str, Any], as_alice: APIClient
) -> None:
    answer = as_alice.post(ROOT, wish | change)
    assert answer.status_code == 400, answer.data
    assert "/" + field.replace(".", "/") in codes(answer), codes(answer)
    assert not Battle.objects.exists()


@pytest.mark.parametrize("body", [[], "x", 7, None, {}])
def test_api_rejects_malformed_plan(body: Any, as_alice: APIClient) -> None:
    assert as_alice.post(ROOT, body).status_code == 400


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"fighters": []},
        {"fighters": "all"},
        {"fighters": ["x"]},
        {"fighters": [str(uuid4())] * 201},
        {"fighters": [str(uuid4())], "leader": "x"},
        {"fighters": [str(uuid4())], "version": "new"},
    ],
)
def test_a_force_that_makes_no_sense(
    body: Any, campaign: Campaign, alice: User, as_alice: APIClient, reds: Warband, blues: Warband
) -> None:
    battle = plan(alice, campaign, reds, blues)
    before = untouched()
    assert as_alice.put(place(battle, "sides", "a", "combatants"), body).status_code == 400
    assert untouched() == before


@pytest.mark.parametrize("key", ["z", "A", "ab", "1"])
def test_a_side_that_is_not_there(
    key: str, campaign: Campaign, alice: User, as_alice: APIClient, reds: Warband, blues: Warband
) -> None:
    battle = plan(alice, campaign, reds, blues)
    force = {"fighters": [str(fighters(reds)[0].pk)]}
    assert as_alice.put(place(battle, "sides", key, "combatants"), force).status_code == 404


def an_event(**changes: Any) -> dict[str, Any]:
    return {"client_id": str(uuid4()), "kind": "note", "data": {"text": "One"}, **changes}


@pytest.mark.parametrize(
    "body",
    [
        {},
        [],
        {"events": []},
        {"events": "all"},
        {"events": [7]},
        an_event(client_id="mine"),
        an_event(kind="dance"),
        an_event(kind=""),
        an_event(kind="x" * 40),
        an_event(data="x"),
        an_event(data={"text": "x" * 30_000}),
        an_event(data={"text": deep(30)}),
        an_event(data={"text": 10**30}),
        an_event(data={}),
        an_event(turn=-1),
        an_event(turn=10**6),
        an_event(turn="third"),
        [an_event(), an_event(kind="dance")],
        {"events": [an_event()], "version": 0},
        {"events": [an_event() for _ in range(501)]},
    ],
)
def test_events_that_make_no_sense(
    body: Any, campaign: Campaign, alice: User, as_alice: APIClient, reds: Warband, blues: Warband
) -> None:
    battle = begin(alice, campaign, reds, blues)
    before = untouched()
    answer = as_alice.post(place(battle, "events"), body)
    assert answer.status_code == 400, answer.data
    assert answer.json()["errors"]
    assert untouched() == before


def test_the_same_id_with_other_content_is_a_conflict(
    campaign: Campaign, alice: User, as_alice: APIClient, reds: Warband, blues: Warband
) -> None:
    battle = begin(alice, campaign, reds, blues)
    first = an_event()
    as_alice.post(place(battle, "events"), first)
    other = as_alice.post(place(battle, "events"), first | {"data": {"text": "Two"}})
    assert (other.status_code, other.json()["code"]) == (409, "event-differs")


def test_preview_takes_events_in_every_form_that_logging_takes(
    campaign: Campaign, alice: User, as_alice: APIClient, reds: Warband, blues: Warband
) -> None:
    battle, event = begin(alice, campaign, reds, blues), an_event()
    for body in (event, [event], {"events": [event]}):
        assert as_alice.post(place(battle, "preview"), body).status_code == 200
    wrong = as_alice.post(place(battle, "preview"), [an_event(turn=-1)])
    assert wrong.json()["errors"][0]["field"] == "/0/turn"


@pytest.mark.parametrize(
    ("steps", "body"),
    [
        (("dispute",), {}),
        (("dispute",), {"reason": ""}),
        (("dispute",), {"reason": "   "}),
        (("dispute",), {"reason": "x" * 2001}),
        (("dispute",), {"reason": "No.", "side": 7 * "x" * 4}),
        (("decide",), {}),
        (("decide",), {"decision": "perhaps"}),
        (("decide",), {"decision": "as-logged", "reason": "x" * 301}),
        (("confirm",), {"version": "x"}),
        (("reopen",), {"version": []}),
        (("void",), {"dry_run": "perhaps"}),
        (("void",), {"undo": "all"}),
        (("void",), {"stand": [{"warband": str(uuid4()), "sequence": 1}]}),
    ],
)
def test_a_review_that_makes_no_sense(
    steps: tuple[str, ...],
    body: Any,
    campaign: Campaign,
    alice: User,
    as_alice: APIClient,
    reds: Warband,
    blues: Warband,
) -> None:
    battle = fight(alice, campaign, reds, blues)
    before = untouched()
    answer = as_alice.post(place(battle, *steps), body)
    assert answer.status_code == 400, answer.data
    assert codes(answer)
    assert untouched() == before


@pytest.mark.parametrize(
    "change",
    [
        {"events": []},
        {"events": [an_event(kind="dance")]},
        {"reason": ""},
        {"reason": "x" * 301},
        {"undo": [{"warband": "x", "sequence": 1}]},
        {"undo": [{"warband": str(uuid4()), "sequence": 0}]},
        {"undo": [{"warband": str(uuid4()), "sequence": 4}]},
        {"stand": [{"warband": str(uuid4()), "sequence": 4}]},
        {"stand": [{"warband": str(uuid4()), "sequence": 4, "reason": " "}]},
        {"dry_run": "perhaps"},
    ],
)
@pytest.mark.parametrize("dry_run", [True, False])
def test_a_correction_that_makes_no_sense(
    change: dict[str, Any],
    dry_run: bool,
    campaign: Campaign,
    alice: User,
    as_alice: APIClient,
    reds: Warband,
    blues: Warband,
) -> None:
    battle = confirmed(alice, campaign, reds, blues)
    before = untouched()
    sent = {"events": [an_event()], "reason": "Forgotten.", "dry_run": dry_run} | change
    answer = as_alice.post(place(battle, "corrections"), sent)
    assert answer.status_code == 400, answer.data
    assert untouched() == before


def test_a_confirmed_battle_is_not_voided_without_a_reason(
    campaign: Campaign, alice: User, as_alice: APIClient, reds: Warband, blues: Warband
) -> None:
    answer = as_alice.post(place(confirmed(alice, campaign, reds, blues), "void"), {})
    assert (answer.status_code, codes(answer)) == (400, {"/reason": "reason-needed"})


@pytest.mark.parametrize(
    ("method", "steps"),
    [
        ("post", ("start",)),
        ("post", ("submit",)),
        ("get", ("preview",)),
        ("post", ("confirm",)),
        ("post", ("decide",)),
    ],
)
def test_what_is_too_late_is_a_conflict(
    method: str,
    steps: tuple[str, ...],
    campaign: Campaign,
    alice: User,
    as_alice: APIClient,
    reds: Warband,
    blues: Warband,
) -> None:
    battle = confirmed(alice, campaign, reds, blues)
    answer = getattr(as_alice, method)(
        place(battle, *steps), {"decision": "as-logged"} if "decide" in steps else None
    )
    assert (answer.status_code, answer.json()["code"]) in (
        (409, "wrong-state"),
        (409, "already-confirmed"),
    )


@pytest.mark.parametrize("text", UNSTORABLE)
@pytest.mark.parametrize(
    ("name", "steps", "body"),
    [
        ("submitted", ("dispute",), '{"reason": "TEXT"}'),
        ("submitted", ("confirm",), '{"side": "TEXT"}'),
        ("submitted", ("decide",), '{"decision": "as-logged", "reason": "TEXT"}'),
        ("submitted", ("void",), '{"reason": "TEXT"}'),
        ("under-way", ("events",), '{"client_id": "ID", "kind": "TEXT"}'),
        ("under-way", ("events",), '{"client_id": "ID", "kind": "note", "data": {"text": "TEXT"}}'),
        (
            "under-way",
            ("events",),
            '{"client_id": "ID", "kind": "note", "data": {"text": "One", "TEXT": 1}}',
        ),
        (
            "confirmed",
            ("corrections",),
            '{"reason": "TEXT", "events": [{"client_id": "ID", "kind": "note"}]}',
        ),
    ],
)
def test_texts_that_cannot_be_stored(
    text: str,
    name: str,
    steps: tuple[str, ...],
    body: str,
    battle_that_is: Callable[[str], Battle],
    as_alice: APIClient,
) -> None:
    battle = battle_that_is(name)
    before = untouched()
    sent = body.replace("TEXT", text).replace("ID", str(uuid4()))
    answer = as_alice.post(place(battle, *steps), sent, content_type="application/json")
    assert answer.status_code in (400, 404), answer.data
    assert untouched() == before


@pytest.mark.parametrize("text", UNSTORABLE)
@pytest.mark.parametrize(
    "change",
    ['"title": "TEXT"', '"story": "TEXT"', '"set_up": {"a": "TEXT"}', '"set_up": {"TEXT": 1}'],
)
def test_a_plan_with_texts_that_cannot_be_stored(
    text: str, change: str, wish: dict[str, Any], as_alice: APIClient
) -> None:
    sent = json.dumps(wish)[:-1] + ", " + change.replace("TEXT", text) + "}"
    assert as_alice.post(ROOT, sent, content_type="application/json").status_code == 400
    assert not Battle.objects.exists()
