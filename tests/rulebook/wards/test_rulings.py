"""A test for every ruling, named by its id: what holds where the sheet is silent or at odds with
itself."""

from typing import Any

import pytest

from rulebook.ruleset import CampaignTerms, Fate, RulesError
from rulebook.systems.wards.book import book
from rulebook.systems.wards.dice import (
    Nerve,
    Party,
    assaulter_wins,
    fails,
    fight_dice,
    morale_dice,
    move_dice,
)
from rulebook.systems.wards.fighters import Fighter, Standing, general_save
from rulebook.systems.wards.log import losses_in_words, read_result
from rulebook.systems.wards.system import Wards
from tests.rulebook.wards.field import ARMY, Field

RULES, TERMS = Wards(), CampaignTerms("army")
VAN, REAR, ENEMY, CAVALRY = "red/Van", "red/Rearguard", "blue/Van", "red/Cavalry"
DRAW: dict[str, Any] = {
    "ward": VAN,
    "target": ENEMY,
    "dice": [1] * 10,
    "target_dice": [1] * 10,
    "order": [1, 1, 1],
}


@pytest.fixture
def field() -> Field:
    return Field().tell("turn", side="red")


def again(field: Field, side: str = "red") -> Field:
    """Begin the next turn."""
    return field.tell("turn", side=side)


# In general


def test_w_g1_bases_are_whatever_a_roster_says_halves_included() -> None:
    assert RULES.clean_build({"bases": 0, "half": True}, TERMS)["half"] is True
    assert RULES.clean_build({"bases": 20, "ward": "Any name"}, TERMS)["ward"] == "Any name"


def test_w_g2_generals_have_three_attributes_and_free_words() -> None:
    assert list(book().attribute) == ["morale", "assaulter", "target"]
    assert (
        RULES.clean_build({"arm": "general", "others": "Loves hounds"}, TERMS)["others"]
        == "Loves hounds"
    )


def test_w_g3_the_clock_is_written_down_and_only_the_players_end_the_battle(field: Field) -> None:
    field.tell("clock", dice=[1])
    again(field).tell("clock", dice=[2], reroll=True, again=[6])
    assert field.play.state.clock == (1, 6)
    assert not field.play.state.ended
    assert "No result declared yet" in read_result(field.play.state, field.play.setup).verdict


def test_w_g4_restoring_wards_has_its_own_throw() -> None:
    for restored in (False, True):
        field = Field(restored_wards=restored).tell("turn", side="red")
        field.tell("move", ward=VAN, move="sideways", dice=[1, 1, 1])
        field.tell("order", dice=[3] * 5).tell("wards", dice=[3] * 5)
        assert field.of("red-bows").out_of_order is not restored


@pytest.mark.parametrize(
    ("attached", "codes"), [(None, ["no-reroll"]), ("red-earl", ["no-reroll"]), ("red-duke", [])]
)
def test_w_g5_a_general_whose_attribute_fits_lets_dice_be_thrown_again(
    field: Field, attached: str | None, codes: list[str]
) -> None:
    if attached:
        field.tell("general", fighter=attached, to="red-spears")
    assert field.refused("fight", ward=VAN, target=ENEMY, reroll=True) == codes
    assert field.refused("shoot", ward=VAN, target=ENEMY, reroll=True) == (
        [] if attached else ["no-reroll"]
    )


def test_w_g5_a_club_may_let_everybody_throw_again() -> None:
    field = Field(free_rerolls=True).tell("turn", side="red")
    assert field.refused("fight", ward=VAN, target=ENEMY, reroll=True, target_reroll=True) == []


def test_w_g6_attaching_is_free_and_by_house_rule_takes_a_die() -> None:
    for strict, attached in ((False, "red-spears"), (True, "")):
        field = Field(general_actions=strict).tell("turn", side="red")
        field.tell(
            "general", fighter="red-duke", to="red-spears", **({"dice": [1]} if strict else {})
        )
        assert field.of("red-duke").stands_with == attached


def test_w_o1_a_narrow_front_is_out_of_order_and_the_rear_is_not(field: Field) -> None:
    assert field.of("red-shots").out_of_order
    field.tell("loss", fighter="red-pikes", halves=4)
    assert not field.of("red-pikes").out_of_order


# Morale


