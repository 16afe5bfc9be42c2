"""Sides take turns in the Move Phase of a log, one fighter each, the side with Priority first. Rule book: "Move phase".

Who is Engaged, has wavered or is a Civilian keeps nobody waiting: such fighters seldom act, and may still do so when it
is their side's turn. Where nobody has rolled for Priority, nothing is held to an order.
"""

from collections.abc import Iterator

from msgspec.structs import replace

from rulebook.systems.en_garde.play.play_state import PlayState
from rulebook.systems.en_garde.play.turn_state import TurnPhase
from rulebook.systems.en_garde.turns.checking import side_of
from rulebook.systems.en_garde.turns.duels import duellists_alone, is_duellist
from rulebook.systems.en_garde.turns.turn_event import TurnEvent
from rulebook.values.problems import Violation

RULE = 'Rule book: "Move phase"'
OUT_OF_TURN = "not-its-activation"


def alternation_violations(state: PlayState, event: TurnEvent) -> Iterator[Violation]:
    """A side waits while another one comes first and has somebody who is free to act."""
    starter = _starts(state, event)
    first = waits_for(state, starter) if starter else ""
    if first:
        name, other = state.side(side_of(state, starter)).name, state.side(first).name
        sentence = f"Sides take turns: {other} comes before {name}, or passes."
        yield Violation(OUT_OF_TURN, sentence, RULE)


def waits_for(state: PlayState, fighter: str) -> str:
    """The key of the side that comes before this fighter's activation, "" if it may act as far as this goes."""
    over = state.table.phase.place > TurnPhase.MOVE.place
    if over or not state.table.priority or _begun(state, fighter):
        return ""
    own, first = side_of(state, fighter), next_side(state)
    before = _rotation(state)
    return first if first and before.index(first) < before.index(own) else ""


def next_side(state: PlayState) -> str:
    """The side whose turn it is to activate a fighter; "" if none has anybody free, or nobody has Priority."""
    return next((side for side in _rotation(state) if any(free_fighters(state, side))), "")


def free_fighters(state: PlayState, side: str) -> Iterator[str]:
    """A side's fighters who keep the others waiting: those who can act, are not Engaged and have not acted."""
    turn, alone = state.table.turn, state.table.turn <= duellists_alone(state)
    for there in state.own(side) if side not in _out(state) else ():
        known = state.table.of(there.fighter.id)
        idle = there.standing and not known.contacts and turn not in (known.acted, known.shied)
        there_by_now = not known.reserve or turn > 1
        if idle and there_by_now and (not alone or is_duellist(state, there.fighter.id)):
            yield there.fighter.id


def after_activation(state: PlayState, event: TurnEvent) -> PlayState:
    """The state in which the side that has activated a fighter is behind the others."""
    starter = _starts(state, event)
    if not starter:
        return state
    return replace(state, table=replace(state.table, active=side_of(state, starter)))


def _starts(state: PlayState, event: TurnEvent) -> str:
    """Whose activation in the Move Phase begins with the event, "" if nobody's."""
    actors = event.activated
    if not actors or event.turn_phase(state) is not TurnPhase.MOVE or _begun(state, actors[0]):
        return ""
    return actors[0]


def _begun(state: PlayState, fighter: str) -> bool:
    """Has its activation begun: has it acted, been ordered, or wavered in this turn?"""
    known = state.table.of(fighter)
    return state.table.turn in (known.acted, known.shied)


def _rotation(state: PlayState) -> tuple[str, ...]:
    """The sides from the next one on: the side with Priority first, then each after the one that has acted last."""
    table = state.table
    if not table.priority:
        return ()
    start = state.sides.index(table.priority)
    order = (*state.sides[start:], *state.sides[:start])
    after = order.index(table.active) + 1 if table.active else 0
    return (*order[after:], *order[:after])


def _out(state: PlayState) -> tuple[str, ...]:
    """Sides that have passed or given up."""
    return (*state.table.done, *state.conceded, *state.withdrew)
