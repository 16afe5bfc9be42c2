"""The log of a battle of Avant-garde: what each kind of event does, what is refused, and the result
it comes to."""

import dataclasses

import pytest
from msgspec.structs import replace

from rulebook.ruleset import Fate, LoggedEvent, Outcome
from rulebook.systems.avant_garde.commanding import DesertedAgain
from rulebook.systems.avant_garde.ending import Lost
from rulebook.systems.avant_garde.log import LOG, read_result, score_of
from tests.rulebook.avant_garde.field import Field, setup

PIPS = [4] * 8
GOOD, BAD = [1, 2], [6, 5]


def begun(first="red", **settings):
    """Return a first turn with the initiative of one side.

    Everybody has four pips, the Uninspiring three.
    """
    dice = [6, 1] if first == "red" else [1, 6]
    return Field(**settings).tell("turn", dice=PIPS).tell("initiative", dice=dice)


def fought(**kwargs):
    """Return a fight of the Red line with the Blue line after a charge."""
    field = begun().tell("charge", fighter="red-line", target="blue-line", inches=6, dice=GOOD)
    field.tell("reaction", fighter="blue-line", answer="stand").tell(
        "contact", fighter="red-line", run=[6]
    )
    return field.tell("melee", fighter="red-line", **kwargs) if kwargs else field


STRIKE = {
    "front": 3,
    "target_front": 3,
    "blows": [6, 6, 6],
    "wounds": [6, 6, 6],
    "saves": [],
    "target_blows": [],
    "target_wounds": [],
    "target_saves": [],
    "inches": [],
}


# Command


def test_pips_are_dice_and_what_the_rating_adds_and_batteries_have_their_own():
    field = Field().tell("turn", dice=PIPS)
    assert field.of("red-marshal").pips == 4
    assert field.of("red-colonel").pips == 3
    assert field.of("red-guns").pips == 4


@pytest.mark.parametrize(
    ("settled", "codes"), [({}, ["not-in-source"]), ({"charismatic_pips": 1}, [])]
)
def test_a_charismatic_commander_is_asked_for_what_the_source_has_lost(settled, codes):
    field = Field(**settled)
    fighter = replace(field.of("red-marshal").fighter, rating="charismatic")
    state = field.play.state.changed("red-marshal", fighter=fighter)
    logged = LoggedEvent(1, "turn", {"dice": PIPS})
    assert [each.code for each in LOG.problems(state, LOG.read(logged), logged)] == codes


def test_the_commander_in_chief_assigns_pips_and_nobody_else():
    field = (
        Field()
        .tell("turn", dice=PIPS)
        .tell("pips", fighter="red-marshal", to="red-general", number=3)
    )
    assert (field.of("red-marshal").pips, field.of("red-general").pips) == (1, 7)
    assert field.refused("pips", fighter="red-general", to="red-guns") == ["not-chief"]
    assert field.refused("pips", fighter="red-marshal", to="red-line") == ["no-receiver"]
    assert field.refused("pips", fighter="red-marshal", to="red-general", number=2) == [
        "too-few-pips"
    ]


def test_orders_beyond_the_radius_cost_a_pip_for_each_distance():
    field = begun().tell("move", fighter="red-line", away=12)
    assert field.of("red-general").pips == 2
    assert field.refused("move", fighter="red-guard", away=30) == ["too-few-pips"]


def test_a_token_costs_two_pips_of_a_commander_and_a_battery_pays_its_own():
    field = (
        Field()
        .tell("turn", dice=PIPS)
        .tell("react", fighter="red-line")
        .tell("react", fighter="red-guns")
    )
    assert (field.of("red-general").pips, field.of("red-guns").pips) == (2, 3)
    assert field.refused("react", fighter="red-line") == ["reacting-already"]


def test_initiative_counts_the_nation_and_ties_are_thrown_again():
    field = Field().tell("turn", dice=PIPS).tell("initiative", dice=[3, 4, 4, 4])
    assert field.play.state.first == "red"
    assert Field().tell("turn", dice=PIPS).refused("initiative", dice=[3, 4]) == ["initiative-dice"]


def test_who_lost_the_initiative_adds_one_next_turn():
    field = begun("blue").tell("end").tell("turn", dice=PIPS)
    assert field.play.state.behind == "red"
    assert field.tell("initiative", dice=[2, 3]).play.state.first == "red"


def test_double_six_unhorses_influencing_commander():
    field = Field().tell("loss", fighter="red-line", order="disordered").tell("turn", dice=PIPS)
    field.tell("rally", fighter="red-line", influence="red-general", dice=[6, 6])
    assert field.of("red-general").unhorsed
    assert field.of("red-general").pips == 0
    assert field.of("red-line").order == "disordered"