def test_w_m1_a_ward_without_a_general_throws_one_die_more() -> None:
    assert morale_dice(Nerve(casualties=2, general="")) == morale_dice(Nerve(casualties=2)) + 1


def test_w_m2_without_dice_a_ward_is_steady_and_its_markers_go(field: Field) -> None:
    field.tell("gun", fighter="red-culverin", target=ENEMY, dice=[6, 6], disorder=[1, 1])
    again(field, "blue").tell("morale", ward=ENEMY, on_hill=True)
    assert field.play.state.ward(ENEMY).morale == "steady"
    assert field.of("blue-spears").casualties == 0


def test_w_m3_more_than_three_fails_are_three() -> None:
    assert fails((6,) * 9, ()) == 3


def test_w_m4_no_fails_have_no_effect(field: Field) -> None:
    field.tell("morale", ward=VAN, hostile_faces=2, dice=[3])
    assert not field.of("red-spears").out_of_order


def test_w_m5_the_hill_counts_for_the_ward_that_stands_on_it(field: Field) -> None:
    assert morale_dice(field.play.state.nerve(VAN, 4, on_hill=True)) == 1
    assert morale_dice(field.play.state.nerve(VAN, 4, on_hill=False)) == 3


def test_w_m6_the_test_takes_all_markers_away_even_in_a_rout(field: Field) -> None:
    field.tell("gun", fighter="red-bombard", target=ENEMY, dice=[6] * 4, disorder=[1] * 4)
    again(field, "blue").tell("morale", ward=ENEMY, dice=[6] * 3, rout=[1, 1], keeps=True)
    assert {field.of(f"blue-{each}").casualties for each in ("spears", "bills", "bows")} == {0}


def test_w_m7_the_second_throw_of_a_rout_stands(field: Field) -> None:
    field.tell("morale", ward=REAR, hostile_faces=3, dice=[6, 6, 6], rout=[1, 1], rout_again=[6, 6])
    assert sum(field.of(f"red-{each}").halves for each in ("levies", "shots", "pikes")) == 19 - 12


def test_w_m8_a_rout_costs_half_bases_of_foot_alone(field: Field) -> None:
    field.tell("morale", ward=CAVALRY, hostile_faces=4, dice=[6] * 4, rout=[6, 6], keeps=True)
    assert field.of("red-knights").halves == 6


def test_w_m8_the_owner_picks_units_of_that_ward_alone(field: Field) -> None:
    kwargs = {"hostile_faces": 3, "dice": [6, 6, 6], "rout": [1, 1], "keeps": True}
    assert field.refused("morale", ward=REAR, **kwargs, losses=["red-bows"]) == ["not-in-ward"]
    assert field.refused("morale", ward=REAR, **kwargs, losses=["red-bombard"]) == ["not-in-ward"]


def test_w_m9_a_ward_that_routs_does_not_shoot_and_may_pull_in(field: Field) -> None:
    field.tell("morale", ward=REAR, hostile_faces=3, dice=[6, 6, 6], rout=[1, 1], keeps=True)
    assert field.refused("pull-in", fighter="red-scouts", ward=REAR) == []
    assert field.refused("shoot", ward=REAR, target=ENEMY) == ["routs"]
    assert field.refused("hand-gunners", fighter="red-shots", at="blue-bills") == ["routs"]


def test_w_m10_a_ward_that_routs_neither_moves_nor_fights_in_that_turn_alone(field: Field) -> None:
    field.tell("morale", ward=REAR, hostile_faces=3, dice=[6, 6, 6], rout=[1, 1], keeps=True)
    assert field.refused("move", ward=REAR, move="swap") == ["stands"]
    assert field.refused("move", ward=REAR, move="stay") == []
    assert field.refused("fight", ward=REAR, target=ENEMY) == ["stands"]
    again(field).tell("morale", ward=REAR, on_hill=True)
    assert field.refused("move", ward=REAR, move="swap") == []


def test_w_m11_unit_without_bases_is_spared_in_rout(field: Field) -> None:
    field.tell("loss", fighter="red-shots", halves=3)
    field.tell("morale", ward=REAR, hostile_faces=3, dice=[6, 6, 6], rout=[6, 1], keeps=True)
    assert [field.of(f"red-{each}").halves for each in ("levies", "shots", "pikes")] == [4, 0, 5]
    assert "Half-bases lost: 7." in field.told


