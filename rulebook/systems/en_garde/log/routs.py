"""Routing off the table in the log: in a log turn by turn only while the warband Routs. Ruling S13."""

from collections.abc import Iterator

from msgspec.structs import replace

from rulebook.ruleset import LoggedEvent, Problem
from rulebook.systems.en_garde.play.events import Routed
from rulebook.systems.en_garde.play.leaving import leaving_problems, take_rout
from rulebook.systems.en_garde.play.play_state import PlayState
from rulebook.systems.en_garde.play.turn_state import Overruled
from rulebook.systems.en_garde.table.morale import Morale
from rulebook.systems.en_garde.turns.turn_rule import as_problem, is_overruled
from rulebook.values.problems import Violation

RULE = 'Rule book: "Routing"; Ruling S13'


def rout_problems(state: PlayState, event: Routed, logged: LoggedEvent) -> Iterator[Problem]:
    """Everything that is wrong with a fighter's rout; what the rules forbid may be overruled."""
    input_errors = tuple(leaving_problems(state, event, logged))
    yield from input_errors
    if not input_errors and not is_overruled(event):
        yield from map(as_problem, rout_violations(state, event))


def rout_violations(state: PlayState, event: Routed) -> tuple[Violation, ...]:
    """Everything that forbids to count a fighter as routed. A result sheet, which has no turns, is believed."""
    if not state.table.turn:
        return ()
    side = state.side_of(event.fighter)
    name, morale = state.side(side).name, state.table.morale_of(side)
    steady = f"{name} is {morale.value.capitalize()}, not Routing: who leaves all the same has left the table."
    engaged = f"{state.named(event.fighter)} is Engaged: those do not run."
    checks = (
        (morale is not Morale.ROUTING, "not-routing", steady),
        (state.table.engaged(event.fighter), "engaged", engaged),
    )
    return tuple(Violation(code, sentence, RULE) for wrong, code, sentence in checks if wrong)


def take_routed(state: PlayState, event: Routed, logged: LoggedEvent) -> PlayState:
    """The state after a fighter has routed off the table, with every rule that was set aside noted."""
    set_aside = rout_violations(state, event) if is_overruled(event) else ()
    noted = (Overruled(logged.sequence, each.code, each.rule, event.overruled) for each in set_aside)
    after = take_rout(state, event, logged)
    return replace(after, table=replace(after.table, overruled=(*after.table.overruled, *noted)))