def test_a_failed_test_is_thrown_again_for_a_pip_inside_the_radius():
    """Ruling N-C7."""
    field = Field().tell("loss", fighter="red-line", order="broken").tell("turn", dice=PIPS)
    assert field.refused(
        "rally", fighter="red-line", reroll=True, away=12, dice=BAD, again=GOOD
    ) == ["too-far-for-another-try"]
    field.tell("rally", fighter="red-line", reroll=True, dice=BAD, again=GOOD)
    assert field.of("red-line").order == "disordered"
    assert field.of("red-general").pips == 3


def test_some_nations_may_not_both_move_and_change_formation_in_a_phase():
    for nation, wrong in (("france", []), ("minor", ["moved-instead"])):
        field = Field((nation, "britain")).tell("turn", dice=PIPS).tell("initiative", dice=[6, 1])
        field.tell("move", fighter="red-line")
        assert field.refused("form", fighter="red-line", formation="column") == wrong


def test_a_commander_who_joins_a_unit_orders_it_alone_and_shares_its_fate():
    field = begun()
    assert field.refused("join", fighter="red-general") == ["joined-nobody"]
    assert field.refused("join", fighter="red-general", to="blue-line") == ["no-unit-to-join"]
    field.tell("join", fighter="red-general", to="red-line").tell("move", fighter="red-line")
    assert field.of("red-general").pips == 3
    field.tell("move", fighter="red-guard")
    assert (field.of("red-general").pips, field.of("red-marshal").pips) == (3, 3)
    assert field.refused("advance", fighter="red-general") == ["has-joined", "nobody-in-column"]
    field.tell("loss", fighter="red-line", gone="surrendered")
    assert field.of("red-general").gone == "surrendered"


def test_a_courier_brings_an_order_eight_inches_a_turn_and_there_is_one_at_a_time():
    field = Field().tell("turn", dice=PIPS)
    kwargs = {"fighter": "red-marshal", "to": "red-general", "order": "hold", "inches": 8}
    assert field.refused("courier", **{**kwargs, "fighter": "red-colonel"}) == ["not-chief"]
    assert field.refused("courier", **{**kwargs, "to": "red-line"}) == ["no-commander"]
    assert field.refused("message", side="red") == ["no-courier"]
    assert field.tell("courier", **kwargs).refused("courier", **kwargs) == ["courier-away"]
    assert field.refused("message", side="red") == ["courier-rides"]
    field.tell("initiative", dice=[6, 1]).tell("end").tell("turn", dice=PIPS).tell(
        "message", side="red"
    )
    assert "Reds general reads: hold." in field.told
    field.tell("initiative", dice=[6, 1])
    charge = {"fighter": "red-line", "target": "blue-line", "inches": 6, "dice": GOOD}
    assert field.refused("charge", **charge) == ["ordered-otherwise"]
    field.tell("loss", fighter="blue-line", order="disordered")
    assert field.refused("charge", **{**charge, "dice": []}) == []


def test_a_courier_who_is_killed_loses_the_order_and_another_waits_a_turn():
    field, kwargs = Field().tell("turn", dice=PIPS), {"fighter": "red-marshal", "to": "red-general"}
    field.tell("courier", **kwargs).tell("initiative", dice=[6, 1]).tell(
        "message", side="red", killed=True
    ).tell("end")
    field.tell("turn", dice=PIPS)
    assert field.refused("courier", **kwargs) == ["courier-lost"]
    field.tell("initiative", dice=[6, 1]).tell("end").tell("turn", dice=PIPS)
    assert field.refused("courier", **kwargs) == []


def test_a_brigade_at_half_its_strength_tests_unit_by_unit_once():
    field = Field()
    for fighter, lost in (("line", 16), ("guard", 16), ("militia", 12), ("light", 8)):
        field.tell("loss", fighter=f"red-{fighter}", figures=lost)
    field.tell("turn", dice=PIPS)
    assert field.refused("brigade", fighter="red-hussars", dice=GOOD) == ["brigade-holds"]
    field.tell("brigade", fighter="red-light", dice=BAD, steady=BAD, inches=[3, 3])
    assert field.of("red-light").order == "disordered"
    assert field.refused("brigade", fighter="red-light", dice=GOOD) == ["brigade-holds"]
    assert (
        field.tell("brigade", fighter="red-line", dice=BAD, inches=[1, 1]).of("red-line").order
        == "broken"
    )


