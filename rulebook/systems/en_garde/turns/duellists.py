"""The duellists of a Duel: for two turns only they act, and whoever breaks in first costs his side victory points.

Rule book: "Duel". Ruling S12.
"""

from collections.abc import Iterator

from msgspec.structs import replace

from rulebook.systems.en_garde.play.play_state import PlayState
from rulebook.systems.en_garde.play.scenario_events import Offence
from rulebook.systems.en_garde.turns.activation import actors_of
from rulebook.systems.en_garde.turns.checking import side_of
from rulebook.systems.en_garde.turns.combat_events import Attacked, CombatOpened, FreeAttack
from rulebook.systems.en_garde.turns.event_parts import TurnEvent
from rulebook.systems.en_garde.turns.move_events import Moved
from rulebook.systems.en_garde.turns.shot_events import ShotFired, SpellCast
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
    acting = _acting(event) if duellists_alone(state) else ()
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
    if isinstance(event, ShotFired):
        yield Violation("duellists-shoot", f"Duellists use no missile weapons {until}.", RULE)


def _acting(event: TurnEvent) -> tuple[str, ...]:
    """Everybody whom the event has act or fight."""
    if isinstance(event, CombatOpened):
        return tuple(fighter for fighters in event.fighters.values() for fighter in fighters)
    return (event.attacker,) if isinstance(event, FreeAttack) else actors_of(event)


def with_offences(state: PlayState, event: TurnEvent) -> PlayState:
    """The state with the first outsider's side noted who has attacked, or entered the duelling ground."""
    if not duellists_alone(state) or not state.table.duellists:
        return state
    for offence, offender in ((Offence.ATTACK, _attacker(event)), (Offence.GROUND, _intruder(state, event))):
        if offender and offence.value not in state.offences and not is_duellist(state, offender):
            state = replace(state, offences={**state.offences, offence.value: side_of(state, offender)})
    return state


def _attacker(event: TurnEvent) -> str:
    """Who has attacked, "" if nobody has; who did not dare to has thrown no dice for it."""
    if isinstance(event, Attacked | FreeAttack):
        return event.attacker if event.dice else ""
    if isinstance(event, ShotFired):
        return event.shooter if event.dice else ""
    return event.magician if isinstance(event, SpellCast) and event.blast_dice else ""


def _intruder(state: PlayState, event: TurnEvent) -> str:
    """Who has entered the duelling ground, "" if nobody has."""
    if not isinstance(event, Moved) or not event.enters_ground:
        return ""
    return event.fighter if state.table.of(event.fighter).moved == state.table.turn else ""
