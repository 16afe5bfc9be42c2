"""Sides take turns in the Move Phase of a log, one fighter each, the side with Priority first."""

import pytest

from rulebook.ruleset import BattleSetup
from rulebook.systems.en_garde.turns.alternation import next_side
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
    """Return a battle in which side b has Priority."""
    log = begun(PAIRS)
    log.tell("priority", rolls=[{"a": 1, "b": 6}])
    return log


def rest(log: Told, fighter: str) -> None:
    log.tell("action", fighter=fighter, what="rest")


def rest_errors(log: Told, fighter: str) -> list[str]:
    return log.errors("action", fighter=fighter, what="rest")


def test_the_side_with_priority_goes_first_and_then_they_take_turns():
    log = started()
    assert rest_errors(log, "a1") == ["not-its-activation"]
    rest(log, "b1")
    assert rest_errors(log, "b2") == ["not-its-activation"]
    rest(log, "a1")
    assert next_side(log.state) == "b"
    rest(log, "b2")


def test_the_table_may_agree_otherwise():
    log = started()
    log.tell("action", fighter="a1", what="rest", overruled="She was the first to say so.")
    assert [each.code for each in log.overruled] == ["not-its-activation"]
    assert next_side(log.state) == "b"


def test_passed_side_no_longer_alternates():
    log = started()
    rest(log, "b1")
    log.tell("done", side="a")
    rest(log, "b2")
    rest(log, "b3")


def test_finished_side_no_longer_alternates():
    log = started()
    log.tell("wound", victim="a2", result="critical", attacker="b1")
    log.tell("wound", victim="a3", result="critical", attacker="b1")
    rest(log, "b1")
    rest(log, "a1")
    rest(log, "b2")
    rest(log, "b3")


def test_the_engaged_keep_nobody_waiting_and_may_act_in_their_turn():
    log = started()
    log.tell("move", fighter="b1", contacts=["a1", "a2", "a3"])
    rest(log, "b2")
    log.tell("move", fighter="a1", gait="short")
    assert rest_errors(log, "a1") == ["acted-already"]


@pytest.mark.parametrize("order", ["move", "shoot", "reload"])
def test_those_who_were_ordered_act_in_the_activation_of_their_commander(order):
    chief = man("chief", "custom/rank-4", 4, leader=True, kept={"attributes": ["commander"]})
    men = tuple(man(each, "custom/rank-2", 2) for each in ("one", "two"))
    log = begun(BattleSetup("skirmish", (side("a", "custom", chief, *men), PAIRS.sides[1])))
    log.tell("priority", rolls=[{"a": 6, "b": 1}])
    target = {"target": "b1"} if order == "shoot" else {}
    log.tell("order", commander="chief", order=order, fighters=["one", "two"], **target)
    if order == "move":
        log.tell("move", fighter="one", inches=3)
        log.tell("move", fighter="two", inches=3)
    assert next_side(log.state) == "b"


def test_a_shot_goes_on_after_its_short_move():
    log = begun(BattleSetup("skirmish", (PAIRS.sides[0], side("b", "border-reivers", *_archers()))))
    log.tell("priority", rolls=[{"a": 1, "b": 6}])
    log.tell("move", fighter="b1", gait="short", inches=2)
    log.tell("shot", shooter="b1", target="a1", weapon="bow", inches=10, dice=[1, 2])
    assert rest_errors(log, "b2") == ["not-its-activation"]


def _archers():
    plain = {"equipment": ["hand-weapon", "bow"]}
    return (
        man("b1", "custom/rank-3", 3, leader=True, **plain),
        man("b2", "custom/rank-2", 2, **plain),
    )


def test_without_priority_nothing_is_held_to_an_order():
    log = begun(PAIRS)
    rest(log, "a1")
    rest(log, "a2")


def test_each_turn_begins_with_the_side_that_has_priority():
    log = started()
    rest(log, "b1")
    log.tell("turn")
    log.tell("priority", rolls=[{"a": 1, "b": 6}])
    rest(log, "b1")


def test_a_correction_of_an_earlier_activation_upsets_no_later_one():
    log = started()
    rest(log, "b1")
    rest(log, "a1")
    log.tell("correction", event=3, reason="He had stayed where he was.")
    assert log.state.table.of("a1").has("acted")
    assert rest_errors(log, "a2") == ["not-its-activation"]