def test_reserves_throw_one_die_more_each_turn_until_they_come():
    field = Field().tell(
        "hold", side="red", fighters=["red-hussars", "red-cuirassiers", "red-colonel"]
    )
    field.tell("turn", dice=[4] * 7).tell("arrive", side="red", dice=[3])
    assert field.refused("arrive", side="red", dice=[3, 3]) == ["already"]
    field.tell("initiative", dice=[6, 1]).tell("end").tell("turn", dice=[4] * 7)
    assert field.refused("arrive", side="red", dice=[4]) == ["wrong-dice"]
    assert field.tell("arrive", side="red", dice=[1, 4]).of("red-hussars").on_table


def test_more_than_a_third_of_several_brigades_cannot_wait():
    many = ["red-line", "red-guard", "red-hussars"]
    assert Field().refused("hold", side="red", fighters=many) == ["over-a-third"]
    assert Field().refused("hold", side="blue", fighters=many) == ["not-of-that-side"]


# Movement and charges


def test_steps_go_in_their_order_and_each_side_has_its_own():
    field = begun().tell("move", fighter="red-line")
    assert field.refused("move", fighter="red-line") == ["already"]
    field.tell("move", fighter="blue-line")
    assert field.play.state.step == 6
    assert field.refused("rally", fighter="red-line", dice=GOOD) == [
        "step-over",
        "nothing-to-rally",
    ]


def test_before_initiative_nobody_moves():
    assert "no-initiative" in Field().tell("turn", dice=PIPS).refused("move", fighter="red-line")


def test_ground_disorders_and_a_lost_cell_is_asked_for():
    field = begun()
    assert field.refused("move", fighter="red-line", ground="stream") == ["not-in-source"]
    field.tell("move", fighter="red-line", ground="stream", modifier=-3, dice=[3, 3])
    assert field.of("red-line").order == "disordered"


def test_ford_is_tried_once_per_river_stretch():
    field = begun().tell("ford", fighter="red-line", name="The mill", dice=[3], second=4)
    assert "There is no ford here." in field.told
    assert field.refused("ford", fighter="red-guard", name="The mill", dice=[6], second=1) == [
        "stretch-tried"
    ]
    assert field.tell(
        "ford", fighter="red-guard", name="The bend", dice=[4], second=4
    ).play.state.fords["The bend"]


def test_cossacks_find_a_ford_with_two_dice_alike():
    field = begun()
    cossacks = replace(field.of("red-hussars").fighter, cossacks=True)
    state = field.play.state.changed("red-hussars", fighter=cossacks)
    for second, codes in ((7, ["no-such-face"]), (6, [])):
        logged = LoggedEvent(3, "ford", {"fighter": "red-hussars", "dice": [6], "second": second})
        event = LOG.read(logged)
        assert [each.code for each in LOG.problems(state, event, logged)] == codes
    assert not event.finds_ford(state)


def test_a_formation_near_the_enemy_takes_a_test_and_the_pip_is_lost_without_it():
    field = begun().tell("form", fighter="red-line", formation="column", near=True, dice=BAD)
    assert field.of("red-line").formation == "line"
    assert field.of("red-general").pips == 3
    assert field.refused("form", fighter="red-guard", formation="cavalry-line") == [
        "not-its-formation"
    ]


def test_infantry_cannot_charge_cavalry_nor_anybody_too_far():
    field = begun()
    assert field.refused("charge", fighter="red-line", target="blue-hussars", dice=GOOD) == [
        "infantry-on-cavalry"
    ]
    assert field.refused(
        "charge", fighter="red-line", target="blue-line", inches=13, dice=GOOD
    ) == ["too-far-to-charge"]
    assert field.refused("charge", fighter="red-line", target="red-guard") == ["no-target"]


@pytest.mark.parametrize(
    ("nations", "away", "inches", "codes"),
    [
        (("france", "austria"), 0, 8, []),
        (("france", "austria"), 0, 9, ["not-so-near"]),
        (("france", "austria"), 8, 12, []),
        (("britain", "austria"), 0, 12, []),
        (("britain", "austria"), 0, 13, ["not-so-near"]),
    ],
)
def test_cavalry_charges_of_its_own_accord_only_when_the_enemy_is_near(
    nations, away, inches, codes
):
    field = Field(nations).tell("turn", dice=PIPS).tell("initiative", dice=[6, 1])
    kwargs = {"fighter": "red-hussars", "target": "blue-line", "impetuous": True}
    assert field.refused("charge", **kwargs, away=away, inches=inches) == codes


def test_a_charge_that_fails_its_test_is_not_run():
    field = begun().tell("charge", fighter="red-line", target="blue-line", inches=6, dice=BAD)
    assert field.play.state.charges == ()
    assert field.of("red-line").order == "good"


