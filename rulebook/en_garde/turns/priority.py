"""Turns and Priority in the log. Rule book: "Turn sequence", "Determine priority". Ruling B28."""

from collections.abc import Iterator

from msgspec.structs import replace

from rulebook.en_garde.play_state import PlayState
from rulebook.en_garde.table import morale as nerve
from rulebook.en_garde.turns.fighters import present, terms_of
from rulebook.en_garde.turns.phase_events import PriorityRolled, TurnStarted
from rulebook.en_garde.turns.state import Phase
from rulebook.en_garde.turns.turn_rule import Rules, TurnRule, no_refusals
from rulebook.en_garde.wounds import remove_stunned
from rulebook.ruleset import LoggedEvent, Problem


def turn_slips(state: PlayState, event: TurnStarted, logged: LoggedEvent) -> Iterator[Problem]:
    """Turns follow one another."""
    wanted = state.table.turn + 1
    if logged.turn != wanted:
        yield Problem("wrong-turn", f"Turn {wanted} comes next.", field="turn", value=str(logged.turn))


def take_turn(state: PlayState, event: TurnStarted, logged: LoggedEvent) -> PlayState:
    """The state at the start of the turn: nobody has acted, no combat is open, mounts have shaken off a counter."""
    for there in state.combatants.values():
        if there.mount.stunned:
            state = state.with_combatant(replace(there, mount=remove_stunned(there.mount, 1)))
    terms = state.table.terms or {side: terms_of(state, side) for side in state.sides}
    table = replace(
        state.table,
        turn=logged.turn or 0,
        phase=Phase.PRIORITY,
        done=(),
        priority="",
        fight=None,
        grips={},
        terms=terms,
    )
    return replace(state, table=table)


def priority_slips(state: PlayState, event: PriorityRolled, logged: LoggedEvent) -> Iterator[Problem]:
    """Dice for every side, thrown again by those who tie until one is first."""
    winners: tuple[str, ...] = state.sides
    for roll in event.rolls:
        if set(roll) != set(winners):
            sentence = f"These sides roll for Priority: {', '.join(winners)}."
            yield Problem("wrong-dice", sentence, field="rolls", value=str(dict(roll)))
            return
        winners = priority_of(state, roll)
    if len(winners) != 1 and not lone_tactician(state):
        yield Problem("tied-priority", f"{', '.join(winners)} tie: they throw again.", field="rolls")


def priority_of(state: PlayState, roll: dict[str, int]) -> tuple[str, ...]:
    """Who is first by these dice, with Tacticians and Scouts. Ruling B28."""
    scouts = {side: number_with(state, side, "scout") for side in state.sides}
    return nerve.priority(roll, tacticians(state) & frozenset(roll), scouts, state.table.turn)


def tacticians(state: PlayState) -> frozenset[str]:
    """The sides that have a Tactician in play."""
    return frozenset(side for side in state.sides if number_with(state, side, "tactician"))


def lone_tactician(state: PlayState) -> str:
    """The only side with a Tactician, "" if there is none or more than one."""
    sides = tacticians(state)
    return next(iter(sides)) if len(sides) == 1 else ""


def number_with(state: PlayState, side: str, attribute: str) -> int:
    """How many of a side's standing fighters have this Attribute."""
    standing = (there for there in state.own(side) if there.standing)
    return sum(present(state, there.fighter.id).has(attribute) for there in standing)


def take_priority(state: PlayState, event: PriorityRolled, logged: LoggedEvent) -> PlayState:
    """The state with the side that has Priority this turn."""
    first = lone_tactician(state) or (priority_of(state, event.rolls[-1])[0] if event.rolls else "")
    return replace(state, table=replace(state.table, priority=first))


RULES: Rules = {
    TurnStarted: TurnRule(turn_slips, no_refusals, take_turn),
    PriorityRolled: TurnRule(priority_slips, no_refusals, take_priority),
}
