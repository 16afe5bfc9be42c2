"""Activating a fighter of a Routing warband: it rolls before it does anything, and runs if its nerve fails.

Moves see to that themselves, with the Wavering's roll. Rule book: "Routing". Ruling B7.
"""

from msgspec.structs import replace

from rulebook.systems.en_garde.play.play_state import PlayState
from rulebook.systems.en_garde.play.turn_state import touched
from rulebook.systems.en_garde.table.morale import needs_resolve, resolve_holds
from rulebook.systems.en_garde.turns.fighters import present
from rulebook.systems.en_garde.turns.turn_event import Activation, TurnEvent


def resolve_wanted(state: PlayState, event: TurnEvent) -> bool:
    """Does whoever it activates have to roll first? Once a turn."""
    actor = event.actor
    if actor not in state.combatants or state.table.of(actor).resolved == state.table.turn:
        return False
    morale = state.table.morale_of(state.side_of(actor))
    engaged = state.table.engaged(actor)
    return needs_resolve(present(state, actor), morale, into_contact=False, engaged=engaged)


def bolts(state: PlayState, event: TurnEvent) -> bool:
    """Does it run instead, by the die that was asked for?"""
    if not isinstance(event, Activation) or event.resolve is None or not resolve_wanted(state, event):
        return False
    return not resolve_holds(present(state, event.actor).rank, event.resolve)


def resolved(state: PlayState, event: TurnEvent) -> PlayState:
    """The state after an event whose actor has rolled, if it had to."""
    if not isinstance(event, Activation) or event.resolve is None:
        return state
    actor = event.actor
    return replace(state, table=state.table.with_fighter(actor, resolved=state.table.turn)) if actor else state


def run_off(state: PlayState, fighter: str) -> PlayState:
    """The state after a fighter ran towards the nearest edge: that was its action."""
    table = state.table.with_fighter(fighter, acted=state.table.turn, hidden=False, resolved=state.table.turn, order="")
    return replace(state, table=touched(table, fighter, ()))
