"""Turns and Priority in the log. Rule book: "Turn sequence", "Determine priority". Ruling B28."""

from collections.abc import Iterator

from msgspec.structs import replace

from rulebook.ruleset import LoggedEvent, Problem
from rulebook.systems.en_garde.play.play_state import PlayState
from rulebook.systems.en_garde.play.turn_state import TurnPhase
from rulebook.systems.en_garde.table.morale import sides_with_priority
from rulebook.systems.en_garde.table.setting_up import rising_end
from rulebook.systems.en_garde.table.wounds import remove_stunned
from rulebook.systems.en_garde.turns.checking import missing_dice
from rulebook.systems.en_garde.turns.fighters import number_with, terms_of
from rulebook.systems.en_garde.turns.nerve import sides_to_test
from rulebook.systems.en_garde.turns.phase_events import EndRolled, PriorityRolled, TurnStarted
from rulebook.systems.en_garde.turns.turn_rule import Rules, TurnRule
from rulebook.values.problems import Violation

MORALE = 'Rule book: "Test morale"'


def turn_input_errors(state: PlayState, event: TurnStarted, logged: LoggedEvent) -> Iterator[Problem]:
    """Turns follow one another; without a number the next one begins."""
    wanted = state.table.turn + 1
    if logged.turn not in (None, wanted):
        sentence = f"Turn {wanted} comes next: give that number, or none."
        yield Problem("wrong-turn", sentence, field="turn", value=str(logged.turn))


def turn_violations(state: PlayState, event: TurnStarted, logged: LoggedEvent) -> tuple[Violation, ...]:
    """No turn begins after the last one, or before everybody who has to has tested its Morale."""
    last = last_turn(state)
    untested = [state.side(side).name for side in sides_to_test(state)] if state.table.turn else []
    checks = (
        (
            last is not None and state.table.turn >= last,
            "last-turn-played",
            f"Turn {last} was the last.",
            state.scenario.source,
        ),
        (bool(untested), "morale-untested", f"{' and '.join(untested)} first tests its Morale.", MORALE),
    )
    return tuple(Violation(code, sentence, rule) for wrong, code, sentence, rule in checks if wrong)


def last_turn(state: PlayState) -> int | None:
    """The last turn of the game: as it was rolled or agreed for the table, or as a roll at a turn's end has shown.

    None where nobody knows it yet.
    """
    if state.table.final:
        return state.table.final
    turns = state.setup.set_up.get("turns") or state.scenario.turns
    return int(turns) if turns else None


def end_input_errors(state: PlayState, event: EndRolled, logged: LoggedEvent) -> Iterator[Problem]:
    """Is the length of this scenario rolled for in this turn, and is the die there?"""
    rising = state.scenario.rising
    if rising is None:
        sentence = f"The length of {state.scenario.name} is not rolled for at the end of turns."
        yield Problem("kind-not-in-scenario", sentence, field="kind", value=logged.kind, source=state.scenario.source)
        return
    yield from missing_dice("die", event.die, 1)


def end_violations(state: PlayState, event: EndRolled, logged: LoggedEvent) -> tuple[Violation, ...]:
    """From a certain turn on, once a turn, until the last one is known. Ruling S15."""
    rising, turn = state.scenario.rising or 0, state.table.turn
    checks = (
        (turn < rising, "too-early", f"The first roll is at the end of turn {rising}."),
        (state.table.end_rolled == turn, "rolled-already", "It has been rolled for in this turn."),
        (bool(state.table.final), "last-turn-known", f"Turn {state.table.final} is the last."),
    )
    return tuple(Violation(code, sentence, state.scenario.source) for wrong, code, sentence in checks if wrong)


def take_end(state: PlayState, event: EndRolled, logged: LoggedEvent) -> PlayState:
    """The state in which the next turn is known to be the last one, or not."""
    turn = state.table.turn
    ends = rising_end(turn, state.scenario.rising or 0, event.die or 0)
    return replace(state, table=replace(state.table, end_rolled=turn, final=turn + 1 if ends else 0))


def take_turn(state: PlayState, event: TurnStarted, logged: LoggedEvent) -> PlayState:
    """The state at the start of the turn: nobody has acted, no combat is open, mounts have shaken off a counter."""
    for there in state.combatants.values():
        if there.mount.stunned:
            state = state.with_combatant(replace(there, mount=remove_stunned(there.mount, 1)))
    terms = state.table.terms or {side: terms_of(state, side) for side in state.sides}
    table = replace(
        state.table,
        turn=state.table.turn + 1,
        phase=TurnPhase.PRIORITY,
        done=(),
        active="",
        priority="",
        fight=None,
        grips={},
        terms=terms,
    )
    return replace(state, table=table, turns=max(table.turn, state.turns or 0))


def priority_input_errors(state: PlayState, event: PriorityRolled, logged: LoggedEvent) -> Iterator[Problem]:
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


def priority_violations(state: PlayState, event: PriorityRolled, logged: LoggedEvent) -> tuple[Violation, ...]:
    """Once a turn."""
    first = state.table.priority
    if not first:
        return ()
    sentence = f"{state.side(first).name} has Priority in this turn: it is settled once."
    return (Violation("priority-settled", sentence, 'Rule book: "Determine priority"'),)


def priority_of(state: PlayState, roll: dict[str, int]) -> tuple[str, ...]:
    """Who is first by these dice, with Tacticians and Scouts. Ruling B28."""
    scouts = {side: number_with(state, side, "scout") for side in state.sides}
    return sides_with_priority(roll, tacticians(state) & frozenset(roll), scouts, state.table.turn)


def tacticians(state: PlayState) -> frozenset[str]:
    """The sides that have a Tactician in play."""
    return frozenset(side for side in state.sides if number_with(state, side, "tactician"))


def lone_tactician(state: PlayState) -> str:
    """The only side with a Tactician, "" if there is none or more than one."""
    sides = tacticians(state)
    return next(iter(sides)) if len(sides) == 1 else ""


def take_priority(state: PlayState, event: PriorityRolled, logged: LoggedEvent) -> PlayState:
    """The state with the side that has Priority this turn."""
    first = lone_tactician(state) or (priority_of(state, event.rolls[-1])[0] if event.rolls else "")
    return replace(state, table=replace(state.table, priority=first))


RULES: Rules = {
    TurnStarted: TurnRule(turn_input_errors, turn_violations, take_turn),
    EndRolled: TurnRule(end_input_errors, end_violations, take_end),
    PriorityRolled: TurnRule(priority_input_errors, priority_violations, take_priority),
}
