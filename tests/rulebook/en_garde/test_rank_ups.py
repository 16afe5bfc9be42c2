"""Rank-ups: where each profile leads, what a step costs, gives, keeps and offers."""

from typing import Any

import pytest

from rulebook.ruleset import CampaignTerms
from rulebook.systems.en_garde.book import catalogue
from rulebook.systems.en_garde.experience.rank_ups import rank_up_cost
from rulebook.systems.en_garde.rosters.builds import from_json
from rulebook.systems.en_garde.rosters.loadouts import loadout
from rulebook.systems.en_garde.rosters.sheets import sheet
from tests.rulebook.en_garde.rising import OPEN, RUNGS, step, steps
from tests.rulebook.en_garde.rosters import build, codes, terms

COSTS = {1: 3, 2: 5, 3: 10, 4: 15}


def test_every_profile_of_every_list_is_on_a_ladder():
    assert {(list_key, key) for list_key, key, _ in RUNGS} == {
        tuple(reference.split("/")) for reference in catalogue.catalogue().profiles
    }


@pytest.mark.parametrize(("list_key", "key", "leads"), RUNGS)
def test_a_profile_leads_where_the_list_says_its_own_movement_first(
    list_key: str, key: str, leads: str
):
    rank = catalogue.profile(f"{list_key}/{key}").rank
    expected = [
        f"custom/rank-{rank + 1}" if each == "custom" else f"{list_key}/{each}"
        for each in leads.split()
    ]
    assert [each.key for each in steps(list_key, key, **OPEN)] == expected


@pytest.mark.parametrize(("list_key", "key", "leads"), [rung for rung in RUNGS if rung[2]])
def test_a_step_costs_what_the_rank_costs_and_leads_to_a_sound_fighter(
    list_key: str, key: str, leads: str
):
    on = terms(list_key, **OPEN)
    rank = catalogue.profile(f"{list_key}/{key}").rank
    for each in steps(list_key, key, **OPEN):
        assert (each.cost, each.rank) == (COSTS[rank], rank + 1)
        assert codes(each.build, on) == []
        assert each.build == build(each.build, on)
        assert each.sheet == sheet(each.build, on)
        assert each.sheet.points == each.points_after
        assert each.gains[0] == f"Rank {rank + 1}"
        assert not each.sheet.unique


@pytest.mark.parametrize(("list_key", "key", "leads"), [rung for rung in RUNGS if rung[2]])
def test_nobody_loses_anything_by_a_step(list_key: str, key: str, leads: str):
    on = terms(list_key, **OPEN)
    before = loadout(from_json(build(key, on)))
    for each in steps(list_key, key, **OPEN):
        after = loadout(from_json(each.build))
        for number in ("combat_pool", "initiative", "fight", "shoot"):
            assert getattr(after, number) >= getattr(before, number)
            assert getattr(after, number) >= getattr(after.profile, number)
        assert set(before.attributes) <= set(after.attributes)
        worn = {"light-armour", "medium-armour"}
        assert before.gear - worn <= after.gear


@pytest.mark.parametrize(
    ("profile", "cost"),
    [("ruffian", 3), ("guard", 5), ("officer", 10), ("senior-officer", 15), ("general", None)],
)
def test_each_rank_has_its_cost(profile: str, cost: int | None):
    assert (
        rank_up_cost({"profile": f"cardinals-guard/{profile}"}, CampaignTerms("cardinals-guard"))
        == cost
    )


def test_a_warhound_has_no_step_to_pay_for():
    assert (
        rank_up_cost({"profile": "conquistadors/warhound"}, CampaignTerms("conquistadors")) is None
    )


def test_a_landsknecht_becomes_a_doppelsoldner():
    crossbow = {"profile": "landsknecht", "options": {"exchange-pike": "crossbow"}}
    rank_up = step("landsknechts", crossbow)
    assert rank_up.gains == (
        "Rank 3",
        "Combat Pool 2 → 3",
        "Initiative 0 → 1",
        "Fight 2 → 3",
        "Shoot 0 → 1",
        "Pike",
    )
    assert rank_up.keeps == ("Crossbow",)
    assert (rank_up.points_before, rank_up.points_after) == (16, 22 + 3)
    assert [pick.key for pick in rank_up.picks] == [
        "exchange-medium-armour",
        "exchange-pike",
        "attributes",
    ]


def test_a_pick_of_several_tells_its_number_once():
    (attributes,) = [
        pick
        for pick in step("landsknechts", {"profile": "landsknecht"}).picks
        if pick.key == "attributes"
    ]
    assert (attributes.label, attributes.most) == ("Attributes", 2)


def test_becoming_a_knight_brings_the_horse():
    rank_up = step("conquistadors", "soldier", "knight")
    assert {"Horse", "Cavalry movement", "Medium armour", "Commander"} <= set(rank_up.gains)
    assert not rank_up.offered_first
    assert rank_up.points_after == 33


def test_better_armour_replaces_the_lesser():
    soldier = {"profile": "soldier", "options": {"exchange-light-armour": True}}
    assert loadout(from_json(step("conquistadors", soldier, "veteran").build)).gear == {
        "sword",
        "medium-armour",
    }
    heavy = {"profile": "doppelsoldner", "options": {"exchange-medium-armour": True}}
    rank_up = step("landsknechts", heavy)
    assert rank_up.sheet.points == 29 + 3 + 2
    assert rank_up.keeps == ("Pike", "Heavy armour")