# Fights


def test_w_f1_three_bases_throw_three_dice_and_fewer_throw_two() -> None:
    dice = [fight_dice(Party((width, 4.0)), Party()) for width in (6.0, 3.0, 2.5, 1.0)]
    assert dice == [9, 9, 8, 8]


def test_w_f2_cavalry_gets_neither_the_foots_dice_nor_support(field: Field) -> None:
    assert fight_dice(Party((4.0, 4.0), rear=9, foot=False), Party()) == 6
    assert not field.play.state.party(CAVALRY, assaults=True).foot


def test_w_f3_every_unit_in_front_throws_dice_of_its_own(field: Field) -> None:
    assert field.play.state.party(VAN, assaults=True).frontages == (4.0, 3.0)


def test_w_f4_one_die_or_two_for_a_general_who_leads_and_none_without_him(field: Field) -> None:
    assert fight_dice(Party(leading=2), Party()) == fight_dice(Party(leading=1), Party()) + 1
    assert field.refused("fight", ward=VAN, target=ENEMY, leading=1) == ["nobody-leads"]
    assert field.refused("fight", ward=VAN, target=ENEMY, target_leading=2) == ["nobody-leads"]


def test_w_f5_both_throw_five_dice_at_least() -> None:
    weak = Party((1.0,), general="", levies=3, into_ground=True)
    assert fight_dice(weak, Party()) == fight_dice(Party((1.0,), general="", levies=3), weak) == 5


def test_w_f6_each_fifth_hit_of_one_fight_strikes_the_general(field: Field) -> None:
    field.tell("general", fighter="red-earl", to="red-spears")
    field.tell("fight", **{**DRAW, "dice": [1] * 11, "target_dice": [5] * 10, "saves": [6] * 10})
    assert field.play.state.struck == (("red-earl", False),) * 2
    assert field.told[-1] == "Reds earl is hit."
    field.tell("general-hit", fighter="red-earl", dice=[2])
    assert field.play.state.struck == (("red-earl", False),)


def test_w_f6_unhit_general_is_not_saved(field: Field) -> None:
    field.tell("general", fighter="red-earl", to="red-spears")
    assert field.refused("general-hit", fighter="red-earl") == ["not-struck"]


def test_w_f7_a_lead_of_one_is_the_defenders() -> None:
    assert assaulter_wins(3, 1)
    assert not assaulter_wins(3, 2)


def test_w_f8_retreat_of_loser_is_reported_not_decided(field: Field) -> None:
    field.tell("fight", **{**DRAW, "dice": [5, 5] + [1] * 8, "target_saves": [6, 6]})
    assert "Van (Blues) falls back, and Van (Reds) moves into its place." in field.told


def test_w_f9_a_defender_who_wins_loses_his_markers(field: Field) -> None:
    field.tell("gun", fighter="red-culverin", target=ENEMY, dice=[6, 6], disorder=[1, 1])
    field.tell("fight", **DRAW)
    assert field.of("blue-spears").casualties == 0


def test_w_f10_scenery_costs_those_who_assault_into_it(field: Field) -> None:
    field.tell("fight", **{**DRAW, "dice": [1] * 8}, into_ground=True)
    outcome = field.play.outcome()
    assert outcome is not None
    assert [each.total for each in outcome.sums] == [8, 10]


def test_w_f11_the_units_in_front_of_the_winner_win(field: Field) -> None:
    field.tell("fight", **DRAW)
    assert [field.of(f"blue-{each}").winning for each in ("spears", "bills", "bows")] == [
        True,
        True,
        False,
    ]
    assert [deed.fighter for deed in field.play.state.deeds] == ["blue-spears", "blue-bills"]


# Saves


@pytest.mark.parametrize(
    ("leading", "die", "gone"), [(0, 2, ""), (0, 1, "killed"), (1, 2, "killed"), (1, 3, "")]
)
def test_w_s1_a_general_who_leads_is_saved_on_three_and_the_log_knows_it(
    field: Field, leading: int, die: int, gone: str
) -> None:
    field.tell("general", fighter="red-earl", to="red-spears")
    dice = {"dice": [1] * (11 + leading), "target_dice": [5] * 5 + [1] * 5, "saves": [6] * 5}
    field.tell("fight", **{**DRAW, **dice}, leading=leading)
    field.tell("general-hit", fighter="red-earl", dice=[die], leaves=[1] * 3 if gone else [])
    assert field.of("red-earl").gone == gone


