"""Planning: what is agreed, who may, and what a repeated request gets."""

from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import User

from battles.models import Battle
from battles.services.planning import BattlePlan, PlannedSide, plan_battle
from campaigns.models import Campaign
from clubs.models import Club
from clubs.services.clubs import edit_club
from core.errors import Forbidden, InvalidInput, StateConflict
from core.users import Visibility
from tests.battles.field import TODAY, found, muster, plan, planned, run_campaign
from warbands.models import Warband


def refused(user: User, plan: BattlePlan) -> dict[str, str]:
    """Return the problems of a refused plan: code by field."""
    with pytest.raises(InvalidInput) as refusal:
        plan_battle(user=user, plan=plan)
    assert not Battle.objects.exists()
    return {problem.field: problem.code for problem in refusal.value.problems} or {
        refusal.value.field: refusal.value.code
    }


def test_a_battle_of_a_campaign_keeps_the_house_rules_of_the_hour(
    club: Club, alice: User, reds: Warband, blues: Warband
) -> None:
    campaign = run_campaign(club, alice, reds, blues, surviving=2)
    battle = plan(alice, campaign, reds, blues, points_limit=150, title="The ford")
    Campaign.objects.filter(pk=campaign.pk).update(house_rules={})
    battle.refresh_from_db()
    assert battle.house_rules == {"surviving": 2}
    assert (battle.state, battle.friendly, battle.version) == ("planned", False, 1)
    assert [(side.key, side.warband) for side in battle.sides.order_by("place")] == [
        ("a", reds),
        ("b", blues),
    ]


def test_the_same_plan_sent_twice_plans_one_battle(
    campaign: Campaign, alice: User, reds: Warband, blues: Warband
) -> None:
    key = uuid4()
    first = plan(alice, campaign, reds, blues, client_id=key)
    assert plan(alice, campaign, reds, blues, client_id=key) == first
    assert Battle.objects.count() == 1


def test_another_plan_under_the_same_client_id_is_refused(
    campaign: Campaign, alice: User, reds: Warband, blues: Warband
) -> None:
    key = uuid4()
    plan(alice, campaign, reds, blues, client_id=key)
    with pytest.raises(StateConflict) as refusal:
        plan(alice, campaign, blues, reds, client_id=key)
    assert refusal.value.code == "plan-differs"


@pytest.mark.parametrize(
    "more", [{"title": "The ford"}, {"story": "It rained."}, {"points_limit": 20}]
)
def test_plan_with_one_thing_changed_is_refused(
    campaign: Campaign, alice: User, reds: Warband, blues: Warband, more: dict[str, Any]
) -> None:
    key = uuid4()
    plan(alice, campaign, reds, blues, client_id=key)
    with pytest.raises(StateConflict) as refusal:
        plan(alice, campaign, reds, blues, client_id=key, **more)
    assert refusal.value.code == "plan-differs"


def test_plan_that_is_friendly_now_is_refused(alice: User) -> None:
    warbands, key = (muster(alice, "Reds"), muster(alice, "Blues")), uuid4()
    plan(alice, None, *warbands, client_id=key)
    with pytest.raises(StateConflict):
        plan(alice, None, *warbands, client_id=key, friendly=True)


def test_two_people_may_use_the_same_client_id(
    campaign: Campaign, alice: User, bob: User, reds: Warband, blues: Warband
) -> None:
    key = uuid4()
    assert plan(alice, campaign, reds, blues, client_id=key) != plan(
        bob, campaign, reds, blues, client_id=key
    )


def test_a_one_off_battle_of_warbands_in_a_campaign_is_friendly(
    campaign: Campaign, alice: User, reds: Warband, blues: Warband, club: Club
) -> None:
    assert plan(alice, None, reds, blues).friendly


def test_a_one_off_battle_of_free_warbands_counts_unless_the_asker_says_otherwise(
    alice: User,
) -> None:
    warbands = muster(alice, "Reds"), muster(alice, "Blues")
    assert not plan(alice, None, *warbands).friendly
    assert plan(alice, None, *warbands, friendly=True).friendly


