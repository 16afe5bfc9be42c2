"""The main job through the API, from the plan to the correction; lists, filters, and what each
answer holds."""

from typing import Any
from uuid import uuid4

import msgspec
import pytest
from django.contrib.auth.models import User
from rest_framework.test import APIClient

from battles.api import examples
from battles.api.logs import LoggedEvents, SideFielded
from battles.models import Battle
from battles.selectors.battle_page import OpenBattle, RevisionLine
from battles.selectors.battle_rows import BattleRow
from battles.selectors.confirmation_preview import ConfirmationPreview
from battles.selectors.log_sentences import EventLine
from battles.selectors.opponents import Opponents
from battles.services.correction_differences import CorrectionDifference
from battles.services.sheet_preview import SheetPreview
from campaigns.models import Campaign
from clubs.models import Club
from tests.battles.field import (
    begin,
    confirmed,
    fight,
    fighters,
    muster,
    plan,
    rank_up,
    run_campaign,
    state,
    wound,
)
from warbands.models import Fighter, Warband

ROOT = "/api/v1/battles/"


def place(battle: Battle | str, *steps: str) -> str:
    """Return the API path of a part of a battle."""
    key = battle.pk if isinstance(battle, Battle) else battle
    return ROOT + "".join(f"{step}/" for step in (str(key), *steps))


def codes(answer: Any) -> dict[str, str]:
    """Return the errors of a problem: code by field."""
    return {line["field"]: line["code"] for line in answer.json().get("errors", [])}


def test_a_battle_from_the_plan_to_its_log(
    campaign: Campaign, as_alice: APIClient, as_bob: APIClient, reds: Warband, blues: Warband
) -> None:
    wish = {
        "client_id": str(uuid4()),
        "campaign": str(campaign.pk),
        "scenario": "brawl",
        "sides": [
            {"warband": str(reds.pk), "role": "side"},
            {"warband": str(blues.pk), "role": "side"},
        ],
        "fought_on": "2026-03-07",
        "points_limit": 150,
        "set_up": {"weather": "rain"},
    }
    planned = as_alice.post(ROOT, wish)
    assert (planned.status_code, planned.data["set_up"]) == (201, {"weather": "rain"}), planned.data
    battle = planned.data["id"]
    assert as_alice.post(ROOT, wish).data["id"] == battle

    for key, warband in (("a", reds), ("b", blues)):
        force = {"fighters": [str(fighter.pk) for fighter in fighters(warband)]}
        fielded = as_bob.put(place(battle, "sides", key, "combatants"), force)
        assert (fielded.status_code, fielded.json()["warnings"]) == (200, []), fielded.data
    assert fielded.data["battle"]["sides"][1]["combatants"][0]["posts"][0]["key"] == "leader"

    started = as_alice.post(place(battle, "start"), {"version": fielded.data["battle"]["version"]})
    assert (started.status_code, started.data["state"]) == (200, "under-way")

    hits = hits_by(fighters(reds)[1], blues)
    response = as_alice.post(place(battle, "events"), hits[0])
    assert (response.status_code, [event["sequence"] for event in response.data["events"]]) == (
        201,
        [1],
    )
    rest = as_bob.post(
        place(battle, "events"), {"version": response.data["version"], "events": hits}
    )
    assert [event["sequence"] for event in rest.data["events"]] == [1, 2, 3]
    assert as_bob.post(place(battle, "events"), hits).data == rest.data

    log = as_bob.get(place(battle, "events")).data
    assert log["count"] == 3
    assert log["results"][0]["sentence"].startswith("Wound: attacker Reds 1")


def hits_by(striker: Fighter, victims: Warband) -> list[dict[str, Any]]:
    """Return a light wound on each of the victims, as a client sends it."""
    return [
        {
            "client_id": str(uuid4()),
            "kind": "wound",
            "data": {"attacker": str(striker.pk), "victim": str(victim.pk), "result": "light"},
            "turn": 2,
        }
        for victim in fighters(victims)
    ]