def test_w_s2_nothing_else_is_added_to_his_save() -> None:
    assert (general_save(risked=False), general_save(risked=True)) == (2, 3)


def test_w_s3_a_general_makes_a_step_better_and_household_stays() -> None:
    qualities = [
        Standing(Fighter(quality=each), 8, general=True).quality
        for each in ("levy", "retinue", "household")
    ]
    assert qualities == ["retinue", "household", "household"]


def test_w_s4_hits_are_spread_before_anybody_takes_a_third(field: Field) -> None:
    kwargs = {"ward": VAN, "target": ENEMY, "who": ["red-spears", "red-bows"], "dice": [5, 5, 5, 5]}
    safe = {"saves": [6] * 4}
    assert field.refused("shoot", **kwargs, **safe, target_hit=["blue-bows"] * 3) == ["unspread"]
    assert field.refused("shoot", **kwargs, **safe, target_hit=["blue-bows"] * 2) == []
    field.tell("shoot", **kwargs, saves=[1, 1, 1, 1], disorder=[1] * 4)
    assert [field.of(f"blue-{each}").casualties for each in ("spears", "bills", "bows")] == [
        2,
        1,
        1,
    ]


@pytest.mark.parametrize(
    ("kind", "named"), [("fight", "ward_hit"), ("fight", "target_hit"), ("fall-back", "ward_hit")]
)
def test_w_s4_hits_go_to_units_of_the_ward_that_is_hit(field: Field, kind: str, named: str) -> None:
    kwargs: dict[str, Any] = {"ward": ENEMY} if kind == "fall-back" else DRAW
    wrong = "red-pikes" if kind == "fight" else "red-bows"
    assert field.refused(kind, **{**kwargs, named: [wrong]}) == ["not-in-ward"]


def test_w_s5_casualties_cost_no_bases(field: Field) -> None:
    field.tell("gun", fighter="red-culverin", target=ENEMY, dice=[6, 6], disorder=[1, 1])
    assert (field.of("blue-spears").casualties, field.of("blue-spears").halves) == (1, 8)


# Shooting


def test_w_h1_each_unit_throws_for_its_arrows_after_intense_shooting(field: Field) -> None:
    field.tell("shoot", ward=VAN, target=ENEMY, mode="intense", dice=[1] * 6, low=[3, 4, 1])
    assert [field.of(f"red-{each}").low for each in ("spears", "bills", "bows")] == [
        True,
        False,
        True,
    ]


def test_w_h2_who_is_low_on_arrows_does_not_shoot_intensely(field: Field) -> None:
    field.tell("shoot", ward=VAN, target=ENEMY, mode="intense", dice=[1] * 6, low=[1, 4, 4])
    kwargs = {"ward": VAN, "target": ENEMY, "mode": "intense"}
    assert again(field).refused("shoot", **kwargs) == ["low-on-arrows"]
    assert field.refused("shoot", **kwargs, who=["red-bows"]) == []


def test_w_h3_one_die_against_disorder_for_each_casualty(field: Field) -> None:
    kwargs = {
        "fighter": "red-culverin",
        "target": ENEMY,
        "dice": [6, 6],
        "target_hit": ["blue-bows", "blue-bows"],
    }
    assert field.refused("gun", **kwargs, disorder=[5]) == ["wrong-dice"]
    assert field.tell("gun", **kwargs, disorder=[1, 5]).of("blue-bows").out_of_order


def test_w_h4_half_a_base_of_hand_gunners_throws_a_die(field: Field) -> None:
    field.tell("loss", fighter="red-shots", halves=1)
    field.tell("hand-gunners", fighter="red-shots", at="blue-bills", dice=[6, 1])
    assert field.of("blue-bills").halves == 5


# Movement


def test_w_v1_two_reasons_for_a_fourth_die_make_no_fifth() -> None:
    assert move_dice("sideways", failed_before=True, no_enemy=True) == 4


def test_w_v1_a_failed_attempt_counts_until_the_next_attempt(field: Field) -> None:
    field.tell("move", ward=VAN, move="sideways", dice=[1, 1, 1])
    again(field).tell("move", ward=VAN, move="stay")
    assert again(field).refused("move", ward=VAN, move="sideways", dice=[1, 1, 1, 1]) == []


