"""The API in use: a warband is built, looked at, filtered, copied; examples and schema tell the
truth."""

from typing import Any
from uuid import UUID, uuid4

import msgspec
import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from campaigns.models import Campaign
from clubs.models import Club
from reference.selectors.rulesets import RulesetCatalogue, RulesetRow
from tests.warbands.conftest import Enrol, fight, fighter_of
from warbands.api import examples
from warbands.models import Warband
from warbands.selectors.chronicle_log import ChronicleLine, LedgerRow
from warbands.selectors.draft_page import DraftPage, PricedBuild, SuggestedNames, TemplateLine
from warbands.selectors.explanations import Explanation
from warbands.selectors.fighter_card import FighterCard
from warbands.selectors.fighter_page import FighterPage, RankUpList
from warbands.selectors.warband_list import WarbandRow
from warbands.selectors.warband_page import ProblemList, Recruits, WarbandPage
from warbands.services.rank_up_offers import prepare_offers
from warbands.services.roster import NewFighter, recruit_fighters
from warbands.services.warbands import muster_warband

RECRUIT = {"profile": "recruit"}


def queries(client: APIClient, path: str) -> int:
    with CaptureQueriesContext(connection) as captured:
        assert client.get(f"/api/v1/{path}").status_code == 200
    return len(captured)


def names(answer: Any) -> list[str]:
    return [row["name"] for row in answer.json()["results"]]


def test_a_warband_is_built_over_the_api(as_bob: APIClient) -> None:
    mustered = as_bob.post(
        "/api/v1/warbands/",
        {"ruleset": "toy", "faction": "reds", "name": "The Reds", "extras": {"banner": True}},
    )
    assert mustered.status_code == 201
    base = f"/api/v1/warbands/{mustered.json()['id']}/"
    fighters = [{"build": {"profile": "captain"}, "name": "Hector"}, {"build": RECRUIT, "count": 3}]
    joined = as_bob.post(f"{base}fighters/", {"fighters": fighters})
    assert [card["name"] for card in joined.json()["fighters"]] == [
        "Hector",
        "Recruit 1",
        "Recruit 2",
        "Recruit 3",
    ]
    assert (joined.json()["points"], joined.json()["problems"]) == (36, [])
    hector, first, *_ = (card["id"] for card in joined.json()["fighters"])
    named = as_bob.post(f"{base}appoint/", {"leader": hector, "banner": first}).json()["posts"]
    assert [(post["key"], post["holders"]) for post in named] == [
        ("leader", [hector]),
        ("banner", [first]),
    ]
    assert as_bob.post(f"{base}appoint/", {"banner": None}).json()["posts"][1]["holders"] == []
    build = {"build": {"profile": "recruit", "options": ["sword"]}}
    changed = as_bob.put(f"/api/v1/fighters/{first}/build/", build).json()
    assert changed["card"]["points"] == 6
    assert as_bob.post(f"/api/v1/fighters/{first}/leave/", {"reason": "struck"}).status_code == 204
    shown = as_bob.get(base).json()
    assert (shown["points"], shown["fighters_serving"], shown["sequence"]) == (31, 3, 6)


def test_one_request_sent_twice_recruits_once(reds: Warband, as_bob: APIClient) -> None:
    body = {"fighters": [{"build": RECRUIT, "client_id": str(uuid4())}]}
    first, second = (
        as_bob.post(f"/api/v1/warbands/{reds.pk}/fighters/", body).json() for _ in range(2)
    )
    assert first == second
    assert reds.fighters.count() == 4


def test_names_and_stories_are_changed(reds: Warband, as_bob: APIClient) -> None:
    shown = as_bob.patch(
        f"/api/v1/warbands/{reds.pk}/",
        {"name": "The Scarlets", "visibility": "public", "story": ""},
    )
    assert (shown.json()["name"], shown.json()["visibility"]) == ("The Scarlets", "public")
    jack = fighter_of(reds, "Jack").pk
    page = as_bob.patch(
        f"/api/v1/fighters/{jack}/", {"name": "Black Jack", "story": "A cooper's son."}
    ).json()
    assert (page["card"]["name"], page["card"]["story"]) == ("Black Jack", "A cooper's son.")


def test_a_refused_change_changes_nothing_of_the_rest(reds: Warband, as_bob: APIClient) -> None:
    answer = as_bob.patch(f"/api/v1/warbands/{reds.pk}/", {"name": "Half", "visibility": "nobody"})
    assert answer.status_code == 400
    assert Warband.objects.get().name == "The Reds"


