"""The log of a battle: events checked one by one and folded into the state of play.

A later correction replaces or strikes an earlier event; what remains is the effective log, and that is what counts.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from rulebook.ruleset import BattleSetup, LoggedEvent, Problem, RulesError
from rulebook.systems.en_garde.log import captures, routs
from rulebook.systems.en_garde.log.event_forms import read_event
from rulebook.systems.en_garde.log.event_registry import ANY_BATTLE
from rulebook.systems.en_garde.log.superfluous_fields import without_superfluous_fields
from rulebook.systems.en_garde.play import endings, leaving, scenario_rules, wounding
from rulebook.systems.en_garde.play.events import (
    Captured,
    Conceded,
    Correction,
    Ended,
    Event,
    ExtraPoints,
    LeftTable,
    RecoveryRolled,
    Routed,
    StunRemoved,
    Withdrew,
    WoundEvent,
)
from rulebook.systems.en_garde.play.minor_objectives import secrets_open
from rulebook.systems.en_garde.play.play_state import PlayState, opening
from rulebook.systems.en_garde.play.scenario_events import (
    CivilianFate,
    DuelPenalty,
    MinorObjectiveRolled,
    ObjectiveHeld,
    Position,
    Touching,
)
from rulebook.systems.en_garde.turns import (
    actions,
    attacks,
    combats,
    duels,
    free_attacks,
    leaps,
    moves,
    nerve,
    objects,
    opportunities,
    orders,
    passing,
    priority,
    reserves,
    scouts,
    shots,
    spells,
    water,
)
from rulebook.systems.en_garde.turns.alternation import OUT_OF_TURN
from rulebook.systems.en_garde.turns.harm import settled, take_plain_wound, unburdened
from rulebook.systems.en_garde.turns.poison import poison_works
from rulebook.systems.en_garde.turns.turn_rule import TurnRule

CORRECTION = "correction"


class Handling(Struct, frozen=True):
    """How the log deals with a kind of event: ``check`` finds what is wrong, ``take`` gives the state after it."""

    check: Callable[[PlayState, Any, LoggedEvent], Iterator[Problem]]
    take: Callable[[PlayState, Any, LoggedEvent], PlayState]


HANDLINGS: Mapping[type[Event], Handling | TurnRule] = {
    WoundEvent: Handling(wounding.wound_problems, take_plain_wound),
    StunRemoved: Handling(wounding.stun_removed_problems, wounding.take_stun_removed),
    Routed: Handling(routs.rout_problems, routs.take_routed),
    LeftTable: Handling(leaving.leaving_problems, leaving.take_leave),
    Captured: Handling(captures.capture_problems, captures.take_capture),
    ObjectiveHeld: Handling(scenario_rules.objective_problems, scenario_rules.take_objective),
    Position: Handling(scenario_rules.ground_problems, scenario_rules.take_ground),
    Touching: Handling(scenario_rules.ground_problems, scenario_rules.take_ground),
    MinorObjectiveRolled: Handling(scenario_rules.minor_objective_problems, scenario_rules.take_minor_objective),
    CivilianFate: Handling(scenario_rules.civilian_problems, scenario_rules.take_civilian),
    DuelPenalty: Handling(scenario_rules.duel_penalty_problems, scenario_rules.take_duel_penalty),
    ExtraPoints: Handling(endings.extra_points_problems, endings.take_extra_points),
    Withdrew: Handling(endings.giving_up_problems, endings.take_withdrawal),
    Conceded: Handling(endings.giving_up_problems, endings.take_concession),
    RecoveryRolled: Handling(endings.recovery_problems, endings.take_recovery),
    Ended: Handling(endings.ending_problems, endings.take_end),
    **duels.RULES,
    **scouts.RULES,
    **reserves.RULES,
    **priority.RULES,
    **moves.RULES,
    **leaps.RULES,
    **water.RULES,
    **actions.RULES,
    **objects.RULES,
    **orders.RULES,
    **passing.RULES,
    **shots.RULES,
    **spells.RULES,
    **combats.RULES,
    **opportunities.RULES,
    **attacks.RULES,
    **free_attacks.RULES,
    **nerve.RULES,
}
"""What is not here changes nothing: notes."""


def replay(setup: BattleSetup, events: tuple[LoggedEvent, ...]) -> PlayState:
    """The state of play after a log, corrections honoured.

    Raises RulesError where the log does not add up, with the event in question.
    """
    state = opening(setup)
    for logged in effective_events(events):
        event, _ = standing(state, logged)
        state = take(state, event, logged)
    return state


def standing(state: PlayState, logged: LoggedEvent) -> tuple[Event, tuple[str, ...]]:
    """An event of the log as it stands in this state, and the fields of it that nobody needs any more.

    Whose turn it was to act was settled when it was logged: a correction before it does not change that.
    Raises RulesError where it does not add up.
    """

    def wrong(event: Event) -> tuple[Problem, ...]:
        return problems_of(state, event, logged)

    event = read_event(logged)
    problems = tuple(each for each in wrong(event) if each.code != OUT_OF_TURN)
    if not problems:
        return event, ()
    trimmed, aside = without_superfluous_fields(event, wrong)
    if not aside:
        raise RulesError(*(_placed(problem, logged) for problem in problems))
    return trimmed, aside


def take(state: PlayState, event: Event, logged: LoggedEvent) -> PlayState:
    """The state one good event further."""
    if logged.turn is None and state.table.turn:
        logged = replace(logged, turn=state.table.turn)
    state = _followed(state, poison_works(state, event, logged), event)
    if logged.turn is not None and not state.ended:
        state = replace(state, turns=max(logged.turn, state.turns or 0))
    handling = HANDLINGS.get(type(event))
    return state if handling is None else unburdened(_followed(state, handling.take(state, event, logged), event))


def _followed(before: PlayState, after: PlayState, event: Event) -> PlayState:
    """The state with what follows from wounds by itself, however they came about."""
    return water.stunned_since(before, settled(before, after), event)


def problems_of(state: PlayState, event: Event, logged: LoggedEvent) -> tuple[Problem, ...]:
    """Everything that is wrong with an event in this state; the empty tuple is good."""
    state = poison_works(state, event, logged)
    problems = (*_kind_problems(state, logged), *_turn_problems(logged), *_late_problems(state, event))
    handling = HANDLINGS.get(type(event))
    return problems if problems or handling is None else tuple(handling.check(state, event, logged))


def _kind_problems(state: PlayState, logged: LoggedEvent) -> Iterator[Problem]:
    if logged.kind not in ANY_BATTLE and logged.kind not in state.scenario.event_kinds:
        sentence = f"{state.scenario.name} knows no event of kind {logged.kind!r}. Note it as a note instead."
        yield Problem("kind-not-in-scenario", sentence, field="kind", value=logged.kind, source=state.scenario.source)


def _late_problems(state: PlayState, event: Event) -> Iterator[Problem]:
    """Turn by turn, nobody is hurt or leaves once the battle has ended; what it came to may still be told."""
    hurts = isinstance(event, WoundEvent | StunRemoved | Routed | LeftTable)
    if hurts and state.ended and state.table.turn:
        yield Problem("ended-already", "The battle has ended: correct that event if it goes on.", field="kind")


def _turn_problems(logged: LoggedEvent) -> Iterator[Problem]:
    if logged.turn is not None and not 1 <= logged.turn <= 99:
        sentence = f"There is no turn {logged.turn}: turns count from 1 to 99. Leave it out if nobody knows."
        yield Problem("no-such-turn", sentence, field="turn", value=str(logged.turn))


def _placed(problem: Problem, logged: LoggedEvent) -> Problem:
    """The problem with the event that has it, for a whole log."""
    return Problem(
        code=problem.code,
        sentence=f"Event {logged.sequence}: {problem.sentence}",
        severity=problem.severity,
        fighters=problem.fighters,
        field=problem.field,
        value=problem.value,
        source=problem.source,
    )


def event_problems(setup: BattleSetup, events: tuple[LoggedEvent, ...], event: LoggedEvent) -> tuple[Problem, ...]:
    """Everything that is wrong with a new event after those before it; the empty tuple is good.

    A correction is tried out: what it makes impossible later on is a problem too.
    """
    misplaced = tuple(_sequence_problems(events, event))
    if misplaced:
        return misplaced
    try:
        read = read_event(event)
        if isinstance(read, Correction):
            return _correction_problems(setup, events, event, read)
        return problems_of(replay(setup, events), read, event)
    except RulesError as error:
        return error.problems


def _sequence_problems(events: tuple[LoggedEvent, ...], event: LoggedEvent) -> Iterator[Problem]:
    last = events[-1].sequence if events else 0
    if event.sequence <= last:
        sentence = f"Event {event.sequence} cannot come after event {last}: number it {last + 1} or higher."
        yield Problem("out-of-sequence", sentence, field="sequence", value=str(event.sequence))


# Corrections.


def effective_events(events: tuple[LoggedEvent, ...]) -> tuple[LoggedEvent, ...]:
    """The events that count, in their order: replaced ones in their new form, struck ones and corrections left out.

    Raises RulesError for a correction that cannot be read or names no event before it.
    """
    originals: dict[int, LoggedEvent] = {}
    current: dict[int, LoggedEvent | None] = {}
    for logged in events:
        if logged.kind != CORRECTION:
            originals[logged.sequence] = current[logged.sequence] = logged
            continue
        correction = _read_correction(logged)
        problems = tuple(_target_problems(originals, correction))
        if problems:
            raise RulesError(*problems)
        current[correction.event] = corrected(originals[correction.event], correction)
    return tuple(logged for logged in current.values() if logged is not None)


def _read_correction(logged: LoggedEvent) -> Correction:
    read = read_event(logged)
    assert isinstance(read, Correction)  # noqa: S101 - its kind says so; this tells the type checker
    return read


def _target_problems(originals: Mapping[int, LoggedEvent], correction: Correction) -> Iterator[Problem]:
    if not correction.reason.strip():
        yield Problem("reason-needed", "A correction needs a reason in words.", field="reason")
    if correction.event not in originals:
        sentence = f"There is no event {correction.event} to correct. Corrections are corrected by a new one."
        yield Problem("no-such-event", sentence, field="event", value=str(correction.event))
    if correction.kind == CORRECTION:
        sentence = "A correction cannot stand in an event's place: give the kind that it should have been."
        yield Problem("correction-of-correction", sentence, field="kind", value=CORRECTION)


def corrected(original: LoggedEvent, correction: Correction) -> LoggedEvent | None:
    """The event in its new form, None if it is struck. With data alone it keeps its kind."""
    if correction.kind is None and correction.data is None:
        return None
    return LoggedEvent(
        sequence=original.sequence,
        kind=correction.kind or original.kind,
        data=correction.data or {},
        turn=correction.turn or original.turn,
    )


def _correction_problems(
    setup: BattleSetup, events: tuple[LoggedEvent, ...], event: LoggedEvent, correction: Correction
) -> tuple[Problem, ...]:
    state = replay(setup, (*events, event))
    if state.ended or not secrets_open(setup, events):
        return ()
    sentence = "The secret minor objectives are open: the battle cannot go on. Its end may only be told differently."
    return (Problem("secrets-open", sentence, field="event", value=str(correction.event), source="Ruling S4"),)