def test_w_v2_the_dice_of_a_move_are_added_up(field: Field) -> None:
    assert field.tell("move", ward=VAN, move="scenery", dice=[1, 4, 6]).told == (
        "11: Van succeeds.",
    )


def test_w_v3_an_assault_straight_ahead_takes_no_dice_and_one_that_failed_makes_no_fight(
    field: Field,
) -> None:
    assert field.refused("move", ward=VAN, move="assault", dice=[1, 1, 1]) == ["wrong-dice"]
    field.tell("move", ward=VAN, move="assault-sideways", dice=[1, 1, 1]).tell(
        "move", ward=REAR, move="assault"
    )
    assert field.refused("fight", ward=VAN, target=ENEMY) == ["no-assault"]
    assert field.refused("fight", ward=REAR, target=ENEMY) == []


# Arrivals, artillery, cavalry


def test_w_a1_one_die_brings_all_cavalry_and_it_stands_in_front(field: Field) -> None:
    field.tell("charge", ward=CAVALRY, target=ENEMY)
    assert field.of("red-knights").place == "reserve"
    assert field.refused("arrivals", side="red", fighters=["red-knights"] * 2) == [
        "one-cavalry-die"
    ]
    field.tell("arrivals", side="red", fighters=["red-scouts", "red-knights"], dice=[1, 4])
    assert (field.of("red-knights").place, field.of("red-scouts").place) == ("front", "reserve")
    assert again(field).refused("charge", ward=CAVALRY, target=ENEMY) == []


def test_w_a2_as_many_dice_as_foot_and_generals_wait_shared_as_their_owner_likes(
    field: Field,
) -> None:
    field.tell("general", fighter="red-duke", does="leave", dice=[2])
    kwargs = {"side": "red", "fighters": ["red-scouts", "red-scouts"]}
    assert field.refused("arrivals", **{**kwargs, "fighters": ["red-scouts"] * 3}) == [
        "too-many-dice"
    ]
    field.tell("arrivals", **kwargs, dice=[1, 4])
    assert (field.of("red-scouts").place, field.of("red-duke").place) == ("rear", "off")
    assert field.refused("arrivals", side="red", fighters=["red-duke"]) == ["already"]


def test_w_a3_the_faces_of_a_gun_are_counted_from_its_shot_on(field: Field) -> None:
    field.tell("gun", fighter="red-bombard", target=ENEMY, dice=[1] * 4, again=[1] * 4)
    field.tell("loading", fighter="red-bombard", dice=[5, 6, 1])
    assert field.of("red-bombard").faces == 3
    assert field.refused("loading", fighter="red-bombard") == ["already"]


@pytest.mark.parametrize(("save", "gone"), [(2, "destroyed"), (3, "")])
def test_w_a4_a_gun_that_is_hit_is_saved_on_three_and_bears_no_marker(
    field: Field, save: int, gone: str
) -> None:
    kwargs = {
        "dice": [6, 6],
        "target_hit": ["blue-culverin", "blue-bills"],
        "saves": [save],
        "disorder": [1],
    }
    field.tell("gun", fighter="red-culverin", target=ENEMY, **kwargs)
    assert (field.of("blue-culverin").gone, field.of("blue-culverin").casualties) == (gone, 0)
    assert field.of("blue-bills").casualties == 1
    assert bool(gone) == ("Blues culverin: destroyed." in field.told)


def test_w_a4_guns_are_hit_by_shots_and_in_fights_as_well(field: Field) -> None:
    kwargs = {
        "ward": VAN,
        "target": ENEMY,
        "who": ["red-spears"],
        "dice": [5, 1],
        "target_hit": ["blue-culverin"],
    }
    assert field.tell("shoot", **kwargs, saves=[1]).of("blue-culverin").gone == "destroyed"
    own = {
        "dice": [1] * 10,
        "target_dice": [5] + [1] * 9,
        "ward_hit": ["red-culverin"],
        "saves": [1],
        "order": [1] * 3,
    }
    assert field.tell("fight", ward=VAN, target=ENEMY, **own).of("red-culverin").gone == "destroyed"