def test_a_battle_from_its_log_to_the_last_correction(
    campaign: Campaign,
    alice: User,
    as_alice: APIClient,
    as_bob: APIClient,
    reds: Warband,
    blues: Warband,
) -> None:
    battle = begin(alice, campaign, reds, blues)
    as_alice.post(place(battle, "events"), hits_by(fighters(reds)[1], blues))
    preview = as_bob.get(place(battle, "preview")).data
    assert preview["sides"][0]["fighters"][1]["experience_after"] == 4
    assert as_alice.post(place(battle, "submit")).data["state"] == "submitted"
    disputed = as_bob.post(place(battle, "dispute"), {"reason": "There were two."})
    assert (disputed.data["state"], disputed.data["sides"][1]["dispute"]) == (
        "disputed",
        "There were two.",
    )
    decided = as_alice.post(
        place(battle, "decide"), {"decision": "as-logged", "reason": "I counted three."}
    )
    assert (decided.status_code, decided.data["state"]) == (200, "confirmed")
    assert decided.json()["doors"]["actions"] == ["describe", "correct", "void"]

    rank_up(alice, fighters(reds)[1])
    strikes = [
        {
            "client_id": str(uuid4()),
            "kind": "correction",
            "data": {"event": target, "reason": "Misread."},
        }
        for target in (2, 3)
    ]
    mend = {"events": strikes, "reason": "Miscounted."}
    dry = as_alice.post(place(battle, "corrections"), mend | {"dry_run": True})
    assert (dry.status_code, len(dry.data["conflicts"])) == (200, 1)
    refused = as_alice.post(place(battle, "corrections"), mend)
    assert (refused.status_code, refused.json()["code"]) == (409, "open-conflicts")
    undo = [{name: dry.data["conflicts"][0][name] for name in ("warband", "sequence")}]
    corrected = as_alice.post(place(battle, "corrections"), mend | {"undo": undo})
    assert (corrected.status_code, corrected.data["number"]) == (201, 1)
    assert (fighters(reds)[1].rank, fighters(reds)[1].experience) == (1, 2)
    assert as_bob.get(place(battle, "corrections")).data["count"] == 1


def test_api_returns_and_voids_confirmed_battle(
    campaign: Campaign,
    alice: User,
    as_alice: APIClient,
    as_bob: APIClient,
    reds: Warband,
    blues: Warband,
) -> None:
    battle = confirmed(alice, campaign, reds, blues)
    response = as_bob.patch(place(battle), {"title": "The ford", "story": "It rained."})
    assert (response.data["name"], response.data["story"]) == ("The ford", "It rained.")
    assert as_alice.post(place(battle, "void"), {"dry_run": True}).data["verdict_after"] == ""
    assert as_alice.post(place(battle, "void"), {"reason": "Wrong lists."}).data["state"] == "void"
    assert state(reds).games_played == 0


def test_confirming_twice_is_a_conflict(
    campaign: Campaign, alice: User, as_bob: APIClient, reds: Warband, blues: Warband
) -> None:
    battle = fight(alice, campaign, reds, blues)
    assert (
        as_bob.post(place(battle, "confirm"), {"version": battle.version}).data["state"]
        == "confirmed"
    )
    again = as_bob.post(place(battle, "confirm"))
    assert (again.status_code, again.json()["code"]) == (409, "already-confirmed")


def test_a_submitted_battle_can_be_opened_again(
    campaign: Campaign, alice: User, as_alice: APIClient, reds: Warband, blues: Warband
) -> None:
    battle = fight(alice, campaign, reds, blues)
    assert as_alice.post(place(battle, "reopen")).data["state"] == "under-way"


def test_api_rejects_stale_versions_everywhere(
    campaign: Campaign, alice: User, as_alice: APIClient, reds: Warband, blues: Warband
) -> None:
    stale = {"version": 99}
    event = {"client_id": str(uuid4()), "kind": "note", "data": {"text": "One"}}
    force = {"fighters": [str(fighters(reds)[0].pk)]}
    open_one, under_way = plan(alice, campaign, reds, blues), begin(alice, campaign, reds, blues)
    submitted, settled = (
        fight(alice, campaign, reds, blues),
        confirmed(alice, campaign, reds, blues),
    )
    sent = [
        as_alice.patch(place(open_one), {"title": "X", **stale}),
        as_alice.put(place(open_one, "sides", "a", "combatants"), force | stale),
        as_alice.post(place(open_one, "start"), stale),
        as_alice.post(place(under_way, "events"), {"events": [event], **stale}),
        as_alice.post(place(under_way, "submit"), stale),
        as_alice.post(place(submitted, "confirm"), {"side": "b", **stale}),
        as_alice.post(place(submitted, "dispute"), {"reason": "X", **stale}),
        as_alice.post(place(submitted, "decide"), {"decision": "as-logged", **stale}),
        as_alice.post(place(submitted, "reopen"), stale),
        as_alice.post(place(submitted, "void"), stale),
        as_alice.post(place(settled, "corrections"), {"events": [event], "reason": "X", **stale}),
    ]
    assert {(answer.status_code, answer.json()["code"]) for answer in sent} == {
        (409, "stale-version")
    }


