"""Campaigns, house rules, enrolments and the log through the API."""

import json
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from rest_framework.test import APIClient

from campaigns.models import Campaign, Enrolment
from campaigns.services.campaigns import plan_campaign
from campaigns.services.enrolments import enrol_warband
from clubs.models import Club
from rulebook.chronicle.facts import Left, Renamed
from tests.campaigns.conftest import Muster, seat
from tests.clubs.test_clubs_api import codes
from tests.conftest import api_of
from warbands.models import ChronicleEntry, Warband
from warbands.services.chronicle import append_facts

CAMPAIGNS = "/api/v1/campaigns/"


@pytest.fixture
def plan(club: Club) -> dict[str, Any]:
    """Return the body to create a campaign."""
    return {"club": str(club.pk), "name": "Winter", "ruleset": "toy", "points": 50}


def test_a_campaign_goes_from_plan_to_end(
    plan: dict, muster: Muster, alice: User, bob: User, as_alice: APIClient, as_bob: APIClient
) -> None:
    planned = as_alice.post(
        CAMPAIGNS, plan | {"house_rules": {"surviving": 2}, "scoring": {"win": 2}, "games": 4}
    )
    assert (planned.status_code, planned.data["state"], planned.data["version"]) == (
        201,
        "planned",
        1,
    )
    assert planned.data["house_rules"] == {"surviving": 2}
    assert planned.data["scoring"]["win"] == 2
    assert planned.data["scoring"]["tie_breakers"][0] == "difference"
    assert planned.data["organises"] is True
    place = f"{CAMPAIGNS}{planned.data['id']}/"
    for client, owner in ((as_alice, alice), (as_bob, bob)):
        body = {"warband": str(muster(owner, f"{owner}'s Reds").pk), "colour": "#112233"}
        enrolled = client.post(f"{place}enrolments/", body)
        assert (enrolled.status_code, enrolled.data["points"], enrolled.data["colour"]) == (
            201,
            21,
            "#112233",
        )
    started = as_alice.post(f"{place}start/", {"version": 1})
    assert (started.status_code, started.data["state"], started.data["warbands"]) == (
        200,
        "running",
        2,
    )
    finished = as_alice.post(f"{place}finish/", {"version": 2})
    assert (finished.data["state"], finished.data["warbands"], finished.data["version"]) == (
        "finished",
        0,
        3,
    )
    assert as_bob.get(place).data["organises"] is False


@pytest.mark.parametrize(
    ("change", "wrong"),
    [
        ({"club": "x"}, ("/club", "invalid")),
        ({"name": ""}, ("/name", "blank")),
        ({"name": "x" * 101}, ("/name", "max_length")),
        ({"points": 0}, ("/points", "min_value")),
        ({"points": 10**12}, ("/points", "max_value")),
        ({"points": "many"}, ("/points", "invalid")),
        ({"games": 0}, ("/games", "min_value")),
        ({"format": "ladder"}, ("/format", "invalid_choice")),
        ({"visibility": "secret"}, ("/visibility", "invalid_choice")),
        ({"ruleset": "chess"}, ("/ruleset", "unknown-ruleset")),
        ({"house_rules": []}, ("/house_rules", "not_a_dict")),
        ({"house_rules": {"luck": 1}}, ("/house_rules/luck", "unknown-house-rule")),
        ({"house_rules": {"surviving": 9}}, ("/house_rules/surviving", "wrong-house-rule-value")),
        ({"scoring": {"win": 101}}, ("/scoring/win", "max_value")),
        ({"scoring": {"win": 1, "draw": 2}}, ("/scoring/win", "scoring-order")),
        (
            {"scoring": {"tie_breakers": ["won", "won"]}},
            ("/scoring/tie_breakers", "scoring-repeated"),
        ),
        ({"scoring": {"tie_breakers": ["luck"]}}, ("/scoring/tie_breakers/0", "invalid_choice")),
        ({"scoring": 5}, ("/scoring", "invalid")),
    ],
)
def test_an_odd_plan_is_refused(
    plan: dict, as_alice: APIClient, change: dict, wrong: tuple[str, str]
) -> None:
    assert codes(as_alice.post(CAMPAIGNS, plan | change)) == {wrong}
    assert not Campaign.objects.exists()


def test_half_a_character_among_house_rules_is_refused(plan: dict, as_alice: APIClient) -> None:
    for rules in ('{"\\ud800": 1}', '{"legality": "\\ud800"}'):
        sent = json.dumps(plan)[:-1] + f', "house_rules": {rules}}}'
        assert (
            as_alice.post(CAMPAIGNS, data=sent, content_type="application/json").status_code == 400
        )


