"""Poison in the log: at the end of each Combat Phase it gives its victims a Stunned counter, by itself.

A log has no event for that moment: the first event of the End Phase, or the next turn, shows that it has come.
Rule book: "Poison". Ruling B27.
"""

from msgspec.structs import replace

from rulebook.ruleset import LoggedEvent
from rulebook.systems.en_garde.play.events import Means, WoundEvent
from rulebook.systems.en_garde.play.play_state import PlayState
from rulebook.systems.en_garde.play.wounding import take_wound
from rulebook.systems.en_garde.table.wounds import WoundResult


def after_poison(state: PlayState, sequence: int = 0) -> PlayState:
    """The state at the end of this turn's Combat Phase; the same one if there is no turn or poison has worked in it."""
    turn = state.table.turn
    if not turn or state.table.poison_worked == turn:
        return state
    state = replace(state, table=replace(state.table, poison_worked=turn))
    for victim, known in state.table.fighters.items():
        if known.poisoned and state.somebody(victim).on_table:
            tick = WoundEvent(victim=victim, result=WoundResult.STUNNED, means=Means.POISON)
            state = take_wound(state, tick, LoggedEvent(sequence, "wound", {}, turn))
    return state
