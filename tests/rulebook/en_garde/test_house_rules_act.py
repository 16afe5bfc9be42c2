"""Every house rule acts: each key is named here with a test that shows it both ways.

What has no test elsewhere is tested below.
"""

from pathlib import Path
from random import Random

import pytest

from rulebook.ruleset import BattleSetup, ClassicScore, Deed, Fate, LoggedEvent, Outcome, Record
from rulebook.systems.en_garde.book.house_rules import HOUSE_RULES, USUAL, HouseRules
from rulebook.systems.en_garde.calculators.shots import nerve_figures
from rulebook.systems.en_garde.classic import (
    drawn,
    final_extras,
    final_limit,
    final_wounds,
    verdict,
)
from rulebook.systems.en_garde.experience.awards import awards
from rulebook.systems.en_garde.play.play_state import opening
from rulebook.systems.en_garde.rosters.forces import battle_limit
from scripts.demo.referees.en_garde import referee
from scripts.demo.referees.quick_result import quick_result
from tests.rulebook.en_garde.battlefield import battle
from tests.rulebook.en_garde.logs import event_problems, replay
from tests.rulebook.en_garde.table.cast import somebody

TESTS = Path(__file__).resolve().parents[2]
HERE = "rulebook/en_garde/test_house_rules_act.py"
EN_GARDE = "rulebook/en_garde"

