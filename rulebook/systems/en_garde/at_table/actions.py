"""Actions that can be logged of a fighter, a Civilian, a side or the table, in the order in which
they are offered.

The kinds of event make their offers themselves. What opens a combat has forms of its own: see
``combat_actions``. Rule book: "Turn sequence", "Move phase", "Civilians".
"""

from collections.abc import Iterator, Mapping

from msgspec.structs import replace

from rulebook.at_table.offers import offered
from rulebook.battle_log.kinds import Note
from rulebook.systems.en_garde.at_table.combat_actions import combat_phase
from rulebook.systems.en_garde.log.kinds import LOG
from rulebook.systems.en_garde.play import endings, scenario_events
from rulebook.systems.en_garde.play.play_state import Event, PlayState, action_of
from rulebook.systems.en_garde.play.turn_state import TurnPhase
from rulebook.systems.en_garde.turns.actions import Acted, ObjectHandled, Ordered, SideDone
from rulebook.systems.en_garde.turns.attacks import FreeAttack
from rulebook.systems.en_garde.turns.duels import Challenged, DuellistNamed
from rulebook.systems.en_garde.turns.harm import StunRemoved, WoundEvent
from rulebook.systems.en_garde.turns.hazards import DexterityChecked, InWater
from rulebook.systems.en_garde.turns.moves import Moved
from rulebook.systems.en_garde.turns.nerve import MoraleTested, StunRolled
from rulebook.systems.en_garde.turns.phases import (
    EndRolled,
    PriorityRolled,
    ReservesKept,
    ScoutPlaced,
    TurnStarted,
)
from rulebook.systems.en_garde.turns.shots import ShotFired
from rulebook.systems.en_garde.turns.spells import SpellCast
from rulebook.values.table import BESIDE, Action

AT_ANY_TIME: tuple[type[Event], ...] = (
    StunRolled,
    ScoutPlaced,
    Challenged,
    DexterityChecked,
    InWater,
    WoundEvent,
    endings.Captured,
    endings.LeftTable,
    endings.Routed,
    StunRemoved,
    endings.RecoveryRolled,
)
"""Kinds of event that may happen to a fighter at any time."""

OF_THE_SCENARIO: Mapping[str, type[Event]] = {
    kind.key: kind
    for kind in (
        scenario_events.MinorObjectiveRolled,
        scenario_events.ObjectiveHeld,
        scenario_events.Position,
        scenario_events.Touching,
        scenario_events.DuelPenalty,
    )
}
"""Kinds of event that a scenario may ask of a side, by their keys."""


def of_a_fighter(state: PlayState, fighter: str) -> Iterator[Action]:
    """Yield what can be logged of a fighter: its combats, its action in the Move Phase, and what
    may happen to it."""
    if state.table.turn and state.combatants[fighter].standing:
        yield from combat_phase(state, fighter)
    # The commonest actions come first.
    yield from offered((Moved, ShotFired), state, fighter)
    if Acted.is_open_to(state, fighter):
        yield from Acted.loading(state, fighter)
    yield from offered((SpellCast, Ordered, Acted, ObjectHandled, FreeAttack), state, fighter)
    yield from offered(AT_ANY_TIME, state, fighter)


def of_a_civilian(state: PlayState, civilian: str) -> Iterator[Action]:
    """Yield what can be logged of a Civilian, who moves as Infantry. Rule book: "Civilians"."""
    in_turn: tuple[Action, ...] = ()
    if state.table.turn and state.civilians[civilian].on_table:
        in_turn = tuple(
            offered(
                (Moved, Acted, ObjectHandled, DexterityChecked, InWater, StunRolled),
                state,
                civilian,
            )
        )
    # What belongs to a phase comes first, so that the card has one heading for everything else.
    yield from (action for action in in_turn if action.phase != BESIDE)
    yield from offered((scenario_events.CivilianFate, WoundEvent), state, civilian)
    yield from (action for action in in_turn if action.phase == BESIDE)


def of_a_side(state: PlayState, side: str) -> Iterator[Action]:
    """Yield what can be logged of a side: Morale, what the scenario asks about, points, giving
    up."""
    yield from offered((MoraleTested, SideDone), state, side)
    for key in state.scenario.event_kinds:
        if key in OF_THE_SCENARIO:
            yield from OF_THE_SCENARIO[key].offers(state, side)
    yield from offered((ReservesKept, DuellistNamed), state, side)
    yield from offered(
        (endings.Captured, endings.ExtraPoints, endings.Withdrew, endings.Conceded), state, side
    )


def of_the_table(state: PlayState) -> Iterator[Action]:
    """Yield what belongs to nobody: turns, Priority, notes, what the scenario asks about, the
    end."""
    yield from offered((TurnStarted, PriorityRolled, EndRolled), state, "")
    yield action_of(Note, state, "Note", {}, ("text",))
    yield from offered(
        (scenario_events.CivilianFate, scenario_events.ObjectiveHeld, endings.Ended), state, ""
    )


def in_time(state: PlayState, action: Action) -> Action:
    """Return an action, with a hurdle if its phase of this turn is over and the rules do not let it
    come later."""
    if action.hurdle or action.phase not in {*TurnPhase}:
        return action
    if TurnPhase(action.phase).place >= state.table.phase.place:
        return action
    kind = LOG.kinds[action.kind]
    if issubclass(kind, Event) and kind.outlasts_phase(
        state, str(action.given.get(kind.offered_to, ""))
    ):
        return action
    return replace(action, hurdle="the phase is over")
