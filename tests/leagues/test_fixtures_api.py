"""Rounds and fixtures in the API: everything that pages can do, and permissions."""

from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from rest_framework.test import APIClient

from battles.models import Battle
from campaigns.models import Campaign, Enrolment
from clubs.models import Club
from tests.conftest import api_of
from tests.pages import world
from tests.pages.world import DAY
from warbands.models import Fighter, Warband

pytestmark = pytest.mark.one_database

HERE = "/api/v1/"


@pytest.fixture
def campaign(alice: User, bob: User, dora: User) -> Campaign:
    """Return a running campaign of Alice's club with one warband of hers and two of Bob's."""
    club: Club = world.club_of(alice, players=[bob], spectators=[dora])
    warbands = [
        world.guards(alice),
        world.landsknechts(bob),
        world.landsknechts(bob, "Der helle Haufen"),
    ]
    return world.campaign_of(club, alice, *warbands)


def sent(client: APIClient, method: str, where: str, code: int, data: Any = None) -> Any:
    """Return the answer to a request, after checking its status code."""
    answer = getattr(client, method)(HERE + where, data, format="json")
    assert answer.status_code == code, answer.content
    return answer.json() if answer.content else None


def test_api_enters_result_of_fixture(
    campaign: Campaign, as_alice: APIClient, as_bob: APIClient, bob: User
) -> None:
    sent(as_alice, "post", f"campaigns/{campaign.pk}/rounds/", 201, {"method": "round-robin"})
    fixture = next(
        each["fixture"]
        for each in sent(as_alice, "get", "fixtures/", 200)
        if each["fixture"]["playable"]
    )
    # Step 1: the battle and its line-ups.
    warbands = [fixture[side]["warband"] for side in ("home", "away")]
    plan = {
        "client_id": str(uuid4()),
        "fixture": fixture["id"],
        "campaign": str(campaign.pk),
        "scenario": "skirmish",
        "fought_on": str(DAY),
        "sides": [{"warband": warband, "role": "warband"} for warband in warbands],
    }
    battle = f"battles/{sent(as_alice, 'post', 'battles/', 201, plan)['id']}/"
    for key, warband in zip("ab", warbands, strict=True):
        fighters = [
            str(pk) for pk in Fighter.objects.filter(warband=warband).values_list("pk", flat=True)
        ]
        force = {"fighters": fighters, "posts": {"leader": fighters[0]}}
        sent(as_alice, "put", f"{battle}sides/{key}/combatants/", 200, force)
    sent(as_alice, "post", f"{battle}start/", 200)
    # Step 2: the score and the end.
    points = {"side": "a", "amount": 2, "reason": "Score as reported"}
    events = [
        {"client_id": str(uuid4()), "kind": "points", "data": points},
        {"client_id": str(uuid4()), "kind": "ended", "data": {}},
    ]
    sent(as_alice, "post", f"{battle}events/", 201, events)
    # Step 3: the result, which the opponent confirms.
    assert sent(as_alice, "post", f"{battle}submit/", 200)["state"] == "submitted"
    assert sent(as_bob, "get", f"fixtures/{fixture['id']}/", 200)["state"] == "submitted"
    inbox = sent(as_bob, "get", "me/inbox/", 200)["cards"]
    assert "confirm" in {each["kind"] for each in inbox}


def test_a_season_of_fixtures_is_run_by_the_api(
    campaign: Campaign, as_alice: APIClient, as_bob: APIClient, alice: User, bob: User
) -> None:
    where = f"campaigns/{campaign.pk}/"
    terms = {"method": "round-robin", "seeding": "lot", "deadline": str(DAY), "days": 14}
    draft = sent(as_alice, "post", f"{where}rounds/", 200, {**terms, "dry_run": True})
    body = {**terms, "seed": draft["seed"], "fingerprint": draft["fingerprint"]}
    stale = sent(as_alice, "post", f"{where}rounds/", 409, {**body, "fingerprint": "other"})
    assert stale["code"] == "draft-differs"
    made = sent(as_alice, "post", f"{where}rounds/", 201, body)["rounds"]
    assert [each["deadline"] for each in made] == ["2026-03-07", "2026-03-21", "2026-04-04"]
    assert sent(as_bob, "get", f"{where}fixtures/", 200)["rounds"] == made
    mine = sent(as_bob, "get", "fixtures/", 200)
    assert len(mine) == 3 and {each["campaign_name"] for each in mine} == {"The Long Summer"}
    fixture = mine[0]["fixture"]
    here = f"fixtures/{fixture['id']}/"
    plan = {
        "campaign": str(campaign.pk),
        "fixture": fixture["id"],
        "scenario": "skirmish",
        "fought_on": str(DAY),
        "sides": [
            {"warband": fixture[side]["warband"], "role": "warband"} for side in ("home", "away")
        ],
    }
    battle = sent(as_bob, "post", "battles/", 201, plan)
    assert sent(as_bob, "get", here, 200)["battle"] == battle["id"]
    assert sent(as_bob, "post", "battles/", 409, plan)["code"] == "fixture-taken"
    assert sent(
        as_alice, "post", f"{here}swap/", 400, {"leaving": str(uuid4()), "coming": str(uuid4())}
    )["code"]
    Battle.objects.filter(pk=battle["id"]).update(fixture=None)
    assert (
        sent(as_bob, "put", f"{here}battle/", 200, {"battle": battle["id"]})["state"] == "planned"
    )
    other = mine[1]["fixture"]["id"]
    moved = sent(
        as_alice, "patch", f"fixtures/{other}/", 200, {"deadline": "2026-05-01", "version": 1}
    )
    assert (moved["deadline"], moved["version"]) == ("2026-05-01", 2)
    given = {"walkover": "home", "reason": "Snowed in."}
    impact = sent(as_alice, "put", f"fixtures/{other}/walkover/", 200, {**given, "dry_run": True})
    assert {row["points_after"] - row["points_before"] for row in impact["table"]} == {0, 3}
    assert [each["effect"] for each in impact["fixtures"]] == ["decided"]
    assert sent(as_alice, "get", f"fixtures/{other}/", 200)["state"] == "open", (
        "a dry run writes nothing"
    )
    assert sent(as_alice, "put", f"fixtures/{other}/walkover/", 200, given)["state"] == "walkover"
    table = sent(as_bob, "get", f"{where}standings/", 200)
    assert sum(row["walkovers"] for row in table["rows"]) == 1 and "walkover" in table["rule"]
    assert sent(as_alice, "delete", f"rounds/{fixture['round']}/", 409)["code"] == "round-begun"