def test_a_charge_is_answered_before_it_runs_and_nothing_else_happens_in_the_next_step():
    field = begun().tell("charge", fighter="red-line", target="blue-line", inches=6, dice=GOOD)
    assert field.refused("contact", fighter="red-line", run=[6]) == ["answer-first"]
    assert field.refused("fire", fighter="red-guard", target="blue-line", front=12) == [
        "still-open"
    ]
    field.tell("reaction", fighter="blue-line", answer="stand").tell(
        "contact", fighter="red-line", run=[6]
    )
    assert [each.target for each in field.play.state.combats] == ["blue-line"]


def test_defensive_fire_stops_chargers_who_fail_their_test():
    field = begun().tell("charge", fighter="red-line", target="blue-line", inches=6, dice=GOOD)
    shots = {"range": [3], "shots": [6] * 8, "kills": [6] * 8}
    field.tell("reaction", fighter="blue-line", answer="stand-and-shoot", front=12, **shots)
    assert field.of("red-line").shot == 8
    assert field.refused("contact", fighter="red-line", run=[6]) == ["test-first"]
    field.tell("test", fighter="red-line", dice=[3, 3])
    assert field.of("red-line").order == "disordered"
    assert field.play.state.charges == ()


def test_a_volley_at_chargers_may_leave_a_unit_low_on_ammunition_as_any_other():
    field = begun().tell("charge", fighter="red-line", target="blue-line", inches=6, dice=GOOD)
    kwargs = {
        "volley": True,
        "front": 2,
        "dice": GOOD,
        "range": [3],
        "shots": [6, 6],
        "kills": [1, 1],
    }
    field.tell("reaction", fighter="blue-line", answer="stand-and-shoot", **kwargs)
    assert field.of("blue-line").low


def test_fire_beyond_the_chargers_goes_too_high():
    field = begun().tell("charge", fighter="red-line", target="blue-line", inches=5, dice=GOOD)
    field.tell(
        "reaction",
        fighter="blue-line",
        answer="stand-and-shoot",
        front=12,
        range=[6],
        shots=[],
        kills=[],
    )
    assert "It fires too high." in field.told


def test_infantry_forms_square_or_is_disordered():
    for dice, formation, order in ((GOOD, "square", "good"), (BAD, "line", "disordered")):
        field = begun().tell(
            "charge", fighter="red-hussars", target="blue-line", inches=9, dice=GOOD
        )
        field.tell("reaction", fighter="blue-line", answer="square", run=[1, 1], dice=dice)
        assert (field.of("blue-line").formation, field.of("blue-line").order) == (formation, order)


def test_who_flees_and_is_caught_loses_its_colours():
    field = begun().tell("charge", fighter="red-hussars", target="blue-line", inches=4, dice=GOOD)
    field.tell("reaction", fighter="blue-line", answer="flee", inches=[1, 1])
    field.tell("contact", fighter="red-hussars", run=[6, 6])
    assert field.of("blue-line").colours_lost
    field.tell(
        "hack", fighter="red-hussars", front=2, blows=[6, 6], wounds=[6, 6], saves=[], inches=[1, 1]
    )
    assert field.of("blue-line").lost == 2
    assert not field.of("red-hussars").blown
    assert [each.kind for each in field.play.state.deeds] == ["colours"]


# Fire


def test_half_a_front_rank_fires_and_three_casualties_bring_a_line_battalion_to_its_test():
    field = begun().tell(
        "fire",
        fighter="red-line",
        target="blue-line",
        front=12,
        inches=4,
        shots=[4] * 6,
        kills=[4] * 3 + [1] * 3,
    )
    assert field.of("blue-line").lost == 3
    assert field.refused("end") == ["still-open"]
    field.tell("test", fighter="blue-line", dice=[3, 3])
    assert field.of("blue-line").order == "disordered"


def test_a_volley_takes_a_pip_and_may_leave_a_unit_low_on_ammunition():
    field = begun().tell(
        "fire",
        fighter="red-line",
        target="blue-line",
        front=3,
        manner="volley",
        shots=[6, 6, 1],
        kills=[1, 1],
    )
    assert field.of("red-line").low
    assert field.of("red-general").pips == 3
    assert field.refused("fire", fighter="red-line", target="blue-line", front=3) == ["not-loaded"]


def test_who_needs_a_seven_or_does_not_reach_so_far_holds_its_fire():
    kwargs = {
        "fighter": "red-line",
        "target": "blue-line",
        "front": 12,
        "inches": 7,
        "cover": "hard",
    }
    assert begun().refused("fire", **kwargs) == ["holds-fire"]
    assert begun().refused("fire", **{**kwargs, "inches": 9}) == ["beyond-its-reach"]