def test_numbers_that_were_better_stay_and_are_paid_for():
    rank_up = step("conquistadors", "hidalgo", "priest")
    assert "Combat Pool 4" in rank_up.keeps
    # The Priest's 16, then 2 x (2 + 2 + 2) for what is better, half an Initiative of 2 instead of
    # 1, medium armour.
    assert rank_up.points_after == 16 + 12 + 0 + 4


def test_attributes_are_kept_on_top_of_the_new_allowance():
    officer = {"profile": "officer", "options": {"attributes": ["tough"]}}
    rank_up = step("cardinals-guard", officer)
    attributes = next(pick for pick in rank_up.picks if pick.key == "attributes")
    assert attributes.most == 2
    assert "tough" not in dict(attributes.choices)
    assert "commander" not in dict(attributes.choices)
    assert rank_up.keeps == ("Tough",)
    inside = step("cardinals-guard", officer, promotion_allowance="inside")
    assert next(pick for pick in inside.picks if pick.key == "attributes").most == 1


def test_a_horse_is_kept_and_not_offered_again():
    mounted = {"profile": "officer", "options": {"mount": "horse"}}
    rank_up = step("cardinals-guard", mounted)
    assert rank_up.sheet.characteristics[0].value == "Cavalry"
    assert "mount" not in [pick.key for pick in rank_up.picks]
    assert rank_up.points_after == 24 + 10


def test_a_free_choice_keeps_the_weapon_that_the_fighter_has():
    assert (
        step("cardinals-guard", {"profile": "ruffian", "choice": "sword"}).build["choice"]
        == "sword"
    )


def test_a_servant_rises_by_the_base_profile_under_its_old_name():
    rank_up = step("three-musketeers", {"profile": "servant", "options": {"weapon": "matchlock"}})
    assert (rank_up.name, rank_up.points_after) == ("Servant at Rank 2", 9 + 3)
    assert rank_up.keeps == ("Hand weapon", "Matchlock")
    assert [(pick.key, pick.most) for pick in rank_up.picks] == [("attributes", 1)]


def test_the_base_profile_pays_the_surcharge_of_the_list():
    revenant = step("landsknechts", "fantastical/revenant", **OPEN)
    assert any(line.label == "Morale 8" and line.points == 1 for line in revenant.sheet.price.lines)


def test_a_custom_fighter_rises_to_the_base_profile_and_keeps_its_arms():
    raw = {
        "profile": "rank-2",
        "characteristics": {"fight": 1, "shoot": 2},
        "equipment": ["sword", "pistol"],
        "options": {"attributes": ["tough"]},
    }
    rank_up = step("custom", raw)
    outfit = loadout(from_json(rank_up.build))
    assert (outfit.combat_pool, outfit.initiative, outfit.fight, outfit.shoot) == (3, 2, 3, 2)
    assert outfit.equipment == ("sword", "pistol")
    assert next(pick for pick in rank_up.picks).most == 2
    assert rank_up.points_after == 15 + 2 + 5 + 3


def test_ally_ranks_up_within_own_list():
    assert step("conquistadors", "aztecs/peasant").key == "aztecs/macehualli"


def test_a_campaign_may_keep_the_numbers():
    rank_up = step("landsknechts", "landsknecht", promotion_characteristics="kept")
    outfit = loadout(from_json(rank_up.build))
    assert (outfit.combat_pool, outfit.initiative, outfit.fight, outfit.shoot) == (2, 0, 2, 0)
    assert rank_up.points_after == rank_up.points_before


def test_a_campaign_may_ask_for_the_same_movement():
    assert [
        each.key for each in steps("conquistadors", "soldier", promotion_profiles="same-move")
    ] == ["conquistadors/veteran"]
    on_foot = steps("english-civil-war", "veteran-foot", promotion_profiles="same-move")
    assert [each.key for each in on_foot] == ["custom/rank-4"]


def test_a_campaign_may_leave_those_without_a_profile_where_they_are():
    assert steps("three-musketeers", "servant", promotion_without_profile="none") == ()
    assert len(steps("custom", "rank-1", promotion_without_profile="none")) == 1


def test_a_campaign_may_leave_the_price_unchanged():
    rank_up = step("landsknechts", "landsknecht", promotion_price="unchanged")
    assert (rank_up.points_before, rank_up.points_after) == (15, 15)
    assert sheet(rank_up.build, terms("landsknechts")).points == 22


def test_a_campaign_may_give_the_new_profiles_equipment_alone():
    crossbow = {"profile": "landsknecht", "options": {"exchange-pike": "crossbow"}}
    rank_up = step("landsknechts", crossbow, promotion_equipment="profile-only")
    assert loadout(from_json(rank_up.build)).gear == {"pike", "sword", "medium-armour"}
    servant = step("three-musketeers", "servant", promotion_equipment="profile-only")
    assert loadout(from_json(servant.build)).gear == {"hand-weapon"}


def test_a_veteran_with_something_of_old_is_not_offered_what_stands_alone():
    def offered(raw: Any) -> list[str]:
        return [pick.key for pick in step("conquistadors", raw, "soldier").picks]

    assert "scout" in offered("militia")
    assert "scout" not in offered({"profile": "militia", "options": {"weapon": "pike"}})