def test_copies_archives_and_problems(reds: Warband, as_bob: APIClient) -> None:
    base = f"/api/v1/warbands/{reds.pk}/"
    as_bob.post(f"{base}fighters/", {"fighters": [{"build": {"profile": "captain"}}]})
    assert [problem["code"] for problem in as_bob.get(f"{base}problems/").json()["problems"]] == [
        "two-captains"
    ]
    copied = as_bob.post(f"{base}copy/", {"name": "Twins"})
    assert (copied.status_code, copied.json()["name"], copied.json()["points"]) == (
        201,
        "Twins",
        42,
    )
    assert as_bob.post(f"{base}archive/", {}).json()["archived"]
    assert not as_bob.post(f"{base}archive/", {"archived": False}).json()["archived"]


def test_a_kept_warband_is_handed_over(club: Club, as_alice: APIClient, as_bob: APIClient) -> None:
    new = {"ruleset": "toy", "faction": "reds", "name": "Gaston's", "kept": True}
    kept = as_alice.post("/api/v1/warbands/", new).json()
    base = f"/api/v1/warbands/{kept['id']}/"
    assert (kept["owner"], kept["keeper"]) == ("", "alice")
    assert as_alice.post(f"{base}hand-over/", {"player": "bob"}).status_code == 200
    shown = as_bob.get(base).json()
    assert (shown["owner"], shown["keeper"]) == ("bob", "")
    assert as_alice.get(base).status_code == 404
    assert as_bob.post(f"{base}hand-over/", {"player": "dora"}).status_code == 202


def test_steps_are_offered_taken_and_taken_back(
    reds: Warband, campaign: Campaign, as_bob: APIClient
) -> None:
    fight(reds, {"Jack": 3})
    base = f"/api/v1/fighters/{fighter_of(reds, 'Jack').pk}/rank-ups/"
    assert not as_bob.get(base).json()["prepared"]
    prepare_offers(warband_id=reds.pk)
    offered = as_bob.get(base).json()
    assert offered["prepared"]
    assert [(offer["step"]["key"], offer["affordable"]) for offer in offered["steps"]] == [
        ("veteran", True)
    ]
    body = {"step": "veteran", "picks": {"option": "sword"}, "sequence": offered["sequence"]}
    risen = as_bob.post(base, body)
    assert (
        risen.status_code,
        risen.json()["card"]["rank"],
        risen.json()["card"]["experience"],
    ) == (201, 2, 1)
    assert as_bob.post(base, body).status_code == 409
    assert as_bob.post(f"{base}undo/").json()["card"]["experience"] == 4


def test_a_fighter_explains_every_number_when_asked(
    reds: Warband, campaign: Campaign, as_dora: APIClient
) -> None:
    fight(reds, {"Jack": 3})
    base = f"/api/v1/fighters/{fighter_of(reds, 'Jack').pk}/"
    assert as_dora.get(base).json()["explanation"] is None
    by_key = {
        explanation["key"]: explanation
        for explanation in as_dora.get(base, {"explain": 1}).json()["explanation"]
    }
    assert by_key["experience"]["value"] == "4"
    assert by_key["points"]["lines"] == [{"label": "Recruit", "points": 5, "source": ""}]
    assert {fact["rule"] for fact in by_key["experience"]["facts"]} == {'Toy rules: "Experience"'}


def test_chronicle_and_ledger_are_read_in_pages_and_filtered(
    reds: Warband, campaign: Campaign, as_bob: APIClient
) -> None:
    fight(reds, {"Jack": 3})
    battle = fight(reds)
    base = f"/api/v1/warbands/{reds.pk}/"
    chronicle = as_bob.get(f"{base}chronicle/", {"page_size": 2}).json()
    assert (chronicle["count"], [line["sequence"] for line in chronicle["results"]]) == (5, [5, 4])
    for query, expected in (
        ("kind=fought", [5, 4]),
        (f"subject={battle}", [5]),
        ("after=4", [5]),
        ("ordering=sequence&page_size=1", [1]),
    ):
        lines = as_bob.get(f"{base}chronicle/?{query}").json()["results"]
        assert [line["sequence"] for line in lines] == expected
    jack = str(fighter_of(reds, "Jack").pk)
    ledger = as_bob.get(f"{base}ledger/", {"fighter": jack, "code": "wound"}).json()
    assert ([line["balance"] for line in ledger["results"]], ledger["count"]) == ([4, 3, 2], 3)


def test_the_roster_is_read_in_pages_and_filtered(reds: Warband, as_bob: APIClient) -> None:
    fight(reds, dead=("Jill",))
    base = f"/api/v1/warbands/{reds.pk}/fighters/"
    assert names(as_bob.get(base)) == ["Hector", "Jack", "Jill"]
    assert names(as_bob.get(base, {"fate": "dead"})) == ["Jill"]
    assert names(as_bob.get(base, {"search": "JA"})) == ["Jack"]
    assert names(as_bob.get(base, {"rank": 3})) == ["Hector"]
    assert names(as_bob.get(f"{base}?ordering=-name&page_size=2")) == ["Jill", "Jack"]


