"""Classic campaigns through the API: the course of one, who may ask every endpoint, bad input."""

from typing import Any
from uuid import uuid4

import msgspec
import pytest
from django.contrib.auth.models import User
from rest_framework.test import APIClient

from battles.models import Battle, Part
from campaigns.models import Campaign, SealedOrder
from clubs.models import Club
from leagues.api import examples
from leagues.selectors.classic import ClassicPage
from leagues.selectors.sealed_order import SealedOrderView
from tests.leagues.classic import world
from warbands.models import Warband

pytestmark = pytest.mark.one_database


def place(campaign: Campaign | str, *steps: str) -> str:
    """Return the path of an endpoint of a campaign."""
    key = campaign if isinstance(campaign, str) else campaign.pk
    return "/".join(["/api/v1/campaigns", str(key), *steps, ""])


def put(client: APIClient, campaign: Campaign, **body: Any) -> Any:
    return client.put(place(campaign, "orders"), body, format="json")


def code_of(answer: Any) -> str:
    return str(answer.json()["code"])


@pytest.mark.parametrize(
    ("example", "kind"), [(examples.CLASSIC, ClassicPage), (examples.ORDER, SealedOrderView)]
)
def test_each_example_of_the_schema_is_what_it_shows(
    example: dict[str, Any], kind: type[msgspec.Struct]
) -> None:
    assert msgspec.json.decode(msgspec.json.encode(msgspec.convert(example, kind))) == example


def test_the_course_of_a_classic_campaign(
    club: Club, alice: User, reds: Warband, blues: Warband, as_alice: APIClient, as_bob: APIClient
) -> None:
    campaign = world.classic(club, alice, reds, blues, start=False)
    body = {"version": 1, "scenarios": list(world.SCENARIOS)}
    assert as_alice.post(place(campaign, "start"), body, format="json").status_code == 200
    for client, warband in ((as_alice, reds), (as_bob, blues)):
        answer = put(client, campaign, plan=world.plan_of(warband))
        assert answer.status_code == 200
        assert {key: set(keys) for key, keys in answer.json()["plan"].items()} == {
            key: set(keys) for key, keys in world.plan_of(warband).items()
        }
    page = as_bob.get(place(campaign, "classic")).json()
    assert (page["revealed"], len(page["games"]), page["seed"] != "") == (True, 3, True)
    world.all_fought(alice, Campaign.objects.get(pk=campaign.pk))
    page = as_bob.get(place(campaign, "classic")).json()
    assert page["may_plan_final"]
    answer = as_bob.post(place(campaign, "final"))
    assert (answer.status_code, answer.json()["scenario"]) == (201, "skirmish")


def test_the_state_tells_who_has_sealed(
    campaign: Campaign, reds: Warband, alice: User, as_dora: APIClient
) -> None:
    world.sealed(campaign, alice, reds)
    page = as_dora.get(place(campaign, "classic")).json()
    assert [
        (row["state"], row["may_seal"], row["plan"], row["text"]) for row in page["orders"]
    ] == [
        ("sealed", False, [], ""),
        ("awaited", False, [], ""),
    ]
    assert (page["seed"], page["games"], page["musters"]) == ("", [], [])


def test_void_game_is_planned_again(
    opened: Campaign, alice: User, as_bob: APIClient, as_alice: APIClient
) -> None:
    game = world.game(opened, "raid")
    again = place(opened, "classic", "games")
    assert as_bob.post(again, {"scenario": "raid"}).status_code == 409
    assert as_alice.post(f"/api/v1/battles/{game.pk}/void/", {}).status_code == 200
    assert as_bob.post(again, {"scenario": "raid"}).status_code == 201


ENDPOINTS: list[tuple[str, tuple[str, ...], dict[str, Any], int, int]] = [
    ("get", ("classic",), {}, 200, 200),
    ("post", ("classic", "games"), {"scenario": "duel"}, 403, 400),
    ("get", ("orders",), {}, 403, 200),
    ("put", ("orders",), {"plan": {}}, 403, 400),
    ("post", ("final",), {}, 403, 400),
]
"""With what a spectator gets, and a player of a campaign whose orders are not in."""


