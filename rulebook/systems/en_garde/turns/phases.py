"""Which phase of the turn an event belongs to: what is over is over. Rule book: "Turn sequence", "Move phase"."""

from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from rulebook.systems.en_garde.play.play_state import PlayState
from rulebook.systems.en_garde.play.turn_state import TurnPhase
from rulebook.systems.en_garde.turns.activation import actors_of
from rulebook.systems.en_garde.turns.checking import side_of
from rulebook.systems.en_garde.turns.combat_events import (
    Attacked,
    Challenged,
    CombatOpened,
    FreeAttack,
    Passed,
    WeaponSwitched,
)
from rulebook.systems.en_garde.turns.event_parts import TurnEvent
from rulebook.systems.en_garde.turns.move_events import Acted, Moved, ObjectHandled, Ordered, SideDone
from rulebook.systems.en_garde.turns.phase_events import EndRolled, MoraleTested, PriorityRolled, StunRolled
from rulebook.systems.en_garde.turns.riding import rides_on
from rulebook.systems.en_garde.turns.shot_events import ShotFired, SpellCast
from rulebook.values.problems import Violation

PHASES: dict[type[Any], TurnPhase] = {
    PriorityRolled: TurnPhase.PRIORITY,
    Challenged: TurnPhase.PRIORITY,
    Moved: TurnPhase.MOVE,
    Acted: TurnPhase.MOVE,
    Ordered: TurnPhase.MOVE,
    ShotFired: TurnPhase.MOVE,
    SpellCast: TurnPhase.MOVE,
    SideDone: TurnPhase.MOVE,
    FreeAttack: TurnPhase.MOVE,
    CombatOpened: TurnPhase.COMBAT,
    Attacked: TurnPhase.COMBAT,
    Passed: TurnPhase.COMBAT,
    WeaponSwitched: TurnPhase.COMBAT,
    MoraleTested: TurnPhase.END,
    StunRolled: TurnPhase.END,
    EndRolled: TurnPhase.END,
}
"""What is not here belongs to no phase: checks, water, light things."""


def phase_of(state: PlayState, event: TurnEvent) -> TurnPhase | None:
    """The phase in which the event may happen, None if in any. Riding on belongs to the Combat Phase."""
    if isinstance(event, Moved) and rides_on(state, event):
        return TurnPhase.COMBAT
    if isinstance(event, ObjectHandled) and event.heavy and event.how == "taken":
        return TurnPhase.MOVE
    return PHASES.get(type(event))


def phase_violations(state: PlayState, event: TurnEvent) -> Iterator[Violation]:
    """A phase that is over does not come again in its turn; nor does a side that has passed in the Move Phase."""
    phase = phase_of(state, event)
    if phase is not None and phase.place < state.table.phase.place:
        sentence = f"The {phase.capitalize()} Phase of this turn is over."
        yield Violation("phase-over", sentence, 'Rule book: "Turn sequence"')
    sides = {side_of(state, actor) for actor in actors_of(event)} if phase is TurnPhase.MOVE else set()
    for side in sides & set(state.table.done):
        sentence = f"{state.side(side).name} has passed: its Move Phase is over."
        yield Violation("side-passed", sentence, "Ruling B33")


def in_phase(state: PlayState, event: TurnEvent) -> PlayState:
    """The state in the phase to which the event has brought the turn."""
    phase = phase_of(state, event)
    if phase is None or phase.place <= state.table.phase.place:
        return state
    return replace(state, table=replace(state.table, phase=phase))