def test_a_plan_for_a_club_that_is_not_there_is_not_found(plan: dict, as_alice: APIClient) -> None:
    assert as_alice.post(CAMPAIGNS, plan | {"club": str(uuid4())}).status_code == 404


def test_a_campaign_is_changed_by_version(campaign: Campaign, as_alice: APIClient) -> None:
    place = f"{CAMPAIGNS}{campaign.pk}/"
    changed = as_alice.patch(
        place, {"version": 1, "name": "Spring", "games": None, "scoring": {"win": 5}}
    )
    assert (changed.status_code, changed.data["name"], changed.data["version"]) == (
        200,
        "Spring",
        2,
    )
    late = as_alice.patch(place, {"version": 1, "name": "Summer"})
    assert (late.status_code, late.data["code"]) == (409, "stale-version")
    assert codes(as_alice.patch(place, {"name": "Summer"})) == {("/version", "required")}
    assert codes(as_alice.patch(place, {"version": 2, "points": -1})) == {("/points", "min_value")}


def test_only_a_plan_is_cancelled(enrolled: Campaign, as_alice: APIClient) -> None:
    place = f"{CAMPAIGNS}{enrolled.pk}/"
    assert codes(as_alice.delete(f"{place}?version=x")) == {("?version", "malformed-parameter")}
    assert as_alice.delete(f"{place}?version=2").status_code == 409
    assert as_alice.delete(f"{place}?version=1").status_code == 204
    assert as_alice.get(place).status_code == 404


@pytest.mark.parametrize("verb", ["start", "finish"])
def test_an_odd_version_is_refused(enrolled: Campaign, as_alice: APIClient, verb: str) -> None:
    place = f"{CAMPAIGNS}{enrolled.pk}/{verb}/"
    assert codes(as_alice.post(place, {"version": "x"})) == {("/version", "invalid")}
    assert as_alice.post(place, {"version": 7}).status_code == 409


def test_campaigns_are_filtered_ordered_and_cut_into_pages(
    enrolled: Campaign, club: Club, alice: User, bob: User, as_alice: APIClient
) -> None:
    for name in ("Autumn", "Summer"):
        plan_campaign(
            club_id=club.pk, user=alice, name=name, ruleset="toy", points=50, format="table"
        )
    names = lambda query: [  # noqa: E731
        row["name"] for row in as_alice.get(f"{CAMPAIGNS}?{query}").data["results"]
    ]
    assert names("") == ["Summer", "Autumn", "The Long Winter"]
    assert names("ordering=name&page_size=2") == ["Autumn", "Summer"]
    assert names("format=linked") == ["The Long Winter"]
    assert names(f"club={club.pk}&name=mm") == ["Summer"]
    assert names(f"club={uuid4()}") == []
    assert names("state=running") == []
    assert names(f"warband={Warband.objects.get(owner=bob).pk}") == ["The Long Winter"]
    for query in ("state=lost", "club=x", "ordering=luck"):
        assert as_alice.get(f"{CAMPAIGNS}?{query}").status_code == 400


def test_house_rules_are_read_with_labels_and_values(campaign: Campaign, as_bob: APIClient) -> None:
    Campaign.objects.update(house_rules={"surviving": 2})
    rows = as_bob.get(f"{CAMPAIGNS}{campaign.pk}/house-rules/").data
    surviving = next(row for row in rows if row["key"] == "surviving")
    assert (surviving["value"], surviving["default"], surviving["changed"]) == (2, 1, True)
    assert (surviving["kind"], surviving["least"], surviving["most"]) == ("number", 0, 5)
    assert rows[0]["choices"] == [["strict", "Strict"], ["warn", "Warn"]]


def test_house_rules_change_after_a_dry_run(enrolled: Campaign, as_alice: APIClient) -> None:
    place = f"{CAMPAIGNS}{enrolled.pk}/house-rules/"
    dry_run = as_alice.post(place, {"house_rules": {"surviving": 2}, "dry_run": True})
    assert (dry_run.status_code, ChronicleEntry.objects.filter(kind="rules-changed").count()) == (
        200,
        0,
    )
    assert dry_run.data["settings"] == [
        {"key": "surviving", "label": "Surviving", "before": "1", "after": "2"}
    ]
    assert [row["points_after"] for row in dry_run.data["warbands"]] == [21, 21]
    done = as_alice.post(
        place, {"house_rules": {"surviving": 2}, "version": 1, "reason": "Too slow."}
    )
    assert done.data["settings"] == dry_run.data["settings"]
    assert ChronicleEntry.objects.filter(kind="rules-changed").count() == 2


