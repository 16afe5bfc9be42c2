"""Actions are made here: each an event with what is known already, and the fields that are left."""

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from rulebook.at_table.actions import action_fields
from rulebook.systems.en_garde.log.kinds import LOG
from rulebook.systems.en_garde.play.checking import once_a_turn
from rulebook.systems.en_garde.play.play_state import PlayState
from rulebook.systems.en_garde.play.turn_state import TurnPhase
from rulebook.systems.en_garde.turns.policy import waits_for
from rulebook.values.fields import Choices
from rulebook.values.table import Action

PRIORITY, MOVE, COMBAT, END = "priority", "move", "combat", "end"


def action(
    state: PlayState,
    kind: str,
    label: str,
    *,
    phase: str,
    given: Mapping[str, Any],
    main: tuple[str, ...] = (),
    without: tuple[str, ...] = (),
    choices: Mapping[str, Choices] | None = None,
) -> Action:
    """Something that can be logged now, called by its kind; ``given`` is never asked for."""
    known = LOG.kinds[kind]
    dice = LOG.policy.dice_by(state)
    fields = action_fields(known, given=given, main=main, without=without, choices=choices, dice=dice)
    return Action(kind, kind, label, phase, fields, given, state.table.turn or None, rolls=known.always_rolls)


def under(found: Action, key: str, **changes: Any) -> Action:
    """The same action under another key."""
    return replace(found, key=key, **changes)


def in_time(state: PlayState, found: Action) -> Action:
    """The action, with a hurdle if its phase of this turn is over. Things can be dropped and riders ride on later."""
    late = found.phase in {*TurnPhase} and TurnPhase(found.phase).place < state.table.phase.place
    rides = found.kind == "move" and state.table.of(found.given["fighter"]).rode_by == state.table.turn > 0
    if not late or found.hurdle or rides or found.kind == "object":
        return found
    return replace(found, hurdle="the phase is over")


def spent(state: PlayState, fighter: str, order: str = "", *, engaged: bool = True, step: bool = False) -> str:
    """Why a fighter can hardly act any more: it has, or (if ``engaged`` matters) it is Engaged. "" if it can.

    ``step`` says that a short move before it does not matter.
    """
    if state.side_of(fighter) in state.table.done:
        return "its side has passed"
    if once_a_turn(state, fighter, order, after_step=step):
        return "has acted"
    if first := waits_for(state, fighter):
        return f"{state.side(first).name} is next"
    return "is Engaged" if engaged and state.table.engaged(fighter) else ""
