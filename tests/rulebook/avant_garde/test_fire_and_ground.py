"""The fire phases, guns, difficult ground, the cavalry phase and skirmishing riders in the log of a
battle."""

import dataclasses
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from rulebook.dice.cup import Cup
from rulebook.systems.avant_garde.calculators import AvantGardeCalculators
from rulebook.systems.avant_garde.firing import GunsFired
from rulebook.systems.avant_garde.table import table_view
from tests.rulebook.avant_garde.field import Field
from tests.rulebook.avant_garde.test_log import BAD, GOOD, begun

SHOT = {"front": 12, "inches": 4}
MISSED = {"round": "canister", "inches": 8, "guns": 1, "shots": [1] * 6}
HIT = {"round": "canister", "inches": 8, "guns": 1, "shots": [6] * 6, "kills": [6] * 6}


def changed(field: Field, who: str, **changes: Any) -> Field:
    """Return the battle with changes of one unit's state."""
    field.play = dataclasses.replace(field.play, state=field.play.state.changed(who, **changes))
    return field


def built(field: Field, who: str, **changes: Any) -> Field:
    """Return the battle with changes of one unit's build."""
    return changed(field, who, fighter=replace(field.of(who).fighter, **changes))


def offered(field: Field, who: str) -> set[str]:
    """Return the kinds of event that the live log offers to a unit."""
    return {each.kind for each in table_view(field.play.state, who).actions}


# The cavalry phase


@pytest.mark.parametrize("did", ["fired", "charged", "fought"])
def test_cavalry_phase_is_closed_to_cavalry_that_has_acted(did):
    """Slide 9."""
    field = changed(begun().tell("move", fighter="blue-line"), "red-hussars", did=(did,))
    assert "no-cavalry-move" in field.refused("move", fighter="red-hussars")
    assert "no-cavalry-move" in field.refused(
        "fall-back", fighter="red-hussars", dice=GOOD, inches=[1, 1]
    )
    charge = {"fighter": "red-hussars", "target": "blue-line", "inches": 8, "dice": GOOD}
    assert "no-cavalry-move" in field.refused("charge", **charge)
    assert not {"move", "fall-back", "charge"} & offered(field, "red-hussars")


def test_cavalry_phase_is_open_to_cavalry_that_has_only_moved():
    field = begun().tell("move", fighter="red-hussars").tell("move", fighter="blue-line")
    assert {"move", "charge"} <= offered(field, "red-hussars")
    assert (
        field.refused("charge", fighter="red-hussars", target="blue-line", inches=8, dice=GOOD)
        == []
    )
    assert field.tell("move", fighter="red-hussars").play.state.step == 9


def test_cavalry_phase_lets_blown_cavalry_fall_back():
    field = changed(
        begun().tell("move", fighter="blue-line"), "red-hussars", did=("fought",), blown=True
    )
    assert field.refused("fall-back", fighter="red-hussars", dice=GOOD, inches=[1, 1]) == []
    assert field.refused("move", fighter="red-hussars") == []


def test_movement_phase_is_open_to_cavalry_that_has_fired():
    """Slide 12: a unit may charge after the fire phase before."""
    field = begun("blue").tell("fire", fighter="red-hussars", target="blue-line", front=6, inches=3)
    assert (
        field.refused("charge", fighter="red-hussars", target="blue-guard", inches=8, dice=GOOD)
        == []
    )


def test_horse_artillery_fires_and_limbers_in_the_cavalry_phase():
    """Slide 19, ruling N-A10."""
    field = built(begun().tell("move", fighter="blue-line"), "red-guns", horse=True)
    field.tell("fire", fighter="blue-line", target="red-line", **SHOT)
    assert {"guns", "form"} <= offered(field, "red-guns")
    field.tell("guns", fighter="red-guns", target="blue-line", **MISSED)
    field.tell("form", fighter="red-guns", formation="limbered")
    assert (field.of("red-guns").formation, field.play.state.step) == ("limbered", 9)
    assert "form" not in offered(field, "red-guns")
    assert field.refused("form", fighter="red-guns", formation="unlimbered") == [
        "already",
        "horse-guns-limber",
    ]


def test_horse_artillery_does_not_move_in_the_cavalry_phase():
    """Ruling N-A10: its next move is that of the reserves."""
    field = built(begun().tell("move", fighter="blue-line"), "red-guns", horse=True)
    field.tell("move", fighter="red-hussars")
    assert {each.kind: each.phase for each in table_view(field.play.state, "red-guns").actions}[
        "move"
    ] == "reserve"


