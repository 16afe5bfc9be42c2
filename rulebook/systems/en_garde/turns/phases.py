"""What is over is over: phases of the turn, sides that have passed, and sides that have given up.

Rule book: "Turn sequence", "Move phase", "Check victory conditions". Ruling B33.
"""

from collections.abc import Iterator

from msgspec.structs import replace

from rulebook.systems.en_garde.play.play_state import PlayState
from rulebook.systems.en_garde.play.turn_state import TurnPhase
from rulebook.systems.en_garde.turns.checking import side_of
from rulebook.systems.en_garde.turns.turn_event import TurnEvent
from rulebook.values.problems import Violation

VICTORY = 'Rule book: "Check victory conditions"'


def phase_violations(state: PlayState, event: TurnEvent) -> Iterator[Violation]:
    """A phase that is over does not come again in its turn; nor does a side that has passed in the Move Phase."""
    phase = event.turn_phase(state)
    if phase is not None and phase.place < state.table.phase.place:
        sentence = f"The {phase.capitalize()} Phase of this turn is over."
        yield Violation("phase-over", sentence, 'Rule book: "Turn sequence"')
    sides = {side_of(state, actor) for actor in event.activated} if phase is TurnPhase.MOVE else set()
    for side in sides & set(state.table.done):
        sentence = f"{state.side(side).name} has passed: its Move Phase is over."
        yield Violation("side-passed", sentence, "Ruling B33")


def in_phase(state: PlayState, event: TurnEvent) -> PlayState:
    """The state in the phase to which the event has brought the turn."""
    phase = event.turn_phase(state)
    if phase is None or phase.place <= state.table.phase.place:
        return state
    return replace(state, table=replace(state.table, phase=phase))


def gone_violations(state: PlayState, event: TurnEvent) -> Iterator[Violation]:
    """A side that has given up neither acts nor fights; with one side left no turn begins."""
    gone = (*state.conceded, *state.withdrew)
    for side in dict.fromkeys(event.sides_acting(state) if gone else ()):
        if side in gone:
            how = "conceded" if side in state.conceded else "withdrawn"
            sentence = f"{state.side(side).name} has {how}: its fighters do nothing more."
            yield Violation("side-gone", sentence, VICTORY)
    left = [side for side in state.sides if side not in gone]
    if event.starts_turn and gone and len(left) < 2:
        names = "".join(state.side(side).name for side in left) or "nobody"
        yield Violation("one-side-left", f"Only {names} is left in the battle: log its end.", VICTORY)
