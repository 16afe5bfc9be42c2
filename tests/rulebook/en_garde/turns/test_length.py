"""The length of a game in a log turn by turn: its last turn, the roll for it, and effects that wait
for the next one."""

from typing import Any

import pytest

from rulebook.ruleset import BattleSetup
from rulebook.systems.en_garde.at_table.table_view import phases_due
from rulebook.systems.en_garde.play.play_state import last_turn
from rulebook.systems.en_garde.turns.nerve import sides_to_test
from tests.rulebook.en_garde.logs import at_table
from tests.rulebook.en_garde.turns.tables import SWORDS, Rigged, Told

BRIDGE = BattleSetup(
    "hold-the-bridge",
    tuple(
        type(side)(side.key, side.name, role, side.faction, side.fighters)
        for side, role in zip(SWORDS.sides, ("attacker", "defender"), strict=True)
    ),
)


def turns(setup: BattleSetup, number: int) -> Told:
    log = Told(setup)
    for turn in range(1, number + 1):
        log.tell("turn", turn=turn)
    return log


@pytest.mark.parametrize(
    ("scenario", "set_up", "last"),
    [("capture", {}, 8), ("skirmish", {"turns": 7}, 7), ("skirmish", {}, None)],
)
def test_no_turn_begins_after_the_last_one(scenario: str, set_up: dict[str, Any], last: int | None):
    setup = BattleSetup(scenario, SWORDS.sides, set_up=set_up)
    log = turns(setup, last or 12)
    assert last_turn(log.state) == last
    assert log.errors("turn", turn=(last or 12) + 1) == (["last-turn-played"] if last else [])


def test_the_end_is_rolled_for_from_the_fourth_turn_on_once_a_turn():
    assert turns(BRIDGE, 3).errors("length", die=6) == ["too-early"]
    log = turns(BRIDGE, 4)
    assert log.errors("length") == ["wrong-dice"]
    log.tell("length", die=5)
    assert log.errors("length", die=6) == ["rolled-already"]
    log.tell("turn", turn=5)
    assert log.tell("length", die=5).table.final == 6
    log.tell("turn", turn=6)
    assert log.errors("length", die=6) == ["last-turn-known"]
    assert log.errors("turn", turn=7) == ["last-turn-played"]


def test_other_games_are_not_rolled_for():
    assert turns(SWORDS, 4).errors("length", die=6) == ["kind-not-in-scenario"]


def test_muster_throws_for_the_end():
    log = turns(BRIDGE, 4)
    log.luck = Rigged(6)
    assert log.tell("length").table.final == 5


def test_the_next_turn_waits_for_those_who_have_to_test_their_morale():
    log = turns(SWORDS, 1)
    log.tell("wound", victim="jussac", result="critical", attacker="athos")
    log.tell("turn", turn=2)
    assert log.errors("turn", turn=3) == ["still-open"]
    log.tell("morale", side="b", dice=[1, 1])
    log.tell("turn", turn=3)


def test_nobody_waits_for_a_side_of_which_nobody_is_left():
    log = turns(SWORDS, 1)
    for victim in ("jussac", "guard", "milady"):
        log.tell("wound", victim=victim, result="critical", attacker="athos")
    log.tell("turn", turn=2)
    log.tell("turn", turn=3)


def test_nothing_happens_turn_by_turn_once_the_battle_has_ended():
    log = turns(SWORDS, 1)
    log.tell("ended", how="agreed")
    assert log.errors("move", fighter="guard", inches=1) == ["ended-already"]
    assert log.errors("turn", turn=2) == ["ended-already"]
    log.tell("note", text="A good fight.")


def test_no_battle_ends_by_its_last_turn_before_that_has_come():
    log = turns(BattleSetup("skirmish", SWORDS.sides, set_up={"turns": 3}), 2)
    assert log.errors("ended", turn=2) == ["last-turn-to-come"]
    assert log.errors("ended", turn=2, how="agreed") == []
    assert log.errors("ended", turn=2, overruled="The club closes") == []
    log.tell("turn", turn=3)
    assert log.errors("ended", turn=3) == []


def test_a_table_is_offered_the_last_turn_as_an_end_only_in_it():
    log = turns(BattleSetup("skirmish", SWORDS.sides, set_up={"turns": 3}), 2)
    assert "last-turn" not in endings_offered(log)
    log.tell("turn", turn=3)
    assert "last-turn" in endings_offered(log)


def endings_offered(log: Told) -> list[str]:
    (ended,) = (each for each in at_table(log.setup, log.events).actions if each.kind == "ended")
    return [key for field in ended.fields if field.key == "how" for key, _ in field.choices]


def test_light_turn_waits_for_nobody_and_morale_stays_due():
    log = turns(SWORDS, 1)
    log.tell("wound", victim="jussac", result="critical", attacker="athos")
    log.tell("turn", turn=2)
    assert log.errors("turn", turn=3)
    assert log.tell("turn", turn=3, light=True).light
    log.tell("wound", victim="guard", result="critical", attacker="athos")
    assert sides_to_test(log.tell("turn", turn=4, light=True)) == ("b",)
    due = [(each.do, each.who) for phase in phases_due(log.state) for each in phase.due]
    assert ("morale", "b") in due, "offered although nobody has thrown for Priority"
    assert not log.tell("turn", turn=5).light
