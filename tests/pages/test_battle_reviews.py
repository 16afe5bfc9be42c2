"""The review of a result, the steps of a battle, and corrections while it is under review."""

import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.urls import reverse

from battles.models import Battle, BattleState
from battles.services.logbook import log_events
from battles.services.review import dispute_side, submit_battle
from battles.services.setting_up import set_up_battle
from campaigns.models import Campaign
from tests.pages import world
from tests.pages.conftest import Clients
from warbands.models import Warband

pytestmark = [pytest.mark.one_database, pytest.mark.django_db]


@pytest.fixture
def disputed(submitted: Battle, bob: User) -> Battle:
    """Return a submitted battle whose wound Bob disputes."""
    dispute_side(battle_id=submitted.pk, user=bob, reason="He was only stunned.")
    return Battle.objects.get(pk=submitted.pk)


def page(browser: Any, route: str, battle: Battle) -> str:
    body = browser.get(reverse(f"battles:{route}", args=[battle.pk])).content.decode()
    return " ".join(body.split())


def steps(browser: Any, battle: Battle) -> list[tuple[str, str]]:
    shown = browser.get(reverse("battles:battle", args=[battle.pk])).context["card"].steps
    return [(step.label, step.state) for step in shown]


def test_review_shows_only_changed_fighters_open(browsers: Clients, begun: Battle) -> None:
    first, second = (side.combatants.first() for side in begun.sides.order_by("place"))
    assert first is not None and second is not None
    event = world.wound(first.fighter, second.fighter)
    log_events(battle_id=begun.pk, events=[event], user=browsers._users["alice"])
    shown = page(browsers.alice, "review", begun)
    open_part = re.sub(r"<details.*?</details>", "", shown.split("<main")[1])
    assert second.name in open_part and first.name in open_part, "One was hit, one earned more."
    others = [each.name for side in begun.sides.all() for each in side.combatants.all()]
    quiet = [name for name in others if name not in (first.name, second.name)]
    assert len(quiet) == 6 and not any(name in open_part for name in quiet)
    assert shown.count("3 without wounds") == 2 and all(name in shown for name in quiet)


def test_review_of_submitted_battle_asks_nothing(browsers: Clients, submitted: Battle) -> None:
    shown = page(browsers.bob, "review", submitted)
    assert "Not submitted yet" not in shown and "Submit result" not in shown


def test_steps_leave_out_setup_that_never_was(
    browsers: Clients, begun: Battle, alice: User
) -> None:
    assert ("Setup", "now") in steps(browsers.alice, begun)
    fighters = [side.combatants.first() for side in begun.sides.order_by("place")]
    assert fighters[0] is not None and fighters[1] is not None
    event = world.wound(fighters[0].fighter, fighters[1].fighter)
    log_events(battle_id=begun.pk, events=[event], user=alice)
    expected = [("Plan", "done"), ("Line-ups", "done"), ("Battle", "now")]
    assert steps(browsers.alice, begun)[:3] == expected


def test_steps_show_setup_that_was_done(browsers: Clients, planned: Battle, alice: User) -> None:
    set_up_battle(battle_id=planned.pk, user=alice)
    assert ("Setup", "done") in steps(browsers.alice, planned)


def test_steps_of_disputed_battle_end_in_dispute(browsers: Clients, disputed: Battle) -> None:
    assert steps(browsers.alice, disputed)[-1] == ("Dispute", "now")


def test_organiser_corrects_disputed_entry(
    browsers: Clients, disputed: Battle, alice: User
) -> None:
    entry = disputed.events.get(kind="wound")
    where = reverse("battles:correct-entry", args=[disputed.pk, entry.sequence])
    assert where in page(browsers.alice, "battle", disputed)
    assert where not in page(browsers.bob, "battle", disputed)
    assert browsers.bob.get(where).status_code == 403
    data = {
        **{f"entry-{key}": value for key, value in entry.data.items()},
        "entry-result": "scratch",
        "version": disputed.version,
        "client_id": "6f9a2f4c-5d0e-4c8e-9a3e-0f6f0b0a1c11",
        "commit": "1",
    }
    assert browsers.alice.post(where, {**data, "reason": ""}).status_code == 400
    answer = browsers.alice.post(where, {**data, "reason": "Both saw a scratch."}, follow=True)
    assert "Correction saved. All sides confirm the new result." in answer.content.decode()
    battle = Battle.objects.get(pk=disputed.pk)
    assert battle.state == BattleState.SUBMITTED and battle.submitted_by == alice
    dispute = battle.disputes.get()
    assert (dispute.answer, dispute.answer_reason) == ("reopened", "Both saw a scratch.")
    assert "scratch" in page(browsers.bob, "battle", battle).lower()