def test_a_refused_volley_says_what_stands_against_it():
    volley = {"fighter": "red-line", "target": "blue-line", "front": 3, "manner": "volley"}
    assert begun().tell("move", fighter="red-line").refused("fire", **volley) == ["no-volley"]
    disordered = begun().tell("loss", fighter="red-line", order="disordered")
    assert disordered.refused("fire", **volley) == ["not-in-good-order"]
    formed = begun().tell("form", fighter="red-line", formation="march")
    assert formed.refused("fire", **volley) == ["no-volley-formation"]


def test_missing_commander_is_refused_by_kind():
    field = Field()
    field.tell("loss", fighter="red-marshal", gone="killed").tell("turn", dice=PIPS[1:]).tell(
        "initiative", dice=[6, 1]
    )
    assert field.refused("panic", fighter="red-line", general=True, dice=GOOD) == ["no-chief"]


def test_the_commander_of_a_battalion_may_fall_with_a_whole_stand_by_house_rule():
    field = begun(battalion_commanders=True)
    shots = {"front": 12, "inches": 4, "shots": [4] * 6, "kills": [4] * 4 + [1] * 2}
    field.tell("fire", fighter="red-line", target="blue-line", **shots)
    assert field.refused("test", fighter="blue-line", dice=[1, 2]) == ["wrong-dice"]
    assert (
        field.tell("test", fighter="blue-line", commander=[1], dice=[1, 3]).of("blue-line").order
        == "disordered"
    )


def test_the_front_rank_is_asked_for_once():
    field = begun()
    assert field.refused("fire", fighter="red-line", target="blue-line") == ["front-unknown"]
    field.tell("fire", fighter="red-line", target="blue-line", front=12, inches=4)
    assert field.of("red-line").front == 12


def test_canister_kills_on_threes():
    field = begun().tell(
        "guns",
        fighter="red-guns",
        target="blue-militia",
        round="canister",
        inches=8,
        guns=1,
        shots=[4] * 6,
        kills=[3] * 3 + [2] * 3,
    )
    assert field.of("blue-militia").lost == 3
    assert field.of("red-guns").pips == 3


def test_a_ball_is_read_from_the_table_before_play_goes_on():
    field = begun().tell(
        "guns", fighter="red-guns", target="blue-line", guns=1, inches=12, shots=[4], lengths=[3]
    )
    assert field.refused("end") == ["still-open"]
    field.tell("struck", fighter="red-guns", target="blue-line", figures=2, kills=[2, 1])
    assert field.of("blue-line").lost == 1


def test_a_ball_on_deployed_guns_kills_one_of_the_crew_or_destroys_the_gun():
    field = begun().tell(
        "guns",
        fighter="red-guns",
        target="blue-guns",
        inches=12,
        shots=[4, 4],
        location=[6, 1],
        kills=[2, 2],
    )
    assert (field.of("blue-guns").guns_lost, field.of("blue-guns").lost) == (1, 1)


def test_guns_that_cannot_pay_wait_a_turn_for_their_reload():
    field = Field().tell("turn", dice=[4, 4, 4, 1, 4, 4, 4, 4]).tell("initiative", dice=[6, 1])
    field.tell(
        "guns", fighter="red-guns", target="blue-line", guns=1, inches=12, shots=[1], lengths=[]
    )
    field.tell("end")
    assert not field.of("red-guns").loaded
    field.tell("turn", dice=PIPS).tell("initiative", dice=[6, 1]).tell("end")
    assert field.of("red-guns").loaded
    assert field.of("red-guns").pips == 4


def test_a_result_sheet_says_who_was_unhorsed():
    assert Field().tell("loss", fighter="red-general", unhorsed=True).of("red-general").unhorsed
    assert Field().refused("loss", fighter="red-line", unhorsed=True) == ["no-commander"]


def test_more_than_three_quarters_lost_is_shattered():
    field = Field().tell("loss", fighter="red-line", figures=13)
    assert field.of("red-line").shaken
    assert (
        field.tell("loss", fighter="red-line", figures=6, by="blue-line").of("red-line").gone
        == "shattered"
    )


# Hand to hand


def test_chargers_strike_first_and_the_loser_tests_or_breaks():
    field = fought(**STRIKE)
    assert field.of("blue-line").lost == 3
    assert field.refused("melee", fighter="red-line") == ["fought-already"]
    field.tell("break", fighter="blue-line", dice=BAD, inches=[1, 1])
    assert field.of("blue-line").order == "broken"
    assert field.of("red-line").jubilant == 1