def test_warbands_are_filtered_and_ordered(
    reds: Warband, enrol: Enrol, bob: User, alice: User, as_bob: APIClient, as_alice: APIClient
) -> None:
    campaign = enrol(reds)
    muster_warband(user=bob, ruleset="toy", faction="blues", name="The Blues")
    muster_warband(
        user=alice, ruleset="toy", faction="blues", name="A Guest's", kept=True, visibility="public"
    )
    Warband.objects.filter(name="The Blues").update(archived_at="2030-01-01T00:00Z")
    for query, expected in (
        ("", ["A Guest's", "The Blues", "The Reds"]),
        ("faction=blues", ["A Guest's", "The Blues"]),
        ("ruleset=toy&owner=bob", ["The Blues", "The Reds"]),
        (f"campaign={campaign.pk}", ["The Reds"]),
        (f"campaign={uuid4()}", []),
        ("mine=true", ["The Blues", "The Reds"]),
        ("mine=false", ["A Guest's"]),
        ("archived=true", ["The Blues"]),
        ("archived=false", ["A Guest's", "The Reds"]),
        ("search=reds", ["The Reds"]),
        ("visibility=public", ["A Guest's"]),
        ("ordering=-points&page_size=1", ["The Reds"]),
    ):
        assert names(as_bob.get(f"/api/v1/warbands/?{query}")) == expected, query
    assert names(as_alice.get("/api/v1/warbands/", {"mine": "true"})) == ["A Guest's"]
    row = as_bob.get("/api/v1/warbands/", {"search": "reds"}).json()["results"][0]
    assert (row["points"], row["locked"], row["campaign"]["name"]) == (26, True, "The Long Winter")


def test_the_rule_systems_are_listed_and_read_whole(as_bob: APIClient) -> None:
    rows = {row["key"]: row for row in as_bob.get("/api/v1/rulesets/").json()["results"]}
    assert rows["toy"]["factions"] == ["reds", "blues"]
    catalogue = as_bob.get("/api/v1/rulesets/toy/").json()
    assert [faction["key"] for faction in catalogue["factions"]] == ["reds", "blues"]
    assert [scenario["key"] for scenario in catalogue["scenarios"]] == ["brawl"]
    assert [rule["key"] for rule in catalogue["house_rules"]] == [
        "legality",
        "surviving",
        "missed_game",
    ]
    assert catalogue["weapons"] == []


# On SQLite, the content of rows is compared, by a statement for each table.
@pytest.mark.postgres
def test_the_queries_of_every_answer_are_the_same_for_many_rows(
    reds: Warband, campaign: Campaign, bob: User, alice: User, as_bob: APIClient
) -> None:
    fight(reds, {"Jack": 3})
    jack = fighter_of(reds, "Jack").pk
    paths = {
        "rulesets/": 0,
        "warbands/": 3,
        f"warbands/{reds.pk}/": 5,
        f"warbands/{reds.pk}/fighters/": 4,
        f"warbands/{reds.pk}/problems/": 2,
        f"warbands/{reds.pk}/chronicle/": 5,
        f"warbands/{reds.pk}/ledger/": 3,
        f"fighters/{jack}/": 6,
        f"fighters/{jack}/?explain=1": 9,
        f"fighters/{jack}/rank-ups/": 2,
    }
    assert {path: queries(as_bob, path) for path in paths} == paths
    for number in range(4):
        fight(reds, {"Jill": 2})
        muster_warband(user=bob, ruleset="toy", faction="blues", name=f"Blues {number}")
    recruit_fighters(
        warband_id=reds.pk, fighters=[NewFighter(RECRUIT, count=9)], user=alice, overrule="a crowd"
    )
    assert {path: queries(as_bob, path) for path in paths} == paths


@pytest.mark.parametrize(
    ("structure", "example"),
    [
        (RulesetRow, examples.RULESET),
        (RulesetCatalogue, examples.CATALOGUE),
        (WarbandRow, examples.WARBAND_ROW),
        (WarbandPage, examples.WARBAND_PAGE),
        (FighterCard, examples.CARD),
        (Recruits, examples.RECRUITED),
        (ProblemList, examples.PROBLEMS),
        (ChronicleLine, examples.CHRONICLE_LINE),
        (LedgerRow, examples.LEDGER_ROW),
        (FighterPage, examples.FIGHTER_PAGE),
        (RankUpList, examples.RANK_UPS),
        (Explanation, examples.EXPLAINED),
        (DraftPage, examples.DRAFT_PAGE),
        (PricedBuild, examples.PRICED),
        (SuggestedNames, examples.NAMES),
        (TemplateLine, examples.TEMPLATE),
    ],
)
def test_every_example_is_one_of_what_it_shows(
    structure: type[msgspec.Struct], example: dict[str, Any]
) -> None:
    assert msgspec.to_builtins(msgspec.convert(example, structure)).keys() <= example.keys()
    assert isinstance(UUID(examples.CARD["id"]), UUID)