def test_rounds_are_changed_latecomers_join_and_ladders_are_climbed_by_the_api(
    campaign: Campaign, as_alice: APIClient, as_bob: APIClient, alice: User, bob: User
) -> None:
    where, second = f"campaigns/{campaign.pk}/", f"rounds/{world.paired(campaign, alice).pk}/"
    moved = sent(as_alice, "patch", second, 200, {"deadline": "2026-03-21", "version": 1})
    assert (
        sent(as_alice, "patch", second, 200, {"name": "Second", "version": 2})["deadline"]
        == moved["deadline"]
    )
    late = world.landsknechts(bob, "Die Späten")
    world.enrol_warband(campaign_id=campaign.pk, warband_id=late.pk, user=bob)
    enrolment = Enrolment.objects.get(warband=late)
    joined = sent(as_alice, "post", f"enrolments/{enrolment.pk}/fixtures/", 201)["fixtures"]
    assert len(joined) == 3
    sent(as_alice, "delete", f"fixtures/{joined[0]['id']}/", 204)
    added = {"home": str(enrolment.pk)}
    assert sent(as_alice, "post", f"{second}fixtures/", 201, added)["away"] is None
    ladder = sent(as_alice, "post", f"{where}rounds/", 201, {"method": "ladder", "reach": 3})[
        "rounds"
    ][0]
    ids = [side["enrolment"] for side in ladder["ladder"]]
    lowest = next(
        place for place in (3, 2) if Enrolment.objects.get(pk=ids[place]).warband.owner_id == bob.pk
    )
    dared = {"challenger": ids[lowest], "opponent": ids[0]}
    assert sent(as_bob, "post", f"rounds/{ladder['id']}/challenges/", 201, dared)["state"] == "open"


def test_players_and_readers_change_nothing_and_strangers_find_nothing(
    campaign: Campaign, alice: User, bob: User, charlie: User, dora: User
) -> None:
    row = world.paired(campaign, alice)
    fixture = row.fixtures.filter(bye=False)[0]
    enrolment = campaign.enrolments.all()[0]
    changes = [
        ("post", f"campaigns/{campaign.pk}/rounds/", {"method": "swiss"}),
        ("patch", f"rounds/{row.pk}/", {"deadline": str(DAY)}),
        ("post", f"rounds/{row.pk}/fixtures/", {"home": str(enrolment.pk)}),
        ("patch", f"fixtures/{fixture.pk}/", {"deadline": str(DAY)}),
        (
            "post",
            f"fixtures/{fixture.pk}/swap/",
            {"leaving": str(enrolment.pk), "coming": str(uuid4())},
        ),
        ("put", f"fixtures/{fixture.pk}/walkover/", {"walkover": "home", "reason": "So."}),
        ("post", f"enrolments/{enrolment.pk}/fixtures/", None),
        ("delete", f"fixtures/{fixture.pk}/", None),
        ("delete", f"rounds/{row.pk}/", None),
    ]
    for user, code in ((bob, 403), (dora, 403), (charlie, 404)):
        client = api_of(user)
        for method, where, data in changes:
            sent(client, method, where, code, data)
        for where in (
            f"campaigns/{campaign.pk}/fixtures/",
            f"rounds/{row.pk}/",
            f"fixtures/{fixture.pk}/",
        ):
            sent(client, "get", where, 404 if user == charlie else 200)
    assert api_of(charlie).get(f"{HERE}fixtures/").json() == []
    assert row.fixtures.count() == 2


def test_what_makes_no_sense_is_refused_with_its_field(
    campaign: Campaign, as_alice: APIClient, alice: User
) -> None:
    where = f"campaigns/{campaign.pk}/rounds/"
    for terms in (
        {"method": "chess"},
        {"method": "swiss", "legs": 99},
        {"method": "swiss", "deadline": "soon"},
        {},
    ):
        assert sent(as_alice, "post", where, 400, terms)["code"] == "invalid"
    unknown = sent(as_alice, "post", where, 400, {"method": "swiss", "entrants": [str(uuid4())]})
    assert unknown["code"] == "unknown-enrolment" and unknown["errors"][0]["field"] == "/entrants"
    fixture = world.paired(campaign, alice).fixtures.filter(bye=False)[0]
    assert (
        sent(as_alice, "put", f"fixtures/{fixture.pk}/walkover/", 400, {"walkover": "home"})["code"]
        == "reason-needed"
    )
    assert Warband.objects.count() == 3
