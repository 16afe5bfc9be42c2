"""`battles/report/`: a battle that was played, in one request, once, and all of it or nothing."""

from collections.abc import Callable
from io import StringIO
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from battles.models import Battle, BattleEvent
from campaigns.models import Campaign
from clubs.models import Club
from tests.battles.field import fighters, muster, run_campaign
from warbands.models import Warband

ROOT = "/api/v1/battles/"
REPORT = f"{ROOT}report/"
MOST_QUERIES = 60


def report_of(campaign: Campaign, *warbands: Warband, **others: Any) -> dict[str, Any]:
    """Return a report with all fighters, in which the first hits the last of the other side."""
    home, away = (fighters(warband) for warband in warbands)
    wound = {"attacker": str(home[0].pk), "victim": str(away[-1].pk), "result": "light"}
    return {
        "client_id": str(uuid4()),
        "campaign": str(campaign.pk),
        "scenario": "brawl",
        "sides": [
            {
                "warband": str(warband.pk),
                "role": "side",
                "fighters": [str(fighter.pk) for fighter in fielded],
            }
            for warband, fielded in zip(warbands, (home, away), strict=True)
        ],
        "fought_on": "2026-03-07",
        "set_up": {"weather": "rain"},
        "events": [{"client_id": str(uuid4()), "kind": "wound", "data": wound}],
        **others,
    }


@pytest.fixture
def report(campaign: Campaign, reds: Warband, blues: Warband) -> dict[str, Any]:
    return report_of(campaign, reds, blues)


def test_a_report_is_a_submitted_battle(report: dict[str, Any], as_alice: APIClient) -> None:
    answer = as_alice.post(REPORT, report)
    assert answer.status_code == 201, answer.data
    battle = Battle.objects.get()
    assert (answer.data["id"], battle.state) == (str(battle.pk), "submitted")
    assert [side.combatants.count() for side in battle.sides.order_by("key")] == [3, 3]
    assert battle.events.filter(kind="wound").count() == 1
    verdicts = {side["key"]: side["verdict"] for side in answer.data["sides"]}
    assert verdicts == {"a": "confirmed", "b": "waiting"}


def test_a_report_sent_again_is_the_same_battle(
    report: dict[str, Any], as_alice: APIClient
) -> None:
    first, again = as_alice.post(REPORT, report), as_alice.post(REPORT, report)
    assert (first.status_code, again.status_code) == (201, 201)
    assert first.data["id"] == again.data["id"]
    assert BattleEvent.objects.filter(kind="wound").count() == 1


def test_a_dry_run_keeps_nothing(report: dict[str, Any], as_alice: APIClient) -> None:
    answer = as_alice.post(REPORT, {**report, "dry_run": True})
    assert answer.status_code == 200, answer.data
    assert {side["key"] for side in answer.data["sides"]} == {"a", "b"}
    assert not Battle.objects.exists()
    as_alice.post(REPORT, report)
    late = as_alice.post(REPORT, {**report, "dry_run": True})
    assert (late.status_code, late.data["code"]) == (409, "already-reported")


Change = Callable[[dict[str, Any]], object]
WRONG: dict[str, tuple[Change, str, str]] = {
    "a fighter of the other side": (
        lambda report: report["sides"][1]["fighters"].append(report["sides"][0]["fighters"][0]),
        "/sides/1/fighters/3",
        "unknown-fighter",
    ),
    "an unknown post": (
        lambda report: report["sides"][0].update(posts={"admiral": None}),
        "/sides/0/posts/admiral",
        "unknown-post",
    ),
    "an unknown kind of event": (
        lambda report: report["events"][0].update(kind="flood"),
        "/events/0/kind",
        "unknown-event-kind",
    ),
    "an unknown role": (
        lambda report: report["sides"][0].update(role="jury"),
        "/sides/0/role",
        "unknown-role",
    ),
    "no fighters": (
        lambda report: report["sides"][0].update(fighters=[]),
        "/sides/0/fighters",
        "empty",
    ),
    "a misspelt name": (lambda report: report.update(wniner="a"), "/wniner", "unknown-field"),
    "too high a score": (
        lambda report: report.update(score={"a": 100}),
        "/score/a",
        "max_value",
    ),
    "an unknown side in the score": (
        lambda report: report.update(score={"c": 1}),
        "/score/c",
        "unknown-side",
    ),
    "a winner where the score decides": (
        lambda report: report.update(winner="a"),
        "/winner",
        "winner-not-reported",
    ),
}


@pytest.mark.parametrize("dry_run", [False, True])
@pytest.mark.parametrize("wrong", WRONG)
def test_a_wrong_report_writes_nothing_and_names_the_place(
    report: dict[str, Any], as_alice: APIClient, wrong: str, dry_run: bool
) -> None:
    change, field, code = WRONG[wrong]
    change(report)
    answer = as_alice.post(REPORT, {**report, "dry_run": dry_run})
    assert answer.status_code == 400, answer.data
    errors = {line["field"]: line["code"] for line in answer.json()["errors"]}
    assert errors.get(field) == code, errors
    assert not Battle.objects.exists()


def test_only_people_of_the_campaign_report(report: dict[str, Any], as_dora: APIClient) -> None:
    assert as_dora.post(REPORT, report).status_code in (403, 404)
    assert APIClient().post(REPORT, report).status_code == 401
    assert not Battle.objects.exists()


def test_two_requests_record_and_confirm_a_battle_of_ten_against_ten(
    alice: User, bob: User, club: Club, as_alice: APIClient, as_bob: APIClient
) -> None:
    profiles = ("captain", *["recruit"] * 9)
    warbands = muster(alice, "Tens", *profiles), muster(bob, "Others", *profiles)
    report = report_of(run_campaign(club, alice, *warbands), *warbands)
    with CaptureQueriesContext(connection) as queries:
        battle = as_alice.post(REPORT, report).data["id"]
        confirmed = as_bob.post(f"{ROOT}{battle}/confirm/")
    assert confirmed.data["state"] == "confirmed"
    # Within a test, the transaction of each request is a savepoint: two statements more.
    assert len(queries) - 2 * 2 <= MOST_QUERIES
    call_command("check_chronicle", stdout=StringIO(), every=True)


def test_a_report_of_a_planned_battle_replaces_its_line_ups(
    report: dict[str, Any], as_alice: APIClient, reds: Warband
) -> None:
    plan = {key: value for key, value in report.items() if key != "events"}
    sides = [{key: side[key] for key in ("warband", "role")} for side in report["sides"]]
    battle = as_alice.post(ROOT, {**plan, "sides": sides}).data["id"]
    force = {"fighters": [str(fighters(reds)[0].pk)]}
    assert as_alice.put(f"{ROOT}{battle}/sides/a/combatants/", force).status_code == 200
    answer = as_alice.post(REPORT, report)
    assert (answer.status_code, answer.data["id"]) == (201, battle)
    assert [side.combatants.count() for side in Battle.objects.get().sides.order_by("key")] == [
        3,
        3,
    ]


def test_a_report_of_two_own_warbands_is_confirmed_at_once(
    alice: User, club: Club, as_alice: APIClient
) -> None:
    warbands = muster(alice, "Tens"), muster(alice, "Others")
    report = report_of(run_campaign(club, alice, *warbands), *warbands)
    assert as_alice.post(REPORT, {**report, "dry_run": True}).status_code == 200
    assert as_alice.post(REPORT, report).data["state"] == "confirmed"
    assert {fighter.battles for warband in warbands for fighter in fighters(warband)} == {1}
    call_command("check_chronicle", stdout=StringIO(), every=True)