@pytest.mark.parametrize(("method", "steps", "body", "reader", "player"), ENDPOINTS)
def test_permissions(
    request: Any, campaign: Campaign, method: str, steps: Any, body: Any, reader: int, player: int
) -> None:
    cast = {
        "anonymous": 401,
        "as_charlie": 404,
        "as_dora": reader,
        "as_bob": player,
        "as_alice": player,
    }
    for name, expected in cast.items():
        client = request.getfixturevalue(name)
        assert (
            getattr(client, method)(place(campaign, *steps), body, format="json").status_code
            == expected
        ), name
    bob = request.getfixturevalue("as_bob")
    for key in (str(uuid4()), "nonsense"):
        assert getattr(bob, method)(place(key, *steps), body, format="json").status_code == 404
    assert (SealedOrder.objects.count(), Battle.objects.count()) == (0, 0)


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "plan"),
        ({"plan": None}, "plan"),
        ({"plan": []}, "plan"),
        ({"plan": {"duel": "x"}}, "plan.duel"),
        ({"plan": {"duel": ["x"]}}, "plan.duel.0"),
        ({"plan": {"duel": [str(uuid4())] * 501}}, "plan.duel"),
        ({"plan": {f"s{number}": [] for number in range(13)}}, "plan"),
        ({"plan": {}, "warband": "x"}, "warband"),
    ],
)
def test_bad_input_names_its_field_and_seals_nothing(
    campaign: Campaign, as_bob: APIClient, body: dict[str, Any], field: str
) -> None:
    answer = put(as_bob, campaign, **body)
    assert answer.status_code == 400
    assert "/" + field.replace(".", "/") in {line["field"] for line in answer.json()["errors"]}
    assert not SealedOrder.objects.exists()


def test_bad_input_elsewhere(campaign: Campaign, as_bob: APIClient) -> None:
    assert put(as_bob, campaign, plan={"du\0el": []}).status_code == 400
    assert put(as_bob, campaign, plan={}, warband=str(uuid4())).status_code == 404
    assert as_bob.get(place(campaign, "orders") + "?warband=x").status_code == 400
    assert as_bob.post(place(campaign, "classic", "games"), {}).status_code == 400
    assert code_of(as_bob.post(place(campaign, "final"))) == "games-open"


def test_what_comes_too_late_is_a_lost_race(
    opened: Campaign, reds: Warband, as_alice: APIClient
) -> None:
    answer = put(as_alice, opened, plan=world.plan_of(reds))
    assert (answer.status_code, code_of(answer)) == (409, "orders-revealed")


def test_a_linked_campaign_has_none_of_it(club: Club, alice: User, as_alice: APIClient) -> None:
    linked = world.classic(club, alice, start=False)
    Campaign.objects.update(format="linked")
    for answer in (as_alice.get(place(linked, "classic")), as_alice.get(place(linked, "orders"))):
        assert (answer.status_code, code_of(answer)) == (400, "not-classic")
    assert not Battle.objects.filter(part=Part.FINAL).exists()


@pytest.mark.parametrize(
    ("scenarios", "code"),
    [
        ([], "three-scenarios"),
        (["duel", "duel", "raid"], "three-scenarios"),
        (["duel", "raid", "siege"], "unknown-scenario"),
    ],
)
def test_start_needs_three_known_scenarios(
    club: Club,
    alice: User,
    reds: Warband,
    blues: Warband,
    as_alice: APIClient,
    scenarios: list[str],
    code: str,
) -> None:
    campaign = world.classic(club, alice, reds, blues, start=False)
    answer = as_alice.post(place(campaign, "start"), {"scenarios": scenarios}, format="json")
    assert answer.status_code == 400
    assert [line["code"] for line in answer.json()["errors"]] == [code]
    assert Campaign.objects.get().state == "planned"


def test_scenarios_are_for_classic_campaigns_where_they_are_not_drawn(
    club: Club, alice: User, reds: Warband, blues: Warband, as_alice: APIClient
) -> None:
    campaign = world.classic(club, alice, reds, blues, start=False, classic_scenarios="drawn")
    body = {"scenarios": list(world.SCENARIOS)}
    assert (
        code_of(as_alice.post(place(campaign, "start"), body, format="json"))
        == "scenarios-are-drawn"
    )
    Campaign.objects.update(format="linked")
    assert code_of(as_alice.post(place(campaign, "start"), body, format="json")) == "no-small-games"
