"""Scouts before the game in the log. Rule book: "Scout"."""

from collections.abc import Iterator

from msgspec.structs import replace

from rulebook.ruleset import LoggedEvent, Problem
from rulebook.systems.en_garde.play.people import combatant_problems
from rulebook.systems.en_garde.play.play_state import PlayState
from rulebook.systems.en_garde.table.moving import scout_violations
from rulebook.systems.en_garde.turns.fighters import present
from rulebook.systems.en_garde.turns.opening_events import ScoutPlaced
from rulebook.systems.en_garde.turns.turn_rule import Rules, TurnRule
from rulebook.values.problems import Violation


def scout_input_errors(state: PlayState, event: ScoutPlaced, logged: LoggedEvent) -> Iterator[Problem]:
    """Was it fielded?"""
    yield from combatant_problems(state, event.fighter, "fighter")


def scouting_violations(state: PlayState, event: ScoutPlaced, logged: LoggedEvent) -> tuple[Violation, ...]:
    """Only Scouts, once each, and before the first turn."""
    checks = (
        (state.table.turn > 0, "battle-begun", "Scouts go ahead before the first turn."),
        (state.table.of(event.fighter).scouted, "scouted-already", "This Scout has gone ahead."),
    )
    found = (Violation(code, sentence, 'Rule book: "Scout"') for wrong, code, sentence in checks if wrong)
    return (*found, *scout_violations(present(state, event.fighter), event.inches))


def take_scout(state: PlayState, event: ScoutPlaced, logged: LoggedEvent) -> PlayState:
    """The state with the Scout where it begins."""
    return replace(state, table=state.table.with_fighter(event.fighter, scouted=True, hidden=event.hidden))


RULES: Rules = {ScoutPlaced: TurnRule(scout_input_errors, scouting_violations, take_scout)}
