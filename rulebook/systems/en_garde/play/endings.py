"""Extra points, giving up and the end of a battle in the log: what is wrong with it, and what it does."""

from collections.abc import Iterator

from msgspec.structs import replace

from rulebook.ruleset import LoggedEvent, Problem
from rulebook.systems.en_garde.play.events import Conceded, Ended, ExtraPoints, RecoveryRolled, Withdrew
from rulebook.systems.en_garde.play.people import combatant_problems, side_problems
from rulebook.systems.en_garde.play.play_state import AgreedPoints, PlayState


def extra_points_problems(state: PlayState, event: ExtraPoints, logged: LoggedEvent) -> Iterator[Problem]:
    """Everything that is wrong with extra victory points."""
    yield from side_problems(state, event.side)
    if event.amount == 0:
        yield Problem("no-points", "No points are no event: give more or fewer.", field="amount", value="0")


def giving_up_problems(state: PlayState, event: Withdrew | Conceded, logged: LoggedEvent) -> Iterator[Problem]:
    """Everything that is wrong with a side's going."""
    yield from side_problems(state, event.side)
    if event.side in (*state.withdrew, *state.conceded):
        yield Problem("gone-already", f"Side {event.side!r} has gone already.", field="side", value=event.side)


def ending_problems(state: PlayState, event: Ended, logged: LoggedEvent) -> Iterator[Problem]:
    """Everything that is wrong with the end."""
    if state.ended:
        yield Problem("ended-already", "The battle has ended already: correct that event.", field="kind")


def recovery_problems(state: PlayState, event: RecoveryRolled, logged: LoggedEvent) -> Iterator[Problem]:
    """Everything that is wrong with a die of recovery."""
    unknown = list(combatant_problems(state, event.fighter, "fighter"))
    yield from unknown
    if unknown:
        return
    if state.settings["wounds_after"] != "grievous-roll":
        yield Problem("no-recovery-dice", "In this campaign nobody throws for recovery.", field="die")
    elif state.settings["dice"] == "app":
        yield Problem("typed-dice", "In this campaign Muster throws the dice: leave it out.", field="die")
    elif event.fighter in state.recovery:
        yield Problem("thrown-already", "One die a fighter: correct that event.", field="fighter", value=event.fighter)


# What they do.


def take_extra_points(state: PlayState, event: ExtraPoints, logged: LoggedEvent) -> PlayState:
    """The state after extra victory points were agreed."""
    return replace(state, extra=(*state.extra, AgreedPoints(event.side, event.amount, event.reason)))


def take_withdrawal(state: PlayState, event: Withdrew, logged: LoggedEvent) -> PlayState:
    """The state after a side has withdrawn."""
    return replace(state, withdrew=(*state.withdrew, event.side))


def take_concession(state: PlayState, event: Conceded, logged: LoggedEvent) -> PlayState:
    """The state after a side has conceded."""
    return replace(state, conceded=(*state.conceded, event.side))


def take_end(state: PlayState, event: Ended, logged: LoggedEvent) -> PlayState:
    """The state when all is over."""
    return replace(state, ended=True, turns=event.turn or logged.turn or state.turns)


def take_recovery(state: PlayState, event: RecoveryRolled, logged: LoggedEvent) -> PlayState:
    """The state with a die of recovery noted; whether it was needed shows in the result."""
    return replace(state, recovery={**state.recovery, event.fighter: event.die})