def test_lists_are_filtered_ordered_and_cut_into_pages(
    club: Club, campaign: Campaign, alice: User, as_bob: APIClient, reds: Warband, blues: Warband
) -> None:
    first = confirmed(alice, campaign, reds, blues)
    second = plan(alice, campaign, reds, blues, title="A ford")
    others = muster(alice, "Greens"), muster(alice, "Greys")
    elsewhere = run_campaign(club, alice, *others)
    third = plan(alice, elsewhere, *others, title="B bridge")
    Battle.objects.filter(pk=second.pk).update(fought_on="2026-05-01")

    def listed(**query: Any) -> set[Any]:
        answer = as_bob.get(ROOT, query)
        assert answer.status_code == 200, answer.data
        return {row["id"] for row in answer.data["results"]}

    assert listed() == {str(each.pk) for each in (first, second, third)}
    assert listed(campaign=elsewhere.pk) == {str(third.pk)}
    assert listed(state="confirmed") == listed(fighter=fighters(reds)[0].pk) == {str(first.pk)}
    assert listed(warband=reds.pk) == {str(first.pk), str(second.pk)}
    assert listed(fought_after="2026-04-01") == {str(second.pk)}
    assert listed(fought_before="2026-04-01", scenario="brawl") == {str(first.pk), str(third.pk)}
    assert listed(one_off=True) == listed(friendly=True) == set()
    page = as_bob.get(ROOT, {"ordering": "-title", "page_size": "2"}).data
    assert ([row["name"] for row in page["results"]], page["count"]) == (["B bridge", "A ford"], 3)
    assert as_bob.get(ROOT, {"state": "asleep"}).status_code == 400
    assert as_bob.get(ROOT, {"campaign": "nonsense"}).status_code == 400


def test_a_stranger_lists_public_battles_alone(
    campaign: Campaign, alice: User, as_charlie: APIClient, reds: Warband, blues: Warband
) -> None:
    battle = plan(alice, campaign, reds, blues)
    assert as_charlie.get(ROOT).data["count"] == 0
    Campaign.objects.update(visibility="unlisted")
    assert as_charlie.get(ROOT).data["count"] == 0
    assert as_charlie.get(place(battle)).status_code == 200
    Campaign.objects.update(visibility="public")
    assert as_charlie.get(ROOT).data["count"] == 1


def test_the_secret_behind_the_dice_is_never_shown(
    campaign: Campaign, alice: User, as_alice: APIClient, reds: Warband, blues: Warband
) -> None:
    battle = confirmed(alice, campaign, reds, blues)
    for address in (ROOT, place(battle), place(battle, "events")):
        assert battle.dice_seed not in as_alice.get(address).content.decode()


@pytest.mark.parametrize(
    ("example", "structure"),
    [
        (examples.BATTLE, OpenBattle),
        (examples.BATTLE_ROW, BattleRow),
        (examples.SIDE_FIELDED, SideFielded),
        (examples.LOGGED, LoggedEvents),
        (examples.EVENT_LINE, EventLine),
        (examples.CONFIRMATION_PREVIEW, ConfirmationPreview),
        (examples.SHEET_PREVIEW, SheetPreview),
        (examples.DIFFERENCE, CorrectionDifference),
        (examples.REVISION, RevisionLine),
        (examples.OPPONENTS, Opponents),
    ],
)
def test_each_example_of_the_schema_is_what_it_shows(
    example: dict[str, Any], structure: Any
) -> None:
    shown = msgspec.json.decode(msgspec.json.encode(msgspec.convert(example, structure)))
    assert shown == example