def test_a_unit_with_a_commander_throws_its_misses_again():
    field = begun().tell("join", fighter="red-general", to="red-line")
    field.tell("charge", fighter="red-line", target="blue-line", inches=6, dice=GOOD)
    field.tell("reaction", fighter="blue-line", answer="stand").tell(
        "contact", fighter="red-line", run=[6]
    )
    kwargs = {**STRIKE, "blows": [6, 1, 1], "wounds": [6, 6], "target_blows": [1]}
    assert field.refused("melee", fighter="red-line", **kwargs) == ["wrong-dice"]
    assert field.tell("melee", fighter="red-line", **kwargs, again=[6, 1]).of("blue-line").lost == 2


def test_a_broken_unit_surrenders_to_half_as_many_guards_who_move_slowly():
    field = begun("blue")
    assert field.refused("surrender", fighter="red-line", by="blue-line") == ["not-broken"]
    field.tell("loss", fighter="red-line", order="broken").tell(
        "loss", fighter="blue-militia", figures=7
    )
    assert field.refused("surrender", fighter="red-line", by="red-guard") == ["no-target"]
    assert field.refused("surrender", fighter="red-line", by="blue-militia") == ["too-few-guards"]
    field.tell("surrender", fighter="red-line", by="blue-line")
    assert (field.of("red-line").gone, field.of("blue-line").jubilant) == ("surrendered", 1)
    assert field.refused("move", fighter="blue-line") == ["guards-prisoners"]
    assert field.refused("move", fighter="blue-line", pace="slow") == []


def test_who_passes_its_break_test_falls_back_disordered():
    field = fought(**STRIKE).tell("break", fighter="blue-line", dice=[1, 1], inches=[4])
    assert field.of("blue-line").order == "disordered"
    assert field.refused("follow", fighter="red-line", how="pursue", inches=[1, 1]) == [
        "nobody-broke"
    ]


def test_pursuers_who_catch_the_broken_take_their_colours_and_strike_them():
    field = fought(**STRIKE).tell("break", fighter="blue-line", dice=BAD, inches=[1, 1])
    field.tell("follow", fighter="red-line", how="pursue", inches=[6, 6])
    assert field.of("blue-line").colours_lost
    assert field.refused("end") == ["still-open"]
    field.tell("hack", fighter="red-line", front=3, blows=[6] * 3, wounds=[6] * 3, inches=[1, 1])
    assert field.of("blue-line").lost == 6


def test_cavalry_that_charged_formed_troops_is_blown_unless_it_is_recalled():
    for how, dice, blown in (("recall", [1, 1], False), ("back", [], True)):
        field = begun().tell(
            "charge", fighter="red-cuirassiers", target="blue-militia", inches=9, dice=GOOD
        )
        field.tell("reaction", fighter="blue-militia", answer="stand").tell(
            "contact", fighter="red-cuirassiers", run=[6, 6]
        )
        kwargs = {**STRIKE, "target_front": 2}
        field.tell("melee", fighter="red-cuirassiers", **kwargs)
        field.tell("break", fighter="blue-militia", inches=[1, 1])
        kwargs = {"steady": [1, 2]} if how == "recall" else {}
        inches = [1] * (3 if how == "recall" else 1)
        field.tell("follow", fighter="red-cuirassiers", how=how, dice=dice, inches=inches, **kwargs)
        assert field.of("red-cuirassiers").blown == blown


def test_blown_cavalry_recovers_at_ten_with_what_its_grade_adds():
    field = begun()
    state = field.play.state.changed("red-hussars", blown=True, recovered=(4,))
    field.play = dataclasses.replace(field.play, state=state)
    field.tell("recover", fighter="red-hussars", dice=[3])
    assert field.of("red-hussars").recovered == (4, 3)
    assert field.refused("recover", fighter="red-hussars", dice=[6]) == ["already"]
    field.tell("end").tell("turn", dice=PIPS).tell("initiative", dice=[6, 1])
    assert not field.tell("recover", fighter="red-hussars", dice=[1]).of("red-hussars").blown


# The end


def test_the_battle_ends_by_its_dice_from_turn_seven_on():
    field = Field()
    for turn in range(1, 8):
        field.tell("turn", dice=PIPS).tell("initiative", dice=[6, 1]).tell(
            "end", **({"dice": [4]} if turn == 7 else {})
        )
    assert field.play.state.over
    assert field.refused("turn", dice=PIPS) == ["last-turn"]


def test_victory_points_count_states_locations_and_colours_as_the_club_has_them():
    field = Field(colours_value=3).tell(
        "loss", fighter="blue-line", figures=13, colours=True, by="red-line"
    )
    field.tell("loss", fighter="blue-guard", gone="shattered").tell(
        "location", name="The bridge", side="red"
    )
    assert sum(each.points for each in score_of(field.play.state, "red")) == 1 + 2 + 5 + 3
    assert sum(each.points for each in score_of(field.play.state, "blue")) == 0


