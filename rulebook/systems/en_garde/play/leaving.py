"""Leaving the table in the log: what is wrong with it, and what it does."""

from collections.abc import Iterator

from msgspec.structs import replace

from rulebook.ruleset import LoggedEvent, Problem
from rulebook.systems.en_garde.play.events import LeftTable, Routed
from rulebook.systems.en_garde.play.people import combatant_problems, out_of_action
from rulebook.systems.en_garde.play.play_state import CombatantState, PlayState


def leaving_problems(state: PlayState, event: Routed | LeftTable, logged: LoggedEvent) -> Iterator[Problem]:
    """Everything that is wrong with a fighter's leaving the table."""
    unknown = list(combatant_problems(state, event.fighter, "fighter"))
    yield from unknown or _stays(state.combatants[event.fighter])


def _stays(combatant: CombatantState) -> Iterator[Problem]:
    if not combatant.standing:
        yield out_of_action(combatant, "fighter")


# What they do.


def take_rout(state: PlayState, event: Routed, logged: LoggedEvent) -> PlayState:
    """The state after a fighter has routed off the table."""
    fighter = state.combatants[event.fighter]
    return state.with_combatant(replace(fighter, routed=True, out_since=logged.sequence, out_turn=logged.turn))


def take_leave(state: PlayState, event: LeftTable, logged: LoggedEvent) -> PlayState:
    """The state after a fighter has gone over an edge."""
    fighter = state.combatants[event.fighter]
    gone = replace(fighter, edge=event.edge.value, out_since=logged.sequence, out_turn=logged.turn)
    return state.with_combatant(gone)