SHOWN = {
    "prices": f"{EN_GARDE}/test_points.py::test_a_misprinted_price_is_corrected_unless_the_campaign_goes_by_the_print",
    "legality": f"{EN_GARDE}/test_composition.py::test_a_lenient_campaign_only_warns",
    "composition": f"{EN_GARDE}/test_composition.py::test_a_list_obeys_the_templates_only_if_the_campaign_says_so",
    "size_limit": f"{EN_GARDE}/test_composition.py::test_more_than_20_fighters_warn_unless_the_campaign_forbids_it",
    "missile_limit": f"{EN_GARDE}/test_composition.py::"
    "test_pistols_count_as_missile_weapons_only_if_the_campaign_says_so",
    "share_rounding": f"{EN_GARDE}/test_composition.py::"
    "test_four_soldiers_give_no_commander_unless_the_campaign_grants_one",
    "ally_prices": f"{EN_GARDE}/test_points.py::test_allies_keep_their_printed_price_unless_the_campaign_adjusts_it",
    "buckler_price": f"{EN_GARDE}/test_points.py::test_by_house_rule_the_ottoman_buckler_costs_what_the_table_says",
    "rank_1_recruits": f"{EN_GARDE}/test_composition.py::"
    "test_a_list_without_rank_1_may_hire_the_base_profile_after_the_first_game_by_house_rule",
    "later_composition": f"{EN_GARDE}/test_rank_ups_and_rosters.py::"
    "test_rank_up_breaking_composition_warns_unless_forbidden",
    "musketeers_duellist": f"{EN_GARDE}/test_sheets.py::test_duellist_adds_to_the_combat_pool_unless_it_is_in_it",
    "strict_characteristics": f"{EN_GARDE}/test_composition.py::"
    "test_a_custom_fighter_above_its_base_profile_warns_unless_the_campaign_is_strict",
    "barding_for_lists": f"{EN_GARDE}/test_builds.py::test_a_campaign_decides_what_may_be_bought",
    "poison": f"{EN_GARDE}/test_builds.py::test_a_campaign_decides_what_may_be_bought",
    "fantastical": f"{EN_GARDE}/test_composition.py::test_a_fantastical_figure_needs_a_campaign_that_allows_it",
    "rank_5_limit": f"{EN_GARDE}/test_forces.py::"
    "test_one_rank_5_takes_the_field_unless_list_or_house_rule_say_otherwise",
    "recruits": f"{EN_GARDE}/test_composition.py::test_a_campaign_may_take_no_recruits_at_all",
    "game_limit": f"{HERE}::test_every_battle_has_the_agreed_points_or_a_limit_of_its_own",
    "wounds_after": f"{EN_GARDE}/test_awards.py::test_the_gravely_wounded_miss_a_game_on_one_to_three",
    "captives": f"{EN_GARDE}/test_awards.py::test_fate_of_captives_follows_house_rule",
    "dice": f"{EN_GARDE}/test_battle_log.py::"
    "test_a_die_of_recovery_thrown_at_the_table_is_kept_where_there_are_such_dice",
    "small_warbands": f"{EN_GARDE}/test_classic.py::test_nobody_is_in_two_small_warbands_unless_the_club_allows_it",
    "small_warband_base": f"{EN_GARDE}/test_classic.py::test_the_agreed_points_are_the_base_by_house_rule",
    "classic_scenarios": f"{HERE}::test_scenarios_are_agreed_or_drawn",
    "final_muster": f"{EN_GARDE}/test_classic.py::"
    "test_the_final_is_for_all_who_are_fit_or_by_house_rule_for_those_who_fought",
    "final_light": f"{HERE}::test_the_wounded_begin_the_final_fresh_or_with_their_wound",
    "final_grievous": f"{HERE}::test_the_wounded_begin_the_final_fresh_or_with_their_wound",
    "final_forces": f"{HERE}::test_the_final_takes_all_or_is_cut_down_to_the_weaker_side",
    "classic_winner": f"{HERE}::test_the_final_decides_or_the_sum_does",
    "classic_progression": f"{EN_GARDE}/test_classic.py::test_there_is_no_experience_unless_the_club_wants_it",
    "progression": f"{HERE}::test_experience_can_be_done_without",
    "experience_per_wound": f"{EN_GARDE}/test_awards.py::"
    "test_wounds_count_each_or_once_for_each_enemy_or_once_a_battle",
    "experience_means": f"{EN_GARDE}/test_awards.py::test_every_attack_counts_or_hand_to_hand_ones_only",
    "third_stun_counts": f"{EN_GARDE}/test_awards.py::test_a_third_stunned_counter_counts_or_not",
    "survival": f"{EN_GARDE}/test_awards.py::test_survival_award_follows_house_rule",
    "objective_experience": f"{EN_GARDE}/test_awards.py::test_an_objective_earns_for_its_holder_or_for_all_in_control",
    "promotion_characteristics": f"{EN_GARDE}/test_rank_ups.py::test_a_campaign_may_keep_the_numbers",
    "promotion_profiles": f"{EN_GARDE}/test_rank_ups.py::test_a_campaign_may_ask_for_the_same_movement",
    "promotion_without_profile": f"{EN_GARDE}/test_rank_ups.py::"
    "test_a_campaign_may_leave_those_without_a_profile_where_they_are",
    "promotion_allowance": f"{EN_GARDE}/test_taking_rank_ups.py::test_kept_attributes_can_fill_the_allowance",
    "promotion_price": f"{EN_GARDE}/test_rank_ups.py::test_a_campaign_may_leave_the_price_unchanged",
    "promotion_equipment": f"{EN_GARDE}/test_rank_ups.py::test_a_campaign_may_give_the_new_profiles_equipment_alone",
    "second_rank_5": "warbands/test_forbidden_steps.py::test_a_second_rank_5_is_refused_where_the_campaign_forbids_it",
    "equal_points": f"{EN_GARDE}/test_battle_results.py::test_equal_points_are_a_draw_or_go_to_who_has_more_standing",
    "concession": f"{EN_GARDE}/test_battle_results.py::test_who_concedes_has_lost_unless_the_points_decide",
    "lost_share": f"{EN_GARDE}/test_battle_results.py::test_minor_objective_4_may_go_by_points",
    "minor_objectives": f"{HERE}::test_minor_objectives_are_open_or_kept_out_of_the_log_until_the_end",
    "defence_draw": f"{EN_GARDE}/test_battle_results.py::test_defence_that_nobody_controls_is_a_draw_or_the_defenders",
    "escort_edge": f"{EN_GARDE}/test_battle_results.py::test_escort_may_count_the_edge_it_set_out_from",
    "raid_standard_points": f"{EN_GARDE}/test_battle_results.py::test_raid_counts_kills_only_by_house_rule",
    "banner_capture": f"{EN_GARDE}/test_battle_results.py::test_by_house_rule_killing_the_bearer_captures_the_banner",
    "capture_needs": f"{EN_GARDE}/test_battle_log.py::"
    "test_a_captor_may_leave_with_its_captive_and_anybody_may_be_captured_by_house_rule",
    "subdue_kills": f"{EN_GARDE}/test_wounds.py::test_a_critical_subdue_knocks_out_or_kills_as_the_house_rule_says",
    "stun_penalty": f"{EN_GARDE}/test_odds.py::test_the_second_stunned_counter_counts_twice_where_the_club_has_it_so",
    "wounded_shot": f"{EN_GARDE}/table/test_shooting.py::"
    "test_a_wound_counts_on_shoot_and_on_the_roll_unless_the_club_counts_it_once",
    "riposte_dice": f"{EN_GARDE}/test_odds.py::test_a_riposte_rolls_the_dice_that_the_club_gives_it",
    "ploys_per_attack": f"{EN_GARDE}/table/test_close_combat.py::test_a_club_may_allow_one_ploy_at_a_time",
    "morale_timing": f"{EN_GARDE}/turns/test_end_phase.py::test_by_house_rule_morale_is_tested_at_once",
    "below_quarter_morale": f"{EN_GARDE}/table/test_morale.py::test_a_club_may_let_the_lowest_strength_weigh_two",
    "spray_hits": f"{EN_GARDE}/table/test_shooting.py::"
    "test_a_spray_hits_whatever_the_dice_say_unless_the_club_rolls_for_each",
    "beguiling_roll": f"{HERE}::test_the_beguiling_are_attacked_below_or_up_to_ones_rank",
    "shield_rating": f"{EN_GARDE}/table/test_shooting.py::test_shields_and_bucklers_count_always_by_house_rule",
    "hounds_bare_handed": f"{EN_GARDE}/table/test_close_combat.py::"
    "test_hounds_fight_as_if_bare_handed_by_house_rule_and_horses_do_not",
}