def test_foot_artillery_neither_fires_nor_limbers_in_the_cavalry_phase():
    field = begun().tell("move", fighter="blue-line").tell("move", fighter="red-hussars")
    assert field.refused("guns", fighter="red-guns", target="blue-line", **MISSED) == ["step-over"]
    assert field.refused("form", fighter="red-guns", formation="limbered") == ["step-over"]


# The order of a fire phase


def test_artillery_fires_before_small_arms():
    """Slide 2."""
    field = begun().tell("fire", fighter="red-line", target="blue-militia", **SHOT, shots=[1] * 6)
    assert field.refused("guns", fighter="red-guns", target="blue-line", **MISSED) == [
        "guns-fire-first"
    ]
    assert "guns" not in offered(field, "red-guns")


def test_small_arms_wait_for_the_tests_that_artillery_brings():
    """Slide 2: casualties and disorder come between artillery and small arms."""
    field = begun().tell("guns", fighter="red-guns", target="blue-line", **HIT)
    kwargs = {"fighter": "red-line", "target": "blue-guard", **SHOT, "shots": [1] * 6}
    assert field.refused("fire", **kwargs) == ["artillery-first"]
    field.tell("test", fighter="blue-line", dice=GOOD)
    assert field.refused("fire", **kwargs) == []


def test_small_arms_wait_for_balls_that_are_yet_to_be_placed():
    ball = {"guns": 1, "inches": 12, "shots": [4], "lengths": [3]}
    field = begun().tell("guns", fighter="red-guns", target="blue-line", **ball)
    assert field.refused("fire", fighter="red-line", target="blue-guard", **SHOT) == [
        "artillery-first"
    ]


@pytest.mark.parametrize("step", ["fire-1", "fire-2"])
def test_side_a_fires_first_in_fire_1_and_side_b_in_fire_2(step):
    """Ruling N-T4."""
    field = begun()
    if step == "fire-2":
        field.tell("move", fighter="blue-light")
    early, late = ("red", "blue") if step == "fire-1" else ("blue", "red")
    field.tell("fire", fighter=f"{late}-line", target=f"{early}-line", **SHOT)
    kwargs = {"fighter": f"{early}-guard", "target": f"{late}-line", **SHOT}
    assert field.refused("fire", **kwargs) == ["fires-too-late"]
    assert "fire" not in offered(field, f"{early}-guard")
    assert (
        field.refused("fire", **{**kwargs, "fighter": f"{late}-guard", "target": f"{early}-line"})
        == []
    )


def test_batteries_fire_in_the_order_of_their_sides():
    """Ruling N-T4."""
    field = begun().tell("guns", fighter="blue-guns", target="red-line", **MISSED)
    assert field.refused("guns", fighter="red-guns", target="blue-line", **MISSED) == [
        "fires-too-late"
    ]
    field = begun().tell("guns", fighter="red-guns", target="blue-line", **MISSED)
    assert field.refused("guns", fighter="blue-guns", target="red-line", **MISSED) == []


def test_small_arms_of_a_side_fire_at_once_and_their_target_tests_once():
    """Rulings N-T4 and N-M1: all casualties by a side's small arms fall in one phase."""
    hits = {"shots": [6] * 6, "kills": [6, 6, 6, 1, 1, 1]}
    field = begun().tell("fire", fighter="red-line", target="blue-line", **SHOT, **hits)
    field.tell("fire", fighter="red-light", target="blue-line", **SHOT, **hits)
    assert field.of("blue-line").shot == 6
    field.tell("test", fighter="blue-line", dice=GOOD)
    kwargs = {"fighter": "red-militia", "front": 9, "inches": 4}
    assert field.refused("fire", **kwargs, target="blue-line") == ["target-tested"]
    assert field.refused("fire", **kwargs, target="blue-guard") == []


def test_fire_in_the_enemys_movement_has_no_order():
    field = changed(begun(), "red-light", formation="skirmish").tell("move", fighter="blue-line")
    kwargs = {
        "fighter": "red-light",
        "target": "blue-line",
        "inches": 4,
        "interrupts": True,
        "dice": GOOD,
    }
    assert field.tell("fire", **kwargs, shots=[1] * 24).play.state.step == 6
    assert field.refused("fire", fighter="blue-line", target="red-line", **SHOT) == []


# Squares


def test_a_square_fires_only_at_chargers():
    """Slide 8."""
    field = changed(begun(), "red-line", formation="square")
    assert field.refused("fire", fighter="red-line", target="blue-line", **SHOT) == [
        "square-fires-at-charges"
    ]
    assert "fire" not in offered(field, "red-line")


