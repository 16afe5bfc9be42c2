"""The course of a turn in a log: its number, and Priority, which is settled once."""

from tests.rulebook.en_garde.turns.tables import SWORDS, Told, begun
from tests.rulebook.en_garde.turns.test_shots import ARCHERS


def test_a_turn_without_a_number_is_the_next_one():
    log = Told(SWORDS)
    assert log.tell("turn").table.turn == 1
    state = log.tell("turn")
    assert (state.table.turn, state.turns) == (2, 2)
    assert log.errors("turn", turn=2) == ["wrong-turn"]


def test_priority_is_settled_once_a_turn_unless_the_table_agrees():
    log = begun(ARCHERS)
    log.tell("priority", rolls=[{"a": 6, "b": 1}])
    assert log.errors("priority", rolls=[{"a": 1, "b": 6}]) == ["priority-settled"]
    again = {"rolls": [{"a": 1, "b": 6}], "overruled": "A die had been cocked."}
    assert log.tell("priority", **again).table.priority == "b"
    log.tell("turn")
    log.tell("priority", rolls=[{"a": 1, "b": 6}])
