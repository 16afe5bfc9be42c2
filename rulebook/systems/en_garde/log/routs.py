"""Routing off the table in the log: in a log turn by turn only while the warband Routs. Ruling S13."""

from rulebook.ruleset import LoggedEvent
from rulebook.systems.en_garde.play.events import Routed
from rulebook.systems.en_garde.play.play_state import PlayState
from rulebook.systems.en_garde.table.morale import Morale
from rulebook.values.problems import Violation

RULE = 'Rule book: "Routing"; Ruling S13'


def rout_violations(state: PlayState, event: Routed, logged: LoggedEvent) -> tuple[Violation, ...]:
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