def test_w_a5_the_four_hits_of_falling_back_are_saved_as_usual(field: Field) -> None:
    field.tell("fall-back", ward=ENEMY, saves=[3, 1, 1, 1], leaves=[1, 1, 1])
    assert [field.of(f"blue-{each}").casualties for each in ("spears", "bills", "bows")] == [
        1,
        1,
        1,
    ]


def test_w_a6_a_successor_has_dice_and_what_his_players_read_in_them() -> None:
    field = (
        Field(losses_stay=True)
        .tell("turn", side="red")
        .tell("loss", fighter="red-duke", gone="killed")
    )
    field.tell("new-general", fighter="red-duke", dice=[1, 2, 6], attributes=["target"])
    assert field.of("red-duke").fighter.attributes == ("target",)
    assert field.told == (
        "Dice of the new General: Morale 1, Assaulter 2, Target 6 (Ruling W-A6).",
        "Reds duke: in reserve.",
    )
    assert "1 General" in losses_in_words(field.play.state, "red")
    record = read_result(field.play.state, field.play.setup).sides[0].records[0]
    assert (record.fate, record.survived, record.wounds) == (Fate.DEAD, False, "killed")


def test_w_a7_of_shooting_at_cavalry_nothing_is_decided(field: Field) -> None:
    assert field.refused("shoot", ward=VAN, target="blue/Cavalry") == []


# Unreliable Generals, and units with a General


@pytest.mark.parametrize(("setting", "codes"), [("turn", []), ("battle", ["wrong-dice"])])
def test_w_u1_an_unreliable_general_throws_once_a_turn(setting: str, codes: list[str]) -> None:
    field = Field(unreliable_dice=setting).tell("turn", side="red")
    field.tell("general", fighter="red-baron", to="red-spears")
    field.tell("fight", ward=VAN, target=ENEMY, unreliable=[1, 3])
    assert field.refused("fight", ward=VAN, target=ENEMY) == ["already"]
    assert again(field).refused("fight", ward=VAN, target=ENEMY, unreliable=[1, 3]) == codes


def test_w_u1_from_nine_on_the_enemy_is_out_of_order(field: Field) -> None:
    field.tell("general", fighter="red-baron", to="red-spears")
    field.tell("fight", **{**DRAW, "dice": [1] * 11}, unreliable=[4, 5])
    assert field.told[0] == "Van (Blues) is out of order before the fight."


def test_w_u2_a_general_is_attached_to_one_unit_and_stays_with_its_ward_when_it_is_gone(
    field: Field,
) -> None:
    field.tell("general", fighter="red-duke", to="red-bills")
    state = field.play.state
    assert [state.standing(field.of(f"red-{each}")).frontage for each in ("spears", "bills")] == [
        4,
        4,
    ]
    field.tell("loss", fighter="red-bills", gone="destroyed")
    assert (field.of("red-duke").stands_with, field.of("red-duke").gone) == ("", "")
    assert field.play.state.general_of(VAN) == field.of("red-duke")


def test_w_u3_he_throws_when_his_own_ward_assaults_and_not_as_a_target(field: Field) -> None:
    field.tell("turn", side="blue").tell("general", fighter="blue-baron", to="blue-spears")
    again(field)
    assert field.refused("fight", ward=VAN, target=ENEMY, unreliable=[1, 1]) == ["wrong-dice"]


# Each state of a General: how he comes to it, and whether quality and width are raised, whether he
# counts as present (no die more for morale, none less in a fight), and whether he lets dice be
# thrown again.
STATES: dict[str, tuple[list[dict[str, Any]], tuple[str, float, str]]] = {
    "attached": ([{"does": "attach", "to": "red-bills"}], ("household", 4, "attribute")),
    "with the Ward": (
        [{"does": "attach", "to": "red-bills"}, {"does": "detach"}],
        ("retinue", 3, "attribute"),
    ),
    "moved to the Ward": (
        [{"does": "move", "joins": VAN, "dice": [2]}],
        ("retinue", 3, "attribute"),
    ),
    "elsewhere": ([{"does": "move", "dice": [2]}], ("retinue", 3, "")),
    "failed to move": ([{"does": "move", "joins": VAN, "dice": [1]}], ("retinue", 3, "")),
}


