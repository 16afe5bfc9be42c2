"""Overrides in combat: what players can agree on, and the error if a reason is too short."""

from typing import Any

import pytest

from rulebook.ruleset import Problem
from rulebook.systems.en_garde.table.rounds import Split
from tests.rulebook.en_garde.logs import event_problems
from tests.rulebook.en_garde.turns.tables import Told, begun, met, opening

AGREED = {"overruled": "We agreed on it."}


def problem(log: Told, kind: str, **data: Any) -> Problem:
    """Return the only problem of an event."""
    (error,) = event_problems(log.setup, log.events, log.event(kind, data))
    return error


def test_an_opportunity_out_of_turn_is_let_go_where_the_table_agrees():
    log = met()
    error = problem(log, "pass", fighter="guard")
    assert (error.code, error.field, error.source) == (
        "not-its-turn",
        "overruled",
        'Rule book: "Combat procedure"',
    )
    assert error.sentence.startswith("GUARD cannot attack now: ATHOS is next.")
    state = log.tell("pass", fighter="guard", **AGREED)
    assert (state.table.fight.next.id, log.overruled[-1].code) == ("guard", "not-its-turn")


def test_a_round_that_is_over_has_no_opportunities():
    log = met()
    log.tell("pass", fighter="athos")
    log.tell("pass", fighter="guard")
    assert "the round is over" in problem(log, "pass", fighter="athos").sentence


def test_another_weapon_without_a_counter_takes_an_agreement():
    log = met(counters={"a": [0, 6], "b": [1, 1]})
    problems = event_problems(
        log.setup, log.events, log.event("switch_weapon", {"fighter": "athos", "weapon": "dagger"})
    )
    assert ("no-counter", 'Rule book: "Which weapon?"') in [
        (each.code, each.source) for each in problems
    ]
    state = log.tell("switch_weapon", fighter="athos", weapon="dagger", **AGREED)
    assert (state.table.grips["athos"], state.table.fight.pools["a"]) == ("dagger", Split(0, 6))
    assert log.errors("switch_weapon", fighter="athos", weapon="banana", **AGREED) == [
        "unknown-weapon"
    ]


def test_somebody_awake_is_captured_where_the_table_agrees():
    log = begun()
    error = problem(log, "captured", by="athos", fighter="guard")
    assert (error.code, error.field, error.source) == ("not-unconscious", "overruled", "Ruling B21")
    state = log.tell("captured", by="athos", fighter="guard", **AGREED)
    assert state.combatants["guard"].captor == "athos"
    assert log.overruled[-1].rule == "Ruling B21"


def test_a_result_sheet_without_turns_may_overrule_a_capture_too():
    log = Told()
    assert log.errors("captured", by="athos", fighter="guard") == ["not-unconscious"]
    assert (
        log.tell("captured", by="athos", fighter="guard", **AGREED).combatants["guard"].captor
        == "athos"
    )


def test_no_table_captures_its_own_or_the_dead():
    log = begun()
    log.tell("wound", victim="guard", result="critical")
    assert log.errors("captured", by="athos", fighter="guard", **AGREED) == ["already-logged"]
    assert log.errors("captured", by="athos", fighter="planchet", **AGREED) == ["own-side"]


def test_short_override_reason_names_minimum_length():
    error = problem(met(), "pass", fighter="guard", overruled="ok")
    assert error.value == "ok"
    assert error.sentence.endswith("give a reason of at least 3 letters.")


BLOW = {"attacker": "guard", "target": "athos", "dice": [1, 1], "defence_dice": [6]}


@pytest.mark.parametrize(
    ("changes", "words", "rule"),
    [
        ({"reroll": 3}, "Only a Weapon Master", 'Rule book: "Weapon Master"'),
        ({"defence_reroll": 3}, "Only a Weapon Master", 'Rule book: "Weapon Master"'),
        ({"luck": 3}, "needs the field 'lucky' to show whose", 'Rule book: "Lucky"'),
        ({"dice": [1]}, "'dice' takes 2 dice here, not 1", ""),
        ({"die": 3}, "'die' takes no die here, not 1: leave it out.", ""),
    ],
    ids=["reroll", "defence-reroll", "luck", "too-few", "needless"],
)
def test_wrong_number_of_dice_names_fighter_and_remedy(changes, words, rule):
    log = met()
    log.tell("pass", fighter="athos")
    error = problem(log, "attack", **{**BLOW, **changes})
    assert error.code == "wrong-dice"
    assert words in error.sentence
    assert error.source == rule


def test_luck_says_why_it_does_not_serve():
    log = met()
    first = {**BLOW, "attacker": "athos", "target": "guard"}
    assert "GUARD is not Lucky" in problem(log, "attack", **first, lucky="guard").sentence
    log.tell("attack", **first, lucky="athos", luck=1)
    assert "ATHOS has already used Lucky" in problem(log, "attack", **BLOW, lucky="athos").sentence


def test_those_who_tie_are_named():
    log = begun(guard=["athos"])
    tied = problem(log, "combat", **opening(initiative={"athos": [1], "guard": [3]}))
    assert tied.sentence.startswith("ATHOS and GUARD tie and roll again.")
