"""Who has conceded or withdrawn does nothing more in a log turn by turn. Rule book: "Check victory conditions"."""

from collections.abc import Iterator

from rulebook.systems.en_garde.play.play_state import PlayState
from rulebook.systems.en_garde.turns.activation import actors_of
from rulebook.systems.en_garde.turns.checking import side_of
from rulebook.systems.en_garde.turns.combat_events import Attacked, Challenged, CombatOpened, FreeAttack
from rulebook.systems.en_garde.turns.event_parts import TurnEvent
from rulebook.systems.en_garde.turns.phase_events import TurnStarted
from rulebook.values.problems import Violation

RULE = 'Rule book: "Check victory conditions"'


def gone_violations(state: PlayState, event: TurnEvent) -> Iterator[Violation]:
    """A side that has given up neither acts nor fights; with one side left no turn begins."""
    gone = (*state.conceded, *state.withdrew)
    for side in dict.fromkeys(_sides_of(state, event) if gone else ()):
        if side in gone:
            how = "conceded" if side in state.conceded else "withdrawn"
            sentence = f"{state.side(side).name} has {how}: its fighters do nothing more."
            yield Violation("side-gone", sentence, RULE)
    left = [side for side in state.sides if side not in gone]
    if isinstance(event, TurnStarted) and gone and len(left) < 2:
        names = "".join(state.side(side).name for side in left) or "nobody"
        yield Violation("one-side-left", f"Only {names} is left in the battle: log its end.", RULE)


def _sides_of(state: PlayState, event: TurnEvent) -> Iterator[str]:
    """The sides that act or fight by this event."""
    if isinstance(event, CombatOpened):
        yield from event.fighters
    elif isinstance(event, Attacked | FreeAttack):
        yield side_of(state, event.attacker)
    elif isinstance(event, Challenged):
        yield side_of(state, event.challenger)
    else:
        yield from (side_of(state, actor) for actor in actors_of(event))