def test_every_house_rule_is_shown_by_a_test() -> None:
    assert set(SHOWN) == {rule.key for rule in HOUSE_RULES.rules}


@pytest.mark.parametrize("key", SHOWN)
def test_the_test_that_shows_a_house_rule_is_there(key: str) -> None:
    file, _, name = SHOWN[key].partition("::")
    assert f"def {name}(" in (TESTS / file).read_text(encoding="utf-8")


def test_every_battle_has_the_agreed_points_or_a_limit_of_its_own() -> None:
    """Ruling C18."""
    assert battle_limit(300, {}) is None
    assert battle_limit(300, {"game_limit": "agreed"}) == 300


def test_scenarios_are_agreed_or_drawn() -> None:
    """Ruling C4."""
    assert (drawn({}), drawn({"classic_scenarios": "drawn"})) == (False, True)


HURT = (
    Record("a1", rank=2, fate=Fate.FIT, wounds="light"),
    Record("a2", rank=2, fate=Fate.FIT, wounds="grievous"),
    Record("a3", rank=2, fate=Fate.FIT, wounds="unconscious"),
    Record("a4", rank=2, fate=Fate.FIT, wounds="stunned"),
)


@pytest.mark.parametrize(
    ("house", "wounds"),
    [
        ({}, {}),
        ({"final_light": "wounded"}, {"a1": "light"}),
        ({"final_grievous": "wounded"}, {"a2": "grievous", "a3": "grievous"}),
    ],
)
def test_the_wounded_begin_the_final_fresh_or_with_their_wound(
    house: dict[str, str], wounds: dict[str, str]
) -> None:
    """Rulings C6, C7, C10."""
    assert final_wounds(HURT, house) == wounds
    ours = battle("skirmish")
    begun = opening(BattleSetup("skirmish", ours.sides, {}, {"wounds": wounds}))
    assert {
        key: each.wounds.worst for key, each in begun.combatants.items() if each.wounds.worst
    } == wounds