def test_a_square_fires_one_of_its_sides_at_chargers():
    """Slide 8: a quarter of its front rank."""
    field = changed(begun("blue"), "red-line", formation="square")
    field.tell("charge", fighter="blue-hussars", target="red-line", inches=9, dice=GOOD)
    kwargs = {"answer": "stand-and-shoot", "front": 12, "range": [3], "shots": [1] * 3}
    assert field.refused("reaction", fighter="red-line", **kwargs) == []


def test_calculator_gives_a_square_a_quarter_of_its_rank():
    field = changed(begun(), "red-line", formation="square")
    answer = AvantGardeCalculators().odds_in_battle(
        "fire", field.play, "red-line", "blue-line", {"front": 12, "inches": 4}
    )
    assert next(each["value"] for each in answer["figures"] if each["key"] == "dice") == "3"


# Near misses


def test_a_near_miss_goes_three_inches_at_most_at_short_range_and_six_at_long():
    """Ruling N-A9."""
    kwargs = {
        "fighter": "red-guns",
        "target": "blue-line",
        "calibre": "medium",
        "guns": 1,
        "lengths": [2],
    }
    field = begun()
    assert field.refused("guns", **kwargs, inches=18, shots=[3], scatter=[1, 4]) == [
        "no-such-scatter"
    ]
    assert field.refused("guns", **kwargs, inches=18, shots=[3], scatter=[1, 3]) == []
    assert field.refused("guns", **kwargs, inches=19, shots=[4], scatter=[1, 6]) == []


def test_dice_of_a_near_miss_are_thrown_by_its_range():
    """Ruling N-A9."""
    seen: dict[int, set[int]] = {12: set(), 30: set()}
    kwargs, state = (
        {"fighter": "red-guns", "target": "blue-line", "calibre": "medium", "guns": 1},
        begun().play.state,
    )
    for inches, throws in seen.items():
        near = GunsFired(**kwargs, inches=inches, shots=(3,) if inches == 12 else (4,))
        throws |= {near.throw(state, Cup(Random(seed))).scatter[1] for seed in range(60)}
    assert seen == {12: {1, 2, 3}, 30: {1, 2, 3, 4, 5, 6}}


# Ground


def test_guns_neither_move_nor_unlimber_in_heavy_woods():
    """Slide 32."""
    field = changed(begun(), "red-guns", formation="limbered")
    assert field.refused("move", fighter="red-guns", ground="heavy-woods") == ["barred-ground"]
    assert field.refused(
        "form", fighter="red-guns", formation="unlimbered", ground="heavy-woods"
    ) == ["no-guns-there"]


@pytest.mark.parametrize(
    "ground", ["light-woods", "rough", "hedge", "stream", "steep-slope", "built-up"]
)
def test_guns_pass_difficult_ground_limbered_and_do_not_unlimber_in_it(ground):
    """Slide 30."""
    field = begun()
    assert field.refused("move", fighter="red-guns", ground=ground) == ["guns-cross-limbered"]
    changed(field, "red-guns", formation="limbered")
    assert field.refused("move", fighter="red-guns", ground=ground) == []
    assert field.refused("form", fighter="red-guns", formation="unlimbered", ground=ground) == [
        "no-guns-there"
    ]
    assert field.refused("form", fighter="red-guns", formation="unlimbered") == []


def test_a_change_of_formation_in_difficult_ground_takes_a_disorder_test():
    """Slide 7: as if it moved there at normal pace."""
    kwargs = {"fighter": "red-line", "formation": "column", "ground": "rough"}
    assert begun().refused("form", **kwargs) == ["not-in-source"]
    for dice, order in ((GOOD, "good"), (BAD, "disordered")):
        field = begun().tell("form", **kwargs, modifier=-2, dice=dice)
        assert (field.of("red-line").formation, field.of("red-line").order) == ("column", order)
    for dice, order in ((GOOD, "good"), (BAD, "disordered")):
        field = begun().tell(
            "form",
            fighter="red-hussars",
            formation="cavalry-column",
            ground="light-woods",
            dice=dice,
        )
        assert field.of("red-hussars").order == order


def test_a_change_of_formation_near_the_enemy_in_difficult_ground_takes_both_tests():
    kwargs = {
        "fighter": "red-line",
        "formation": "column",
        "ground": "rough",
        "modifier": -2,
        "near": True,
    }
    assert begun().refused("form", **kwargs, dice=GOOD) == ["wrong-dice"]
    field = begun().tell("form", **kwargs, dice=GOOD, steady=BAD)
    assert (field.of("red-line").formation, field.of("red-line").order) == ("column", "disordered")
    assert "Disorder by the ground, 11: failed." in field.told
    field = begun().tell("form", **kwargs, dice=BAD)
    assert (field.of("red-line").formation, field.of("red-line").order) == ("line", "good")


