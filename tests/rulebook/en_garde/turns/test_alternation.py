"""Sides take turns in the Move Phase of a log, one fighter each, the side with Priority first."""

import pytest

from rulebook.ruleset import BattleSetup
from rulebook.systems.en_garde.turns.policy import next_side
from tests.rulebook.en_garde.turns.tables import Told, begun, man, side

PAIRS = BattleSetup(
    "skirmish",
    tuple(
        side(
            key,
            "cardinals-guard",
            man(f"{key}1", "cardinals-guard/officer", 3, leader=True),
            man(f"{key}2", "cardinals-guard/guard", 2),
            man(f"{key}3", "cardinals-guard/guard", 2),
        )
        for key in "ab"
    ),
)


def started() -> Told:
    """Side b has Priority."""
    told = begun(PAIRS)
    told.tell("priority", rolls=[{"a": 1, "b": 6}])
    return told


def rest(told: Told, fighter: str) -> None:
    told.tell("action", fighter=fighter, what="rest")


def rest_errors(told: Told, fighter: str) -> list[str]:
    return told.errors("action", fighter=fighter, what="rest")


def test_the_side_with_priority_goes_first_and_then_they_take_turns():
    told = started()
    assert rest_errors(told, "a1") == ["not-its-activation"]
    rest(told, "b1")
    assert rest_errors(told, "b2") == ["not-its-activation"]
    rest(told, "a1")
    assert next_side(told.state) == "b"
    rest(told, "b2")


def test_the_table_may_agree_otherwise():
    told = started()
    told.tell("action", fighter="a1", what="rest", overruled="She was the first to say so.")
    assert [each.code for each in told.overruled] == ["not-its-activation"]
    assert next_side(told.state) == "b"


def test_a_side_that_has_passed_is_waited_for_no_more():
    told = started()
    rest(told, "b1")
    told.tell("done", side="a")
    rest(told, "b2")
    rest(told, "b3")


def test_a_side_whose_fighters_have_all_acted_is_waited_for_no_more():
    told = started()
    told.tell("wound", victim="a2", result="critical", attacker="b1")
    told.tell("wound", victim="a3", result="critical", attacker="b1")
    rest(told, "b1")
    rest(told, "a1")
    rest(told, "b2")
    rest(told, "b3")


def test_the_engaged_keep_nobody_waiting_and_may_act_in_their_turn():
    told = started()
    told.tell("move", fighter="b1", contacts=["a1", "a2", "a3"])
    rest(told, "b2")
    told.tell("move", fighter="a1", gait="short")
    assert rest_errors(told, "a1") == ["acted-already"]


@pytest.mark.parametrize("order", ["move", "shoot", "reload"])
def test_those_who_were_ordered_act_in_the_activation_of_their_commander(order):
    chief = man("chief", "custom/rank-4", 4, leader=True, kept={"attributes": ["commander"]})
    men = tuple(man(each, "custom/rank-2", 2) for each in ("one", "two"))
    told = begun(BattleSetup("skirmish", (side("a", "custom", chief, *men), PAIRS.sides[1])))
    told.tell("priority", rolls=[{"a": 6, "b": 1}])
    target = {"target": "b1"} if order == "shoot" else {}
    told.tell("order", commander="chief", order=order, fighters=["one", "two"], **target)
    if order == "move":
        told.tell("move", fighter="one", inches=3)
        told.tell("move", fighter="two", inches=3)
    assert next_side(told.state) == "b"


def test_a_shot_goes_on_after_its_short_move():
    told = begun(BattleSetup("skirmish", (PAIRS.sides[0], side("b", "border-reivers", *_archers()))))
    told.tell("priority", rolls=[{"a": 1, "b": 6}])
    told.tell("move", fighter="b1", gait="short", inches=2)
    told.tell("shot", shooter="b1", target="a1", weapon="bow", inches=10, dice=[1, 2])
    assert rest_errors(told, "b2") == ["not-its-activation"]


def _archers():
    plain = {"equipment": ["hand-weapon", "bow"]}
    return (man("b1", "custom/rank-3", 3, leader=True, **plain), man("b2", "custom/rank-2", 2, **plain))


def test_without_priority_nothing_is_held_to_an_order():
    told = begun(PAIRS)
    rest(told, "a1")
    rest(told, "a2")


def test_each_turn_begins_with_the_side_that_has_priority():
    told = started()
    rest(told, "b1")
    told.tell("turn")
    told.tell("priority", rolls=[{"a": 1, "b": 6}])
    rest(told, "b1")


def test_a_correction_of_an_earlier_activation_upsets_no_later_one():
    told = started()
    rest(told, "b1")
    rest(told, "a1")
    told.tell("correction", event=3, reason="He had stayed where he was.")
    assert told.state.table.of("a1").has("acted")
    assert rest_errors(told, "a2") == ["not-its-activation"]