def test_of_two_small_games_the_worse_wound_is_brought_along() -> None:
    twice = (
        Record("a1", 2, Fate.FIT, wounds="grievous"),
        Record("a1", 2, Fate.FIT, wounds="light"),
    )
    both = {"final_light": "wounded", "final_grievous": "wounded"}
    assert final_wounds(twice, both) == final_wounds(twice[::-1], both) == {"a1": "grievous"}


def test_a_set_up_that_makes_no_sense_wounds_nobody() -> None:
    ours = battle("skirmish")
    for wounds in ({"a1": "dead"}, ["a1"], "light", {"z9": "light"}):
        begun = opening(BattleSetup("skirmish", ours.sides, {}, {"wounds": wounds}))
        assert not any(each.wounds.worst for each in begun.combatants.values())


def test_a_banner_in_the_enemys_hands_is_missing_from_the_final() -> None:
    """Ruling C11."""
    extras = {"banner": True, "morale": 8}
    assert final_extras(extras, (Deed("b1", "wound", 2),)) == extras
    assert final_extras(extras, (Deed("b1", "banner", 2),)) == {"morale": 8}


def test_the_final_takes_all_or_is_cut_down_to_the_weaker_side() -> None:
    """Ruling C8."""
    assert final_limit((120, 80), {}) is None
    assert final_limit((120, 80), {"final_forces": "equal"}) == 80


def test_the_final_decides_or_the_sum_does() -> None:
    """Ruling C9."""
    scores = (
        ClassicScore("r", "Reds", (5, 6, 7), 2, Outcome.LOST),
        ClassicScore("b", "Blues", (0, 1, 0), 9, Outcome.WON),
    )
    assert verdict(scores, {}).winner == "b"
    assert verdict(scores, {"classic_winner": "sum"}).winner == "r"
    equal = (
        ClassicScore("r", "Reds", (8,), 2, Outcome.LOST),
        ClassicScore("b", "Blues", (1,), 9, Outcome.WON),
    )
    assert verdict(equal, {"classic_winner": "sum"}).winner is None
    unfought = (ClassicScore("r", "Reds", (5,)), ClassicScore("b", "Blues", (1,)))
    assert verdict(unfought, {"classic_winner": "sum"}).winner is None


def test_experience_can_be_done_without() -> None:
    records = (Record("a1", rank=2, fate=Fate.FIT),)
    assert len(awards(records, (), {})) == 1
    assert awards(records, (), {"progression": False}) == ()


def test_minor_objectives_are_open_or_kept_out_of_the_log_until_the_end() -> None:
    """Ruling S4."""
    rolled = LoggedEvent(1, "minor_objective", {"side": "a", "rolled": 3})
    assert event_problems(battle("skirmish"), (), rolled) == ()
    secret = battle("skirmish", settings={"minor_objectives": "secret"})
    assert [problem.code for problem in event_problems(secret, (), rolled)] == ["kept-secret"]
    ended = LoggedEvent(1, "ended", {"how": "last-turn"})
    assert event_problems(secret, (ended,), LoggedEvent(2, "minor_objective", rolled.data)) == ()


def test_an_invented_battle_and_a_refereed_one_keep_them_out_too() -> None:
    secret = battle("skirmish", settings={"minor_objectives": "secret"})
    for events in (quick_result(secret, Random(3)), referee(secret, Random(3))):
        kinds = [event.kind for event in events]
        assert kinds.index("minor_objective") > kinds.index("ended")
        assert set(replay(secret, events).rolled) == {"a", "b"}


def test_the_beguiling_are_attacked_below_or_up_to_ones_rank() -> None:
    """Ruling B16."""
    attacker, charmer = somebody(rank=3), somebody(attributes={"beguiling": ()})
    (lower,) = nerve_figures(attacker, charmer, USUAL)
    (equal,) = nerve_figures(attacker, charmer, HouseRules(beguiling_roll="equal"))
    assert ("1/3" in lower.value, "1/2" in equal.value) == (True, True)
