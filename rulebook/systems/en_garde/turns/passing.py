"""A side passes in the Move Phase in the log. Rule book: "Move phase". Ruling B33."""

from collections.abc import Iterator

from msgspec.structs import replace

from rulebook.ruleset import LoggedEvent, Problem
from rulebook.systems.en_garde.play.people import side_problems
from rulebook.systems.en_garde.play.play_state import PlayState
from rulebook.systems.en_garde.turns.move_events import SideDone
from rulebook.systems.en_garde.turns.turn_rule import Rules, TurnRule
from rulebook.values.problems import Violation


def done_input_errors(state: PlayState, event: SideDone, logged: LoggedEvent) -> Iterator[Problem]:
    """Is there such a side?"""
    yield from side_problems(state, event.side)


def done_violations(state: PlayState, event: SideDone, logged: LoggedEvent) -> tuple[Violation, ...]:
    """Once a turn."""
    passed = event.side in state.table.done
    return (Violation("side-passed", "This side has passed already.", "Ruling B33"),) if passed else ()


def take_done(state: PlayState, event: SideDone, logged: LoggedEvent) -> PlayState:
    """The state in which the Move Phase is over for that side."""
    return replace(state, table=replace(state.table, done=(*state.table.done, event.side)))


RULES: Rules = {SideDone: TurnRule(done_input_errors, done_violations, take_done)}