@pytest.mark.parametrize("name", list(STATES))
def test_w_u4_a_general_is_attached_with_the_ward_or_elsewhere(field: Field, name: str) -> None:
    does, expected = STATES[name]
    for kwargs in does:
        field.tell("general", fighter="red-duke", **kwargs)
    state = field.play.state
    bills, present = (
        state.standing(field.of("red-bills")),
        state.nerve(VAN, 0, on_hill=False).general,
    )
    assert (bills.quality, bills.frontage, present) == expected
    assert state.party(VAN, assaults=True).general == present
    again_refused = field.refused("fight", ward=VAN, target=ENEMY, reroll=True)
    assert again_refused == ([] if present else ["no-reroll"])


def test_w_u4_a_general_whose_roster_names_a_ward_is_with_it_from_the_start() -> None:
    army = {**ARMY, "duke": {**ARMY["duke"], "ward": "Van"}}
    field = Field(army).tell("turn", side="red")
    assert field.play.state.general_of(VAN) == field.of("red-duke")
    assert field.play.state.attached_to(VAN) == ()


def test_w_u4_a_general_goes_with_the_unit_that_is_pulled_into_another_ward(field: Field) -> None:
    field.tell("general", fighter="red-duke", to="red-bows").tell(
        "pull-in", fighter="red-bows", ward=REAR
    )
    assert (field.of("red-duke").ward, field.play.state.general_of(REAR)) == (
        "Rearguard",
        field.of("red-duke"),
    )
    assert field.play.state.general_of(VAN) is None


def test_w_u4_he_moves_to_a_ward_of_his_own_side_alone(field: Field) -> None:
    kwargs = {"fighter": "red-duke", "does": "move", "dice": [2]}
    assert field.refused("general", **kwargs, joins=ENEMY) == ["unknown-ward"]
    assert field.refused("general", **kwargs, joins="red/Nowhere") == ["unknown-ward"]


def test_w_u5_the_fifth_hit_strikes_and_leading_is_for_an_attached_general_alone(
    field: Field,
) -> None:
    hits = {**DRAW, "target_dice": [5] * 10, "saves": [6] * 10}
    field.tell("general", fighter="red-duke", to="red-bills").tell(
        "general", fighter="red-duke", does="detach"
    )
    assert field.refused("fight", **{**hits, "dice": [1] * 14}, leading=1) == ["nobody-leads"]
    field.tell("fight", **{**hits, "dice": [1] * 13})
    assert field.play.state.struck == ()
    field = Field().tell("turn", side="red").tell("general", fighter="red-duke", to="red-bills")
    field.tell(
        "fight", **{**hits, "dice": [1] * 14, "target_dice": [5] * 9, "saves": [6] * 9}, leading=1
    )
    assert field.play.state.struck == (("red-duke", True),)


def test_w_c1_cavalry_moves_and_charges_in_its_own_step_and_wards_shoot_and_pull_in_after_it(
    field: Field,
) -> None:
    field.tell("move", ward=CAVALRY)
    assert field.play.state.step == 2
    assert field.refused("charge", ward=CAVALRY, target=ENEMY) == []
    assert field.refused("pull-in", fighter="red-scouts", ward=VAN) == []
    field.tell("shoot", ward=VAN, target=ENEMY)
    assert field.refused("charge", ward=CAVALRY, target=ENEMY) == ["step-over"]
    assert again(field).tell("shoot", ward=VAN, target=ENEMY).refused("move", ward=CAVALRY) == [
        "step-over"
    ]


def test_w_c1_cavalry_turns_nowhere(field: Field) -> None:
    assert field.refused("move", ward=CAVALRY, move="back") == ["cavalry-forward"]


@pytest.mark.parametrize(
    ("before", "ward", "host"),
    [
        ([], "", ""),
        ([{"does": "move", "joins": VAN, "dice": [6]}], "Van", ""),
        ([{"to": "red-bills"}, {"does": "detach"}], "Van", ""),
        ([{"to": "red-bills"}], "Van", "red-bills"),
    ],
)
def test_w_c2_a_general_returns_after_the_charge_to_where_he_came_from(
    field: Field, before: list[dict[str, Any]], ward: str, host: str
) -> None:
    for kwargs in before:
        field.tell("general", fighter="red-duke", **kwargs)
    reason = {"overruled": "He rides over at once."} if host else {}
    field.tell("general", fighter="red-duke", to="red-knights", **reason)
    assert field.play.state.general_of(CAVALRY) == field.of("red-duke")
    field.tell("charge", ward=CAVALRY, target=ENEMY)
    duke = field.of("red-duke")
    assert (duke.ward, duke.stands_with, duke.returns_to) == (ward, host, ("", ""))
    assert f"Reds duke returns to {ward or 'his earlier place'}." in field.told