def test_cavalry_does_not_form_up_in_heavy_woods():
    field = begun()
    kwargs = {"fighter": "red-hussars", "formation": "cavalry-column", "ground": "heavy-woods"}
    assert field.refused("form", **kwargs) == ["barred-ground"]


# Skirmishing cavalry


def riders(**changes: Any) -> Field:
    """Return a battle with the Red hussars in skirmish order."""
    return changed(begun(), "red-hussars", formation="cavalry-skirmish", **changes)


@pytest.mark.parametrize("target", ["line", "guns"])
def test_skirmishing_cavalry_never_charges_formed_troops_or_guns_in_front(target):
    """Slide 24."""
    kwargs = {"fighter": "red-hussars", "target": f"blue-{target}", "inches": 8}
    assert riders().refused("charge", **kwargs, dice=GOOD) == ["riders-in-front"]
    for facing in ("flank", "rear"):
        assert riders().refused("charge", **kwargs, facing=facing) == []
        assert riders().tell("charge", **kwargs, facing=facing, dice=BAD).play.state.charges == ()
        assert (
            len(riders().tell("charge", **kwargs, facing=facing, dice=GOOD).play.state.charges) == 1
        )


def test_skirmishing_cavalry_tests_even_against_a_small_disordered_unit():
    field = changed(riders(), "blue-line", order="disordered", figures=3)
    kwargs = {
        "fighter": "red-hussars",
        "target": "blue-line",
        "inches": 8,
        "facing": "flank",
        "dice": BAD,
    }
    assert field.tell("charge", **kwargs).play.state.charges == ()


def test_skirmishing_cavalry_charges_skirmishers_and_who_flees_in_front():
    kwargs = {"fighter": "red-hussars", "inches": 8}
    field = changed(riders(), "blue-light", formation="skirmish")
    assert field.refused("charge", **kwargs, target="blue-light") == []
    field = changed(riders(), "blue-line", order="broken")
    assert field.refused("charge", **kwargs, target="blue-line") == []


@pytest.mark.parametrize(
    ("formation", "order"), [("cavalry-skirmish", "good"), ("cavalry-line", "broken")]
)
def test_skirmishing_cavalry_rallies_at_once_when_it_flees_from_chargers(formation, order):
    """Slide 24."""
    field = changed(begun(), "blue-hussars", formation=formation)
    field.tell("charge", fighter="red-hussars", target="blue-hussars", inches=12)
    field.tell("reaction", fighter="blue-hussars", answer="flee", inches=[6, 6, 6])
    assert field.of("blue-hussars").order == order
    field.tell("contact", fighter="red-hussars", run=[1, 1], dice=GOOD)
    assert field.of("blue-hussars").order == order


def test_skirmishing_cavalry_that_is_caught_fleeing_is_broken():
    field = changed(begun(), "blue-hussars", formation="cavalry-skirmish")
    field.tell("charge", fighter="red-hussars", target="blue-hussars", inches=4)
    field.tell("reaction", fighter="blue-hussars", answer="flee", inches=[1, 1, 1])
    assert (
        field.tell("contact", fighter="red-hussars", run=[6, 6]).of("blue-hussars").order
        == "broken"
    )


def test_skirmishing_cavalry_is_not_impetuous():
    kwargs = {"fighter": "red-hussars", "target": "blue-line", "inches": 8, "facing": "flank"}
    assert riders().refused("charge", **kwargs, impetuous=True, dice=GOOD) == [
        "skirmishers-not-impetuous"
    ]


@pytest.mark.parametrize(("cossacks", "skirmish", "ground", "codes"), [
    (False, False, "light-woods", ["barred-ground"]),
    (False, True, "light-woods", []),
    (True, False, "light-woods", []),
    (True, False, "hedge", ["barred-ground"]),
])  # fmt: skip
def test_skirmishing_cavalry_and_cossacks_charge_into_woods_alone(
    cossacks, skirmish, ground, codes
):
    """Slides 24 and 30."""
    field = built(begun(), "red-hussars", cossacks=cossacks)
    changed(field, "blue-light", formation="skirmish")
    if skirmish:
        changed(field, "red-hussars", formation="cavalry-skirmish")
    field.tell("charge", fighter="red-hussars", target="blue-light", inches=8)
    field.tell("reaction", fighter="blue-light", answer="flee", inches=[1, 1])
    dice = [] if ground == "light-woods" and (cossacks or skirmish) else GOOD
    kwargs = {
        "fighter": "red-hussars",
        "ground": ground,
        "modifier": 0,
        "run": [6, 6],
        "dice": dice,
    }
    assert field.refused("contact", **kwargs) == codes
