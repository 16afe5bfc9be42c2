"""The alternation of the sides in the Move Phase: which side activates a fighter next, and which
one a fighter has to wait for.

Sides take turns, one fighter each, the side with Priority first. A fighter who is Engaged, has
wavered or is a Civilian keeps nobody waiting: such fighters seldom act, and may still do so when it
is their side's turn. Where nobody has rolled for Priority, nothing is held to an order. Rule book:
"Turn sequence", "Move phase". Rulings B33, B38.
"""

from collections.abc import Iterator
from itertools import takewhile

from rulebook.systems.en_garde.book import violation
from rulebook.systems.en_garde.play.checking import once_a_turn, side_of
from rulebook.systems.en_garde.play.play_state import PlayState
from rulebook.systems.en_garde.play.turn_state import NOTHING_LOGGED, TurnPhase
from rulebook.systems.en_garde.turns.duels import duellists_alone, is_duellist
from rulebook.systems.en_garde.turns.turn_event import Activation, TurnEvent
from rulebook.values.problems import Violation


def alternation_violations(
    state: PlayState, event: TurnEvent, phase: TurnPhase | None
) -> Iterator[Violation]:
    """Yield the violation of a side that acts while another one is next and has a fighter who is
    free to act.

    ``phase`` is that of the event. Ruling B38.
    """
    if isinstance(event, Activation) and event.as_given:
        return
    starter = activation_begun_by(state, event, phase)
    first = waits_for(state, starter) if starter else ""
    if first:
        name = state.side(side_of(state, starter)).name
        other = state.side(first).name
        yield violation("not-its-activation", other=other, name=name)


def waits_for(state: PlayState, fighter: str) -> str:
    """Return the key of the side that comes before this fighter's activation, "" if it may act as
    far as this goes."""
    over = state.table.phase.place > TurnPhase.MOVE.place
    if over or not state.table.priority or _begun(state, fighter):
        return ""
    own = side_of(state, fighter)
    before = takewhile(lambda side: side != own, _rotation(state))
    return next((side for side in before if any(free_fighters(state, side))), "")


def next_side(state: PlayState) -> str:
    """Return the side whose turn it is to activate a fighter.

    "" if none has anybody free, or nobody has Priority.
    """
    return next((side for side in _rotation(state) if any(free_fighters(state, side))), "")


def next_fighter(state: PlayState) -> str:
    """Return the first free fighter of the side whose turn it is, "" if there is none."""
    for side in _rotation(state):
        for fighter in free_fighters(state, side):
            return fighter
    return ""


def free_fighters(state: PlayState, side: str) -> Iterator[str]:
    """Yield a side's fighters who keep the others waiting: those who can act, are not Engaged and
    have not acted."""
    table, combatants = state.table, state.combatants
    fighters = table.fighters
    if side in table.done or side in state.conceded or side in state.withdrew:
        return
    # Nobody arrives from reserve in the first turn.
    first_turn = table.turn <= 1
    alone = table.turn <= duellists_alone(state)
    for fielded in state.side(side).fighters:
        fighter = fielded.id
        on_table = fighters.get(fighter, NOTHING_LOGGED)
        if on_table.contacts or "acted" in on_table.done or "shied" in on_table.done:
            continue
        if not combatants[fighter].standing or (first_turn and on_table.reserve):
            continue
        if not alone or is_duellist(state, fighter):
            yield fighter


def activation_begun_by(state: PlayState, event: TurnEvent, phase: TurnPhase | None) -> str:
    """Return the fighter whose activation in the Move Phase begins with an event of this
    ``phase``, "" if none does.
    """
    actors = event.activated if phase is TurnPhase.MOVE else ()
    return actors[0] if actors and not _begun(state, actors[0]) else ""


def _begun(state: PlayState, fighter: str) -> bool:
    """Return whether its activation has begun: it has acted, been ordered, or wavered in this
    turn."""
    done = state.table.fighters.get(fighter, NOTHING_LOGGED).done
    return "acted" in done or "shied" in done


def _rotation(state: PlayState) -> tuple[str, ...]:
    """Return the sides from the next one on: the side with Priority first, then each after the
    one that has acted last.
    """
    table = state.table
    if not table.priority:
        return ()
    sides = state.sides
    start = sides.index(table.active) + 1 if table.active else sides.index(table.priority)
    return (*sides[start:], *sides[:start])


def activation_hurdle(
    state: PlayState,
    fighter: str,
    order: str = "",
    *,
    unless_engaged: bool = True,
    goes_with_step: bool = False,
) -> str:
    """Return in a few words why a fighter or Civilian can hardly act now, "" if nothing speaks
    against it.

    ``order`` is the order that lets it act again, ``unless_engaged`` says that the Engaged cannot
    do it, and ``goes_with_step`` that a short move before it does not matter.
    """
    if side_of(state, fighter) in state.table.done:
        return "its side has passed"
    if once_a_turn(state, fighter, order, after_step=goes_with_step):
        return "has acted"
    side = waits_for(state, fighter)
    if side:
        return f"{state.side(side).name} is next"
    return "is Engaged" if unless_engaged and state.table.engaged(fighter) else ""
