"""Reserves in the log: who waits off the table, and when it may come. Rule book: "Deployment". Ruling S14."""

from collections.abc import Iterator

from msgspec.structs import replace

from rulebook.ruleset import LoggedEvent, Problem
from rulebook.systems.en_garde.play.people import not_of_side, side_problems
from rulebook.systems.en_garde.play.play_state import PlayState
from rulebook.systems.en_garde.table.setting_up import reserve_waves
from rulebook.systems.en_garde.turns.opening_events import ReservesKept
from rulebook.systems.en_garde.turns.turn_rule import Rules, TurnRule
from rulebook.values.problems import Violation

RULE = 'Rule book: "Deployment"'


def reserve_input_errors(state: PlayState, event: ReservesKept, logged: LoggedEvent) -> Iterator[Problem]:
    """Are these fighters of that side?"""
    wrong = tuple(side_problems(state, event.side))
    yield from wrong or not_of_side(state, event.side, event.fighters, "fighters")


def reserve_violations(state: PlayState, event: ReservesKept, logged: LoggedEvent) -> tuple[Violation, ...]:
    """Half of a side, rounded down, where the scenario has reserves, before the first turn."""
    first, second, third = reserve_waves(len(state.own(event.side)))
    role, allowed = state.side(event.side).role, state.scenario.reserves
    wrong = f"{second + third} wait off the table, {first} do not."
    checks = (
        (state.table.turn > 0, "battle-begun", "Reserves are kept back before the first turn."),
        (allowed not in ("agreed", role), "no-reserves", f"{state.scenario.name} has no reserves for this side."),
        (len(event.fighters) != second + third, "wrong-reserves", wrong),
    )
    return tuple(Violation(code, sentence, RULE) for wrong, code, sentence in checks if wrong)


def take_reserves(state: PlayState, event: ReservesKept, logged: LoggedEvent) -> PlayState:
    """The state with these fighters off the table, and no others of their side."""
    for there in state.own(event.side):
        waits = there.fighter.id in event.fighters
        state = replace(state, table=state.table.with_fighter(there.fighter.id, reserve=waits))
    return state


def arrival_violations(state: PlayState, fighter: str) -> tuple[Violation, ...]:
    """Half of the reserves, rounded up, may come in turn 2, the others from turn 3 on."""
    side = state.side_of(fighter)
    waiting = sum(state.table.of(each.fighter.id).reserve for each in state.own(side))
    *_, third = reserve_waves(len(state.own(side)))
    early = state.table.turn < 2 or (state.table.turn == 2 and waiting <= third)
    return (Violation("in-reserve", f"{state.named(fighter)} comes in a later turn.", RULE),) if early else ()


RULES: Rules = {ReservesKept: TurnRule(reserve_input_errors, reserve_violations, take_reserves)}