def test_the_side_with_more_points_wins_and_casualties_carry_over():
    field = (
        Field()
        .tell("loss", fighter="blue-line", figures=13)
        .tell("loss", fighter="blue-colonel", gone="killed")
    )
    result = read_result(field.tell("ended").play.state, setup())
    assert [each.outcome for each in result.sides] == [Outcome.WON, Outcome.LOST]
    records = {each.fighter: each for each in result.sides[1].records}
    assert records["blue-line"].condition == {"lost": 13}
    assert records["blue-line"].wounds == "shaken"
    assert records["blue-colonel"].fate is Fate.DEAD


def losses_of(field, who):
    """Return the losses in a unit's record, as numbers and parts."""
    result = read_result(field.tell("ended").play.state, field.play.setup)
    records = {each.fighter: each for side in result.sides for each in side.records}
    return [(each.amount, each.of, each.parts) for each in records[who].losses]


def test_records_name_the_figures_guns_and_colours_that_were_lost():
    lost = {"figures": 9, "colours": True}
    assert losses_of(Field().tell("loss", fighter="blue-line", **lost), "blue-line") == [
        ("9", "24", "figures"),
        ("", "", "its colours"),
    ]
    guns = Field().tell("loss", fighter="blue-guns", figures=4, guns=1)
    assert losses_of(guns, "blue-guns") == [("4", "12", "gunners"), ("1", "3", "guns")]
    assert losses_of(Field(), "blue-line") == []


def test_records_count_those_who_came_back_as_not_lost():
    field = Field(returns=True).tell("loss", fighter="red-line", figures=3).tell("ended")
    field.tell("returns", fighter="red-line", dice=[4, 4, 1])
    result = read_result(field.play.state, setup())
    (loss,) = next(each.losses for each in result.sides[0].records if each.fighter == "red-line")
    assert (loss.amount, loss.of) == ("1", "24")


def test_records_name_losses_that_do_not_carry_over():
    field = Field(casualties_carry_over=False).tell("loss", fighter="red-line", figures=3)
    assert losses_of(field, "red-line") == [("3", "24", "figures")]


def test_returns_are_thrown_after_the_battle_where_the_club_plays_them():
    field = Field(returns=True).tell("loss", fighter="red-line", figures=3).tell("ended")
    assert field.tell("returns", fighter="red-line", dice=[4, 4, 1]).of("red-line").lost == 1
    assert field.refused("returns", fighter="red-line", dice=[1]) == ["already"]
    assert Field().tell("ended").refused("returns", fighter="red-line") == ["no-returns"]


def test_disease_takes_a_die_of_six_from_large_units_and_of_four_from_small_ones():
    assert Field().refused("disease", side="red") == ["no-disease"]
    field = Field(disease=True)
    assert field.refused("disease", side="red", dice=[1, 1, 1, 1, 6, 1]) == ["no-such-face"]
    field.tell("disease", side="red", dice=[6, 1, 1, 1, 4, 1])
    assert (field.of("red-line").figures, field.of("red-hussars").figures) == (18, 8)
    assert field.refused("disease-again", fighter="red-line", dice=[2]) == ["no-disease"]


def test_in_harsh_conditions_the_die_of_a_unit_is_thrown_again_once():
    field = Field(disease=True, harsh_disease=True)
    assert field.refused("disease-again", fighter="red-line", dice=[2]) == ["nobody-deserted"]
    field.tell("disease", side="red", dice=[6, 1, 1, 1, 4, 1])
    assert field.refused("disease-again", fighter="red-hussars", dice=[5]) == ["no-such-face"]
    assert DesertedAgain.is_due(field.play.state, field.of("red-line"))
    assert field.tell("disease-again", fighter="red-line", dice=[2]).of("red-line").start == 22
    assert field.refused("disease-again", fighter="red-line", dice=[1]) == ["already"]


def test_a_building_is_asked_for_its_hit_points_and_falls():
    field = begun()
    assert field.refused("sector", name="The inn", dice=[3]) == ["not-in-source"]
    field.tell("sector", name="The inn", points=5, dice=[3]).tell(
        "sector", name="The inn", dice=[2]
    )
    assert field.play.state.sectors["The inn"].fallen
    assert field.refused("sector", name="The inn", dice=[1]) == ["fallen"]