def test_a_force_is_tried_before_it_is_fielded(
    campaign: Campaign, alice: User, as_alice: APIClient, reds: Warband, blues: Warband
) -> None:
    battle, own = (
        plan(alice, campaign, reds, blues),
        [str(fighter.pk) for fighter in fighters(reds)],
    )
    tried = as_alice.put(
        place(battle, "sides", "a", "combatants"), {"fighters": [own[0], own[0]], "dry_run": True}
    )
    assert [warning["code"] for warning in tried.json()["warnings"]] == ["fielded-twice"]
    tried = as_alice.put(
        place(battle, "sides", "a", "combatants"), {"fighters": own, "dry_run": True}
    )
    assert (tried.status_code, tried.json()["warnings"]) == (200, [])
    assert tried.json()["battle"]["sides"][0]["combatants"] == []
    assert tried.json()["battle"]["card"]["next"]["action"] == "field"


def test_a_one_off_battle_between_warbands_of_a_campaign_can_be_counted_in_it(
    campaign: Campaign, alice: User, as_alice: APIClient, reds: Warband, blues: Warband
) -> None:
    battle = plan(alice, None, reds, blues)
    assert as_alice.get(place(battle)).json()["card"]["may_count_in"] == str(campaign.pk)
    refused = as_alice.post(place(battle, "count-in"), {"campaign": str(uuid4())})
    assert (refused.status_code, refused.json()["code"]) == (400, "unknown-campaign")
    stale = as_alice.post(place(battle, "count-in"), {"campaign": str(campaign.pk), "version": 9})
    assert (stale.status_code, stale.json()["code"]) == (409, "stale-version")
    counted = as_alice.post(
        place(battle, "count-in"), {"campaign": str(campaign.pk), "version": battle.version}
    )
    assert (counted.json()["campaign"], counted.json()["friendly"]) == (str(campaign.pk), False)
    again = as_alice.post(place(battle, "count-in"), {"campaign": str(campaign.pk)})
    assert (again.status_code, again.json()["code"]) == (409, "wrong-state")


def test_api_previews_result_of_new_events(
    campaign: Campaign,
    alice: User,
    as_alice: APIClient,
    as_bob: APIClient,
    reds: Warband,
    blues: Warband,
) -> None:
    battle = begin(alice, campaign, reds, blues)
    hits = hits_by(fighters(reds)[1], blues)
    for _ in range(2):
        response = as_bob.post(
            place(battle, "preview"), {"events": [*hits, {**hits[0], "kind": "dance"}]}
        )
        assert response.status_code == 409, "the same id with other content"
        response = as_bob.post(
            place(battle, "preview"),
            {"events": [*hits, {"client_id": str(uuid4()), "kind": "dance"}]},
        )
        assert (response.status_code, [each["code"] for each in response.json()["problems"]]) == (
            200,
            ["unknown-event-kind"],
        )
        assert sum(
            bool(fighter["wounds"])
            for side in response.json()["preview"]["sides"]
            for fighter in side["fighters"]
        ) == len(hits)
    assert not battle.events.exists()


@pytest.mark.postgres
def test_every_list_and_every_page_costs_the_same_for_five_and_for_forty(
    club: Club, alice: User, as_alice: APIClient, django_assert_num_queries: Any
) -> None:
    for size in (5, 40):
        warbands = [
            muster(alice, f"{name} {size}", *["recruit"] * size) for name in ("Reds", "Blues")
        ]
        campaign = run_campaign(club, alice, *warbands)
        reds, blues = map(fighters, warbands)
        hits = [wound(reds[each], blues[each]) for each in range(size)]
        battles = [confirmed(alice, campaign, *warbands, events=hits) for _ in range(size // 5)]
        # One of them reads the versions of the rows, so that the same list is answered with 304.
        with django_assert_num_queries(4):
            assert as_alice.get(ROOT, {"campaign": str(campaign.pk)}).data["count"] == len(battles)
        with django_assert_num_queries(8):
            as_alice.get(place(battles[0]))
        with django_assert_num_queries(6):
            as_alice.get(place(battles[0], "events"), {"page_size": 200})
        with django_assert_num_queries(2):
            as_alice.get(place(battles[0], "corrections"))