# What the turn demands


def test_a_ward_with_markers_tests_its_morale_before_a_later_step_begins(field: Field) -> None:
    field.tell("gun", fighter="red-bombard", target=ENEMY, dice=[6] * 4, disorder=[1] * 4)
    field.tell("gun", fighter="red-culverin", target=ENEMY, dice=[6] * 2, disorder=[1] * 2)
    again(field, "blue")
    later: tuple[tuple[str, dict[str, Any]], ...] = (
        ("shoot", {"target": VAN}),
        ("move", {}),
        ("fight", {"target": VAN}),
    )
    for kind, kwargs in later:
        assert "still-open" in field.refused(kind, ward=ENEMY, **kwargs), kind
    assert field.refused("step", to="cavalry") == ["still-open"]
    assert field.refused("general", fighter="blue-duke", to="blue-bills") == []
    field.tell("morale", ward=ENEMY, dice=[1] * 3)
    for kind, kwargs in later:
        assert field.refused(kind, ward=ENEMY, **kwargs) == [], kind


def test_a_ward_whose_dice_are_none_owes_no_test(field: Field) -> None:
    field.tell(
        "gun", fighter="red-bombard", target=ENEMY, dice=[6, 1, 1, 1], again=[1] * 3, disorder=[1]
    )
    again(field, "blue")
    assert field.refused("shoot", ward=ENEMY, target=VAN) == []


def test_a_table_that_sets_the_test_aside_says_why_and_plays_on() -> None:
    field = Field().tell("turn", side="red")
    field.tell("gun", fighter="red-bombard", target=ENEMY, dice=[6] * 4, disorder=[1] * 4)
    again(field, "blue")
    field.tell("shoot", ward=ENEMY, target=VAN, overruled="Nobody saw it.")
    assert field.refused("move", ward=ENEMY) == []


def test_an_assault_is_fought_out_before_the_step_of_fights_is_left(field: Field) -> None:
    field.tell("move", ward=VAN, move="assault")
    assert field.refused("order") == ["still-open"]
    assert field.refused("fight", **DRAW) == []
    field.tell("fight", **DRAW)
    assert field.refused("order") == []


def test_a_general_who_is_hit_is_saved_before_anything_else(field: Field) -> None:
    field.tell("general", fighter="red-duke", to="red-bills")
    field.tell("fight", **{**DRAW, "dice": [1] * 13, "target_dice": [5] * 9, "saves": [6] * 9})
    assert field.refused("fight", ward=REAR, target=ENEMY) == ["still-open"]
    assert field.refused("order") == ["still-open"]
    assert field.refused("turn", side="blue") == ["still-open"]
    field.tell("general-hit", fighter="red-duke", dice=[6])
    assert field.refused("order") == []


def test_hand_gunners_and_cavalry_do_not_shoot_with_a_ward(field: Field) -> None:
    assert field.refused("shoot", ward=REAR, target=ENEMY, who=["red-shots"]) == ["no-archers"]
    assert field.refused("shoot", ward=CAVALRY, target=ENEMY, who=["red-knights"]) == ["no-archers"]
    assert field.refused("shoot", ward=REAR, target=ENEMY, who=["red-levies"]) == []


@pytest.mark.parametrize(
    ("mode", "direction", "codes"),
    [
        ("intense", "front", []),
        ("intense", "rear", []),
        ("intense", "side", ["intense-sideways"]),
        ("intense", "apart", ["intense-sideways"]),
        ("normal", "side", []),
    ],
)
def test_intense_shooting_is_not_for_what_is_sideways(
    field: Field, mode: str, direction: str, codes: list[str]
) -> None:
    assert field.refused("shoot", ward=VAN, target=ENEMY, mode=mode, direction=direction) == codes


def test_what_makes_no_sense_is_refused_by_its_field() -> None:
    with pytest.raises(RulesError) as refused:
        Field().tell("loss", fighter="red-duke", halves=1)
    assert refused.value.problems[0].field == "halves"