@pytest.mark.parametrize("kind", ["fire", "move", "react", "test"])
def test_who_is_gone_does_nothing_any_more(kind):
    field = begun().tell("loss", fighter="red-line", gone="left")
    kwargs = {"target": "blue-line", "front": 3} if kind == "fire" else {}
    assert "gone" in field.refused(kind, fighter="red-line", **kwargs)


def test_a_draw_sends_infantry_back_disordered_and_cavalry_through_each_other():
    field = fought(
        **{**STRIKE, "blows": [1, 1, 1], "wounds": [], "target_blows": [1, 1, 1], "inches": [2, 5]}
    )
    assert "A draw: they go 2 and 5 inches back." in field.told
    assert (field.of("red-line").order, field.of("blue-line").order) == ("disordered", "disordered")
    field = begun().tell(
        "charge", fighter="red-hussars", target="blue-hussars", inches=9, dice=GOOD
    )
    field.tell("reaction", fighter="blue-hussars", answer="stand").tell(
        "contact", fighter="red-hussars", run=[6, 6]
    )
    field.tell(
        "melee",
        fighter="red-hussars",
        **{**STRIKE, "blows": [1, 1, 1], "wounds": [], "target_blows": [1, 1, 1], "inches": [2, 5]},
    )
    assert "A draw: both break through, 7 inches (Ruling N-K4)." in field.told
    assert field.tell("follow", fighter="red-hussars", how="on").of("red-hussars").blown
    assert field.of("blue-hussars").order == "good"


def test_loss_sentence_joins_three_effects() -> None:
    lost = Lost(fighter="line", figures=2, colours=True, order="broken")
    assert (
        lost.sentence({"line": "The Line"})
        == "The Line took 2 casualties, lost its colours and is broken"
    )
    assert Lost(fighter="line").sentence({"line": "The Line"}) == "The Line is unchanged"


# What is owed


def test_an_open_fight_keeps_the_next_turn_and_the_end_of_the_battle_waiting():
    field = fought()
    assert field.refused("turn", dice=PIPS) == ["still-open"]
    assert field.refused("ended") == ["still-open"]
    assert field.refused("ended", overruled="The Blues give up.") == []
    assert field.refused("turn", dice=PIPS, overruled="It is late.") == []
    field.tell("melee", fighter="red-line", **STRIKE)
    assert field.refused("turn", dice=PIPS) == ["still-open"]
    field.tell("break", fighter="blue-line", dice=[1, 1], inches=[4])
    assert field.refused("ended") == []


def test_a_fight_that_the_table_has_left_behind_waits_for_the_next_turn():
    field = fought().tell("end", overruled="We fight it next turn.")
    assert field.refused("melee", fighter="red-line", **STRIKE) == ["step-over"]
    assert field.refused("turn", dice=PIPS) == []


def test_a_charge_and_a_casualty_test_keep_the_next_turn_waiting():
    field = begun().tell("charge", fighter="red-line", target="blue-line", inches=6, dice=GOOD)
    assert field.refused("turn", dice=PIPS) == ["still-open"]
    fire = {"front": 12, "inches": 4, "shots": [4] * 6, "kills": [4] * 3 + [1] * 3}
    field = begun().tell("fire", fighter="red-line", target="blue-line", **fire)
    field.tell("test", fighter="blue-line", dice=[1, 1]).tell("end")
    assert field.refused("turn", dice=PIPS) == []


def test_no_turn_begins_while_somebody_has_to_reload():
    fire = {"front": 12, "inches": 4, "shots": [1] * 6, "kills": []}
    field = begun().tell("fire", fighter="red-line", target="blue-line", **fire)
    assert not field.of("red-line").loaded
    assert field.refused("turn", dice=PIPS) == ["still-open"]
    assert field.refused("ended") == []
    field.tell("end")
    assert field.of("red-line").loaded
    assert field.refused("turn", dice=PIPS) == []


def test_a_brigade_that_has_lost_half_is_tested_before_the_command_step_is_left():
    field = Field().tell("turn", dice=PIPS)
    for regiment in ("hussars", "cuirassiers"):
        field.tell("loss", fighter=f"blue-{regiment}", figures=6)
    assert "still-open" in field.refused("initiative", dice=[6, 1])
    assert "still-open" in field.refused("turn", dice=PIPS)


def test_unit_is_lost_once_and_losses_follow_later():
    field = Field()
    field.tell("loss", fighter="red-line", gone="surrendered", by="blue-line")
    for again in (
        {"gone": "shattered", "by": "blue-guard"},
        {"gone": "left", "overruled": "It came back."},
    ):
        assert field.refused("loss", fighter="red-line", **again) == ["already-logged"]
    assert field.refused("loss", fighter="red-line", figures=2) == []
