"""How an action is made: an event with what is known already, the fields that are left, whom it may be about."""

from collections.abc import Iterable, Mapping
from typing import Any

from msgspec.structs import replace

from rulebook.at_table.actions import action_fields
from rulebook.systems.en_garde.log.kinds import LOG
from rulebook.systems.en_garde.play.checking import once_a_turn
from rulebook.systems.en_garde.play.play_state import PlayState
from rulebook.systems.en_garde.play.turn_state import TurnPhase
from rulebook.systems.en_garde.turns.fighters import present
from rulebook.systems.en_garde.turns.policy import waits_for
from rulebook.values.fields import Choices
from rulebook.values.table import BESIDE, Action

PRIORITY, MOVE, COMBAT, END = "priority", "move", "combat", "end"


def action(
    state: PlayState,
    kind: str,
    label: str,
    given: Mapping[str, Any],
    main: tuple[str, ...] = (),
    *,
    without: tuple[str, ...] = (),
    choices: Mapping[str, Choices] | None = None,
    **more: Any,
) -> Action:
    """Something that can be logged now; ``given`` is never asked for. ``more`` says what differs from its kind.

    By itself an action has the key and the phase of its kind, and neither hurdle nor help nor rule.
    """
    known, dice = LOG.kinds[kind], LOG.policy.dice_by(state)
    fields = action_fields(known, given=given, main=main, without=without, choices=choices, dice=dice)
    turn, phase = state.table.turn or None, known.phase or BESIDE
    return replace(Action(kind, kind, label, phase, fields, given, turn, rolls=known.always_rolls), **more)


def in_time(state: PlayState, found: Action) -> Action:
    """The action, with a hurdle if its phase of this turn is over. Things can be dropped and riders ride on later."""
    late = found.phase in {*TurnPhase} and TurnPhase(found.phase).place < state.table.phase.place
    rides = found.kind == "move" and state.table.of(found.given["fighter"]).has("rides-on")
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


def people(state: PlayState, fighters: Iterable[str]) -> Choices:
    """Fighters and Civilians as choices, by name."""
    return tuple((each, state.named(each)) for each in fighters)


def enemies_of(state: PlayState, fighter: str) -> list[str]:
    """The enemies of a fighter who are on the table, those whom it touches first, Civilians last."""
    side = state.side_of(fighter)
    touched = state.table.of(fighter).contacts
    foes = [each.fighter.id for each in state.enemies(side) if each.on_table]
    civilians = [each.key for each in state.civilians.values() if each.side != side and not each.dead]
    return [*sorted(foes, key=lambda each: each not in touched), *civilians]


def on_table(state: PlayState) -> list[str]:
    """Everybody who is on the table."""
    return [each.fighter.id for each in state.combatants.values() if each.on_table]


def luck_of(state: PlayState, fighters: Iterable[str]) -> Choices:
    """Those of these whose luck is not used up."""
    lucky = (each for each in fighters if present(state, each).has("lucky"))
    return people(state, (each for each in lucky if not state.table.of(each).lucky_used))


def not_asked(**needed: object) -> tuple[str, ...]:
    """The fields that mean nothing here: those for which nothing speaks."""
    return tuple(field for field, matters in needed.items() if not matters)
