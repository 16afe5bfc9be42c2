"""How every turn event is dealt with: a violation may be overruled with a reason, an input error may not."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from rulebook.ruleset import LoggedEvent, Problem
from rulebook.systems.en_garde.play.events import Captured, Event, Routed
from rulebook.systems.en_garde.play.play_state import PlayState
from rulebook.systems.en_garde.play.turn_state import Overruled
from rulebook.systems.en_garde.turns.activation import actor_of, bolts, resolve_wanted, resolved, run_off
from rulebook.systems.en_garde.turns.alternation import after_activation, alternation_violations
from rulebook.systems.en_garde.turns.checking import missing_dice, once_a_turn, out_of_action
from rulebook.systems.en_garde.turns.duellists import duellist_violations, with_offences
from rulebook.systems.en_garde.turns.event_parts import Activation, Opening, TurnEvent, has_dice
from rulebook.systems.en_garde.turns.giving_up import gone_violations
from rulebook.systems.en_garde.turns.leaving import parted, parting_violations
from rulebook.systems.en_garde.turns.phase_events import TurnStarted
from rulebook.systems.en_garde.turns.phases import in_phase, phase_violations
from rulebook.values.problems import Violation

LEAST_REASON = 3


class TurnRule(Struct, frozen=True):
    """How a kind of turn event is dealt with.

    ``input_errors`` finds what makes no sense whatever the table agrees (unknown fighters, missing dice);
    ``violations`` what the rules forbid; ``apply`` gives the state afterwards.
    """

    input_errors: Callable[[PlayState, Any, LoggedEvent], Iterator[Problem]]
    violations: Callable[[PlayState, Any, LoggedEvent], tuple[Violation, ...]]
    apply: Callable[[PlayState, Any, LoggedEvent], PlayState]

    def check(self, state: PlayState, event: Any, logged: LoggedEvent) -> Iterator[Problem]:
        """Everything that is wrong with the event; violations only if nobody has overruled them.

        Whoever loses its nerve may have been meant to do what was overruled: that shall not tell what its die shows.
        """
        errors = (
            *_wrong_turn(state, event, logged),
            *_wrong_dice(state, event),
            *self._input_errors(state, event, logged),
        )
        yield from errors
        if errors:
            return
        violations = self._violations(state, event, logged)
        if violations and not is_overruled(event):
            yield from (as_problem(violation, event.overruled) for violation in violations)
        elif not bolts(state, event):
            yield from _superfluous_overruling(event, violations)

    def _input_errors(self, state: PlayState, event: Any, logged: LoggedEvent) -> Iterator[Problem]:
        """Input errors; who runs instead of acting needs no more dice."""
        if isinstance(event, Activation) and actor_of(event):
            lacking = tuple(missing_dice("resolve", event.resolve, int(resolve_wanted(state, event))))
            yield from lacking
            if lacking or bolts(state, event):
                return
        yield from self.input_errors(state, event, logged)

    def _violations(self, state: PlayState, event: Any, logged: LoggedEvent) -> tuple[Violation, ...]:
        general = tuple(_of_every_event(state, event))
        if not bolts(state, event):
            return (*general, *self.violations(state, event, logged))
        return (*general, *out_of_action(state, actor_of(event)), *once_a_turn(state, actor_of(event)))

    def _applied(self, state: PlayState, event: Any, logged: LoggedEvent) -> PlayState:
        state = after_activation(in_phase(state, event), event)
        if bolts(state, event):
            return parted(run_off(state, actor_of(event)), event)
        return parted(with_offences(self.apply(resolved(state, event), event, logged), event), event)

    def take(self, state: PlayState, event: Any, logged: LoggedEvent) -> PlayState:
        """The state after a good event, with every rule that was set aside noted."""
        if not is_overruled(event):
            return self._applied(state, event, logged)
        set_aside = tuple(
            Overruled(logged.sequence, violation.code, violation.rule, event.overruled)
            for violation in self._violations(state, event, logged)
        )
        after = self._applied(state, event, logged)
        return replace(after, table=replace(after.table, overruled=(*after.table.overruled, *set_aside)))


Rules = Mapping[type[Event], TurnRule]
"""Kinds of turn event and how each is dealt with."""


def _of_every_event(state: PlayState, event: TurnEvent) -> Iterator[Violation]:
    """What forbids an event of whatever kind: who has given up, the phase, whose turn it is, a Duel, a parting."""
    yield from gone_violations(state, event)
    yield from phase_violations(state, event)
    yield from alternation_violations(state, event)
    yield from duellist_violations(state, event)
    yield from parting_violations(state, event)


def _wrong_turn(state: PlayState, event: TurnEvent, logged: LoggedEvent) -> Iterator[Problem]:
    """Events belong to the turn that is being played, given none or not; those of the opening come before the first."""
    turn = state.table.turn
    if state.ended:
        yield Problem("ended-already", "The battle has ended: correct that event if it goes on.", field="kind")
        return
    if isinstance(event, TurnStarted) or (isinstance(event, Opening) and not turn):
        return
    if not turn:
        yield Problem("no-turn", "No turn has started: log an event of kind 'turn' first.", field="turn")
    elif logged.turn not in (None, turn):
        yield Problem("wrong-turn", f"Turn {turn} is being played.", field="turn", value=str(logged.turn))


def _wrong_dice(state: PlayState, event: TurnEvent) -> Iterator[Problem]:
    """A campaign may want all dice from Muster. House rule "dice"."""
    if state.settings["dice"] == "app" and event.thrown != "app" and has_dice(event):
        sentence = "In this campaign Muster throws the dice: leave them out."
        yield Problem("typed-dice", sentence, field="dice", source="House rule: dice")


def is_overruled(event: TurnEvent | Routed | Captured) -> bool:
    """Has somebody given a reason to set the rules aside?"""
    return len(event.overruled.strip()) >= LEAST_REASON


def as_problem(violation: Violation, given: str = "") -> Problem:
    """A violation as a problem, with the way out: a reason to overrule it, longer than the one that was ``given``."""
    short = f" of at least {LEAST_REASON} letters" if given else ""
    sentence = f"{violation.sentence} Correct the event, or overrule the rule with a reason{short}."
    return Problem(violation.code, sentence, field="overruled", value=given, source=violation.rule)


def _superfluous_overruling(event: TurnEvent, violations: tuple[Violation, ...]) -> Iterator[Problem]:
    if event.overruled and not violations:
        sentence = "Nothing here needs to be overruled: leave 'overruled' out."
        yield Problem("nothing-to-overrule", sentence, field="overruled", value=event.overruled)


def no_violations(state: PlayState, event: TurnEvent, logged: LoggedEvent) -> tuple[Violation, ...]:
    """Nothing to forbid."""
    return ()