@pytest.mark.parametrize(
    ("body", "wrong"),
    [
        ({}, {("/house_rules", "required")}),
        ({"house_rules": {"surviving": 2}}, {("/version", "required"), ("/reason", "required")}),
        ({"house_rules": "x", "dry_run": True}, {("/house_rules", "not_a_dict")}),
        (
            {"house_rules": {"luck": 2}, "dry_run": True},
            {("/house_rules/luck", "unknown-house-rule")},
        ),
        ({"house_rules": {}, "dry_run": True}, {("/house_rules", "nothing-changes")}),
        (
            {"house_rules": {"surviving": 2}, "version": 1, "reason": "x" * 301},
            {("/reason", "max_length")},
        ),
        ({"house_rules": {"surviving": 2}, "dry_run": "perhaps"}, {("/dry_run", "invalid")}),
    ],
)
def test_odd_house_rules_are_refused(
    enrolled: Campaign, as_alice: APIClient, body: dict, wrong: set
) -> None:
    assert codes(as_alice.post(f"{CAMPAIGNS}{enrolled.pk}/house-rules/", body)) == wrong
    assert not ChronicleEntry.objects.filter(kind="rules-changed").exists()


def test_a_dry_run_of_an_enrolment_tells_every_problem(
    campaign: Campaign, muster: Muster, bob: User, as_bob: APIClient
) -> None:
    place = f"{CAMPAIGNS}{campaign.pk}/enrolments/"
    grand = str(muster(bob, "Too grand", "captain", "captain", "captain", "veteran").pk)
    checked = as_bob.post(place, {"warband": grand, "dry_run": True})
    assert checked.status_code == 200
    assert {problem["code"] for problem in checked.data["problems"]} == {
        "over-points",
        "two-captains",
    }
    refused = as_bob.post(place, {"warband": grand})
    assert (refused.status_code, refused.data["code"]) == (400, "illegal-roster")
    assert {line["code"] for line in refused.data["errors"]} == {"over-points", "two-captains"}
    assert not Enrolment.objects.exists()


@pytest.mark.parametrize(
    ("change", "wrong"),
    [
        ({"warband": "x"}, ("/warband", "invalid")),
        ({"warband": None}, ("/warband", "null")),
        ({"player": "x"}, ("/player", "invalid")),
        ({"colour": "red"}, ("/colour", "not-a-colour")),
        ({"colour": "x" * 8}, ("/colour", "max_length")),
        ({"overrule": "x" * 301}, ("/overrule", "max_length")),
    ],
)
def test_an_odd_enrolment_is_refused(
    campaign: Campaign,
    muster: Muster,
    bob: User,
    as_bob: APIClient,
    change: dict,
    wrong: tuple[str, str],
) -> None:
    body = {"warband": str(muster(bob, "Reds").pk)} | change
    assert codes(as_bob.post(f"{CAMPAIGNS}{campaign.pk}/enrolments/", body)) == {wrong}
    assert not Enrolment.objects.exists()


def test_a_warband_or_player_that_is_not_there_is_not_found(
    campaign: Campaign, muster: Muster, bob: User, as_bob: APIClient
) -> None:
    place = f"{CAMPAIGNS}{campaign.pk}/enrolments/"
    assert as_bob.post(place, {"warband": str(uuid4())}).status_code == 404
    assert (
        as_bob.post(
            place, {"warband": str(muster(bob, "R").pk), "player": str(uuid4())}
        ).status_code
        == 404
    )


def test_a_warband_that_plays_elsewhere_is_a_conflict(
    enrolled: Campaign, club: Club, alice: User, bob: User, as_bob: APIClient
) -> None:
    other = plan_campaign(club_id=club.pk, user=alice, name="Summer", ruleset="toy", points=50)
    body = {"warband": str(Warband.objects.get(owner=bob).pk)}
    answer = as_bob.post(f"{CAMPAIGNS}{other.pk}/enrolments/", body)
    assert (answer.status_code, answer.data["code"]) == (409, "already-enrolled")