def test_every_problem_of_a_plan_is_named_at_once(
    campaign: Campaign, alice: User, reds: Warband
) -> None:
    stranger = uuid4()
    sides = (PlannedSide(reds.pk, "side"), PlannedSide(stranger, "king"))
    problems = refused(
        alice, BattlePlan(scenario="brawl", sides=sides, fought_on=TODAY, campaign=campaign.pk)
    )
    assert problems == {
        "sides.1.warband": "unknown-warband",
        "sides.1.role": "unknown-role",
        "sides": "role-count",
    }


def test_a_warband_cannot_fight_itself(campaign: Campaign, alice: User, reds: Warband) -> None:
    assert (
        refused(alice, planned(alice, reds, reds, campaign=campaign.pk))["sides.1.warband"]
        == "warband-twice"
    )


def test_a_battle_needs_two_sides(campaign: Campaign, alice: User, reds: Warband) -> None:
    assert refused(alice, planned(alice, reds, campaign=campaign.pk))["sides"] in (
        "side-count",
        "role-count",
    )


def test_a_scenario_that_nobody_knows_is_refused(
    campaign: Campaign, alice: User, reds: Warband, blues: Warband
) -> None:
    assert refused(alice, planned(alice, reds, blues, scenario="siege", campaign=campaign.pk)) == {
        "scenario": "unknown-scenario"
    }


def test_a_campaign_that_has_ended_takes_no_battles(
    campaign: Campaign, alice: User, reds: Warband, blues: Warband
) -> None:
    Campaign.objects.update(state="finished")
    assert refused(alice, planned(alice, reds, blues, campaign=campaign.pk)) == {
        "campaign": "campaign-not-running"
    }


def test_a_campaign_that_the_asker_cannot_see_is_unknown(
    campaign: Campaign, charlie: User, reds: Warband, blues: Warband
) -> None:
    assert refused(charlie, planned(charlie, reds, blues, campaign=campaign.pk)) == {
        "campaign": "unknown-campaign"
    }


def test_no_more_battles_than_the_campaign_has_games(
    campaign: Campaign, alice: User, reds: Warband, blues: Warband
) -> None:
    Campaign.objects.update(games=2)
    reds.state["games_played"] = 2
    reds.save()
    assert refused(alice, planned(alice, reds, blues, campaign=campaign.pk)) == {
        "sides": "all-games-played"
    }


def test_a_battle_of_a_campaign_cannot_be_friendly(
    campaign: Campaign, alice: User, reds: Warband, blues: Warband
) -> None:
    assert refused(alice, planned(alice, reds, blues, campaign=campaign.pk, friendly=True)) == {
        "friendly": "friendly-in-campaign"
    }


def test_a_spectator_plans_nothing(
    campaign: Campaign, dora: User, reds: Warband, blues: Warband
) -> None:
    with pytest.raises(Forbidden):
        plan(dora, campaign, reds, blues)


def test_a_player_plans_battles_of_others_where_the_club_lets_every_player(
    club: Club, campaign: Campaign, bob: User, alice: User
) -> None:
    third = muster(alice, "Greens")
    fourth = muster(alice, "Greys")
    Campaign.objects.update(state="finished")
    other = run_campaign(club, alice, third, fourth)
    with pytest.raises(Forbidden) as refusal:
        plan(bob, other, third, fourth)
    assert refusal.value.code == "not-your-warband"
    edit_club(club_id=club.pk, user=alice, battles_run_by="every-player")
    assert plan(bob, other, third, fourth).created_by == bob


def test_a_one_off_battle_needs_a_warband_of_ones_own(alice: User, charlie: User) -> None:
    reds, blues = muster(alice, "Reds"), muster(alice, "Blues")
    Warband.objects.update(visibility=Visibility.PUBLIC)
    with pytest.raises(Forbidden) as refusal:
        plan(charlie, None, reds, blues)
    assert refusal.value.code == "not-your-warband"


def test_a_hidden_warband_cannot_be_challenged(alice: User, charlie: User) -> None:
    own, hidden = muster(charlie, "Own"), muster(alice, "Hidden")
    assert refused(charlie, planned(charlie, own, hidden))["sides.1.warband"] == "unknown-warband"


def test_warbands_of_another_club_are_not_enrolled(
    campaign: Campaign, alice: User, charlie: User, reds: Warband
) -> None:
    found(charlie)
    other = muster(charlie, "Others")
    assert refused(alice, planned(alice, reds, other, campaign=campaign.pk)) == {
        "sides.1.warband": "unknown-warband"
    }