def test_illegal_correction_leaves_dispute_open(browsers: Clients, disputed: Battle) -> None:
    entry = disputed.events.get(kind="wound")
    where = reverse("battles:correct-entry", args=[disputed.pk, entry.sequence])
    data = {**{f"entry-{key}": value for key, value in entry.data.items()}, "commit": "1"}
    wrong = {**data, "version": "99", "reason": "Why not.", "entry-result": "scratch"}
    assert browsers.alice.post(where, wrong).status_code == 409
    assert Battle.objects.get(pk=disputed.pk).state == BattleState.DISPUTED


def test_corrector_groups_entries_without_turn_once(
    browsers: Clients, begun: Battle, alice: User
) -> None:
    first, second = (side.combatants.first() for side in begun.sides.order_by("place"))
    assert first is not None and second is not None
    wounds = [world.wound(first.fighter, second.fighter, "scratch") for _ in range(3)]
    turns = (None, 1, None)
    events = [
        type(wound)(wound.client_id, wound.kind, wound.data, turn)
        for wound, turn in zip(wounds, turns, strict=True)
    ]
    for event in events:
        log_events(battle_id=begun.pk, events=[event], user=alice)
    submit_battle(battle_id=begun.pk, user=alice)
    battle = Battle.objects.get(pk=begun.pk)
    browsers.alice.post(reverse("battles:decide", args=[battle.pk]), _as_logged(battle))
    shown = page(browsers.alice, "correct", battle)
    assert shown.count("Without a turn") == 1
    assert shown.index("Turn 1") < shown.index("Without a turn")


def test_organiser_who_confirms_for_all_reads_that_it_is_confirmed(
    browsers: Clients, submitted: Battle
) -> None:
    where = reverse("battles:decide", args=[submitted.pk])
    shown = browsers.alice.post(where, _as_logged(submitted), follow=True).content.decode()
    assert "Result confirmed." in shown and "Decision saved." not in shown


def _as_logged(battle: Battle) -> dict[str, Any]:
    return {"decision": "as-logged", "reason": "", "version": battle.version}


def test_list_says_who_won_a_battle_without_points(
    browsers: Clients, campaign: Campaign, confirmed: Battle
) -> None:
    battle_list = reverse("battles:campaign", args=[campaign.pk])
    confirmed.sides.filter(outcome="won").update(outcome="lost")
    confirmed.sides.update(victory_points=0, outcome="drew")
    assert " ".join(browsers.bob.get(battle_list).content.decode().split()).count("drew") == 2
    confirmed.sides.filter(key="a").update(outcome="won")
    confirmed.sides.filter(key="b").update(outcome="lost")
    shown = " ".join(browsers.bob.get(battle_list).content.decode().split())
    assert shown.count("<small>won</small>") == 1


def test_battles_of_one_scenario_get_their_own_names(
    alice: User, campaign: Campaign, guards: Warband, haufen: Warband
) -> None:
    plan = [world.planned_battle(alice, campaign, guards, haufen) for _ in range(3)]
    named = world.planned_battle(alice, campaign, guards, haufen, title="The Mill")
    assert [each.title for each in plan] == ["", "Skirmish 2", "Skirmish 3"]
    assert named.title == "The Mill"
    own = [world.planned_battle(alice, None, guards, haufen) for _ in range(2)]
    assert [each.title for each in own] == ["", "Skirmish 2"]


def test_plan_says_why_it_suggests_a_scenario(browsers: Clients, campaign: Campaign) -> None:
    where = f"{reverse('leagues:plan')}?campaign={campaign.pk}"
    assert "played it least" in browsers.bob.get(where).content.decode()
    assert "played it least" not in browsers.bob.get(f"{where}&scenario=raid").content.decode()