def test_an_organiser_overrules_and_names_the_player(
    campaign: Campaign, muster: Muster, alice: User, as_alice: APIClient, as_bob: APIClient
) -> None:
    guest = as_alice.post(f"/api/v1/clubs/{campaign.club_id}/members/", {"name": "Gaston"}).data[
        "id"
    ]
    body = {
        "warband": str(muster(None, "Captains", "captain", "captain", keeper=alice).pk),
        "player": guest,
    }
    answer = as_alice.post(f"{CAMPAIGNS}{campaign.pk}/enrolments/", body | {"overrule": "Twins."})
    assert (answer.status_code, answer.data["player_name"], answer.data["overruled"]) == (
        201,
        "Gaston",
        "Twins.",
    )
    assert as_bob.get(f"/api/v1/enrolments/{answer.data['id']}/").data == answer.data


def test_a_player_withdraws_with_a_reason(enrolled: Campaign, bob: User, as_bob: APIClient) -> None:
    place = f"/api/v1/enrolments/{Enrolment.objects.get(warband__owner=bob).pk}/"
    assert as_bob.delete(f"{place}?reason={'x' * 301}").status_code == 400
    assert as_bob.delete(f"{place}?reason=Moving+house").status_code == 204
    assert as_bob.get(place).data["left_at"] is not None
    again = as_bob.delete(place)
    assert (again.status_code, again.data["code"]) == (409, "already-withdrawn")


def test_enrolments_are_filtered_and_ordered(
    enrolled: Campaign, bob: User, as_bob: APIClient
) -> None:
    place = f"{CAMPAIGNS}{enrolled.pk}/enrolments/"
    names = lambda query: [  # noqa: E731
        row["warband_name"] for row in as_bob.get(f"{place}?{query}").data["results"]
    ]
    assert names("ordering=-name") == ["Bob's Reds", "Alice's Reds"]
    assert names(f"player={seat(enrolled.club, 'Bob')}") == ["Bob's Reds"]
    as_bob.delete(f"/api/v1/enrolments/{Enrolment.objects.get(warband__owner=bob).pk}/")
    assert names("current=true") == ["Alice's Reds"]
    assert names("current=false") == ["Bob's Reds"]
    assert as_bob.get(f"{place}?player=x").status_code == 400


def test_the_log_is_filtered_by_warband_kind_and_time(
    enrolled: Campaign, alice: User, as_bob: APIClient
) -> None:
    warband = Warband.objects.get(owner=alice)
    append_facts({warband.pk: Renamed(name="Blues")}, user=alice)
    place = f"{CAMPAIGNS}{enrolled.pk}/log/"
    lines = lambda query: [row["phrase"] for row in as_bob.get(f"{place}?{query}").data["results"]]  # noqa: E731
    entered = "entered The Long Winter with 50 points"
    assert lines("") == ["took the name Blues", entered, entered]
    assert lines("kind=renamed") == ["took the name Blues"]
    assert lines(f"warband={warband.pk}&kind=enrolled&kind=renamed") == [
        "took the name Blues",
        entered,
    ]
    assert lines(f"battle={uuid4()}") == []
    assert lines("until=2020-01-01T00:00:00Z") == []
    assert lines("page_size=1&page=3") == [entered]
    first = as_bob.get(place).data["results"][0]
    assert (first["who"], first["warband_name"], first["colour"]) == ("Alice", "Blues", "#7a2e2e")
    for query in ("kind=luck", "warband=x", "since=yesterday"):
        assert as_bob.get(f"{place}?{query}").status_code == 400


def test_lists_cost_the_same_for_one_row_as_for_many(
    enrolled: Campaign,
    club: Club,
    muster: Muster,
    alice: User,
    bob: User,
    django_assert_num_queries,
    django_assert_max_num_queries,
) -> None:
    client = api_of(bob)
    for number in range(3):
        plan_campaign(club_id=club.pk, user=alice, name=f"More {number}", ruleset="toy", points=50)
        warband = muster(bob, f"More {number}")
        enrol_warband(campaign_id=enrolled.pk, warband_id=warband.pk, user=bob)
        append_facts({warband.pk: Left(fighter=str(warband.fighters.all()[1].pk))}, user=bob)
    place = f"{CAMPAIGNS}{enrolled.pk}/"
    with django_assert_num_queries(2):
        assert client.get(CAMPAIGNS).data["count"] == 4
    # The campaign, and the versions of its rows: on SQLite a query for each of six tables.
    # tests/bench/query_counts.toml has the number on PostgreSQL.
    with django_assert_max_num_queries(7):
        client.get(place)
    with django_assert_num_queries(3):
        assert client.get(f"{place}enrolments/").data["count"] == 5
    with django_assert_num_queries(6):
        assert client.get(f"{place}log/").data["count"] == 8
    with django_assert_num_queries(1):
        client.get(f"{place}house-rules/")
