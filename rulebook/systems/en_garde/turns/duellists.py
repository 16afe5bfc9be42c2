"""The duellists of a Duel: for two turns only they act, and whoever breaks in first costs his side victory points.

Rule book: "Duel". Ruling S12.
"""

from collections.abc import Iterator

from msgspec.structs import replace

from rulebook.systems.en_garde.play.play_state import PlayState
from rulebook.systems.en_garde.play.scenario_events import Offence
from rulebook.systems.en_garde.turns.checking import side_of
from rulebook.systems.en_garde.turns.turn_event import TurnEvent
from rulebook.values.problems import Violation

RULE = 'Rule book: "Duel"'


def duellists_alone(state: PlayState) -> int:
    """The turns in which nobody but the duellists acts: 0 where the scenario has none."""
    return state.scenario.special.get("duellists_only_turns", 0)


def is_duellist(state: PlayState, fighter: str) -> bool:
    """Has its side named it?"""
    return any(fighter in named for named in state.table.duellists.values())


def duellist_violations(state: PlayState, event: TurnEvent) -> Iterator[Violation]:
    """In a Duel each side names a duellist first; in the first two turns only they act, and nobody shoots."""
    acting = event.acting if duellists_alone(state) else ()
    if not acting:
        return
    unnamed = [state.side(side).name for side in state.sides if side not in state.table.duellists]
    if unnamed:
        yield Violation("no-duellist", f"{' and '.join(unnamed)} name a duellist first.", RULE)
    elif state.table.turn <= duellists_alone(state):
        yield from _too_early(state, event, acting)


def _too_early(state: PlayState, event: TurnEvent, acting: tuple[str, ...]) -> Iterator[Violation]:
    outsiders = [state.named(each) for each in acting if not is_duellist(state, each)]
    until = f"until turn {duellists_alone(state) + 1}"
    if outsiders:
        yield Violation("duellists-only", f"Only the duellists act {until}, not {' or '.join(outsiders)}.", RULE)
    if event.shoots:
        yield Violation("duellists-shoot", f"Duellists use no missile weapons {until}.", RULE)


def with_offences(state: PlayState, event: TurnEvent) -> PlayState:
    """The state with the first outsider's side noted who has attacked, or entered the duelling ground."""
    if not duellists_alone(state) or not state.table.duellists:
        return state
    for offence, offender in ((Offence.ATTACK, event.aggressor), (Offence.GROUND, event.intruder(state))):
        if offender and offence.value not in state.offences and not is_duellist(state, offender):
            state = replace(state, offences={**state.offences, offence.value: side_of(state, offender)})
    return state
