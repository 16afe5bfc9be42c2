"""The engine of a battle's log: events are read, judged, and folded into a state of play.

A rule system hands in its kinds of event, the state before the first event, and a policy for what
holds for all kinds.
"""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from typing import Generic

import msgspec
from msgspec.structs import replace

from rulebook.battle_log.corrections import effective_events, first_corrected
from rulebook.battle_log.forms import AnyKind, dice_of, event_fields, read_as
from rulebook.battle_log.kinds import (
    CombatantNames,
    Correction,
    EventKind,
    Note,
    Overruled,
    ReplayStep,
    State,
)
from rulebook.battle_log.overruling import (
    as_problem,
    is_overruled,
    nothing_to_overrule,
    reason_given,
    still_open,
    without_superfluous,
)
from rulebook.battle_log.policy import Policy
from rulebook.values.battles import BattleSetup, EventForm, LoggedEvent
from rulebook.values.fields import Field
from rulebook.values.problems import Obligation, Problem, Repeated, RulesError, Violation
from rulebook.values.table import EventOutcome

ALREADY_LOGGED = "already-logged"
"""The code of an event that repeats what counts only once and what the log has already."""
REPLACED = "Replaced by another entry."
"""The reason of a correction that replaces the earlier event with the refused one."""


class BattleLog(Generic[State]):
    """The log of a rule system. Notes and corrections belong to every log, and need not be handed
    in."""

    def __init__(
        self,
        kinds: Iterable[type[EventKind[State]]],
        opening: Callable[[BattleSetup], State],
        policy: Policy[State],
        state_type: type[State],
    ) -> None:
        every: tuple[AnyKind, ...] = (*kinds, Note, Correction)
        self.kinds = {kind.key: kind for kind in every}
        self.opening = opening
        self.policy = policy
        self.state_type = state_type

    @cached_property
    def state_form(self) -> str:
        """Return the form of the state as JSON; a state stored in another form has to be
        replayed."""
        return hashlib.sha256(msgspec.json.encode(msgspec.json.schema(self.state_type))).hexdigest()

    def forms(self) -> tuple[EventForm, ...]:
        """Return every kind of event with its fields, enough to draw a form."""
        return tuple(
            EventForm(
                key,
                kind.label,
                event_fields(kind),
                kind.help,
                kind.turn_by_turn,
                kind.rows,
                kind.each,
            )
            for key, kind in self.kinds.items()
        )

    def fields(self, kind: str) -> tuple[Field, ...]:
        """Return the fields of a kind of event, in the order in which a form asks for them. Raise
        KeyError."""
        return event_fields(self.kinds[kind])

    def read(self, logged: LoggedEvent) -> EventKind[State]:
        """Return the event as its kind.

        Raise RulesError "unknown-event-kind" or "unreadable-event", naming the field, the value and
        the way out.
        """
        kind = self.kinds.get(logged.kind)
        if kind is None:
            sentence = (
                f"Unknown kind of event: {logged.kind!r}. Known kinds: {', '.join(self.kinds)}."
            )
            raise RulesError(
                Problem("unknown-event-kind", sentence, field="kind", value=logged.kind)
            )
        return read_as(kind, logged)

    def sentence(self, logged: LoggedEvent, names: CombatantNames) -> str:
        """Return the event as people would tell it, without a full stop; "" for what cannot be read
        or has no words."""
        try:
            event = self.read(logged)
        except RulesError:
            return ""
        sentence = (
            self._corrected_words(event, names)
            if isinstance(event, Correction)
            else event.sentence(names)
        )
        overruled = reason_given(event)
        return f"{sentence} (overruled: {overruled})" if sentence and overruled else sentence

    def _corrected_words(self, event: Correction, names: CombatantNames) -> str:
        if event.strikes:
            return f"Event {event.event} is removed: {event.reason}"
        mended = self.sentence(LoggedEvent(0, event.kind or "", event.data or {}), names)
        return (
            f"Event {event.event} is corrected{f' to “{mended}”' if mended else ''}: {event.reason}"
        )

    def problems(
        self, state: State, event: EventKind[State], logged: LoggedEvent, *, accepted: bool = False
    ) -> tuple[Problem, ...]:
        """Everything that is wrong with an event in this state; the empty tuple is good. No
        correction is judged.

        What was ``accepted`` when it was logged stands, whatever the rules forbid.
        """
        before = self.policy.before(state, event, logged)
        return self.judged(before, event, logged, accepted=accepted)

    def judged(
        self, before: State, event: EventKind[State], logged: LoggedEvent, *, accepted: bool = False
    ) -> tuple[Problem, ...]:
        """Return the problems of an event as ``problems`` does, in the state that the policy has
        prepared (``Policy.before``)."""
        # First of all, as nothing else that is wrong with a repetition is worth putting right.
        repeated = () if accepted else self.repeated(before, event, logged)
        errors: tuple[Problem, ...] = repeated or tuple(
            self.policy.input_errors(before, event, logged)
        )
        if errors or (accepted and not reason_given(event)):
            return errors
        violations = tuple(self.violations(before, event, logged))
        if violations and not accepted and not is_overruled(event):
            return tuple(as_problem(each, reason_given(event)) for each in violations)
        if violations or self.policy.comes_to_nothing(before, event):
            return ()
        return tuple(nothing_to_overrule(event))

    def repeated(
        self, before: State, event: EventKind[State], logged: LoggedEvent
    ) -> tuple[Repeated, ...]:
        """Return the problem of everything that an event tells and the log tells already, though it
        counts once."""
        repeated: list[Repeated] = []
        for each in self.policy.told_before(before, event, logged):
            repeated.append(
                Repeated(
                    ALREADY_LOGGED,
                    f"{each.sentence}.",
                    field=each.field,
                    value=each.value,
                    earlier=each.sentence,
                )
            )
        return tuple(repeated)

    def violations(
        self, before: State, event: EventKind[State], logged: LoggedEvent
    ) -> Iterator[Violation]:
        """Yield what the rules forbid: first what the policy says, then what is owed before a turn
        or the end."""
        yield from self.policy.violations(before, event, logged)
        if owed := self.owed(before, event):
            yield still_open(owed, [each.rule or self.kinds[each.kind].rule for each in owed])

    def owed(self, state: State, event: EventKind[State]) -> tuple[Obligation, ...]:
        """Return what has to be settled before this event: everything before a turn, less before
        the end.

        A light turn waits for nothing: players have settled it on the table.
        """
        if not (event.starts_turn or event.ends_battle) or self.policy.is_light(state, event):
            return ()
        return tuple(
            each for each in self.policy.obligations(state) if event.starts_turn or each.blocks_end
        )

    def forbidden(
        self, step: ReplayStep[State], before: Iterable[ReplayStep[State]] = ()
    ) -> tuple[Problem, ...]:
        """Return what the rules forbid in an event of the log, unless the players have overruled
        it.

        What was settled when it was logged is not asked again, and neither is what was owed then: a
        correction of something before a turn does not undo that the turn has begun. No reason lets
        somebody end twice; the steps ``before`` it show which entry was the first.
        """
        repeated = self.repeated(step.before, step.event, step.logged)
        if repeated:
            problems = self.with_entries(repeated, step.event, step.logged, before)
            return tuple(_placed(problem, step.logged) for problem in problems)
        if is_overruled(step.event):
            return ()
        violations = self.policy.violations(step.before, step.event, step.logged)
        still_open = (
            each for each in violations if each.code not in self.policy.settled_when_logged
        )
        return tuple(
            _placed(as_problem(each, reason_given(step.event)), step.logged) for each in still_open
        )

    def with_entries(
        self,
        problems: Iterable[Problem],
        event: EventKind[State],
        logged: LoggedEvent,
        steps: Iterable[ReplayStep[State]],
    ) -> tuple[Problem, ...]:
        """Return the problems of an event after ``steps``, with the first entry of what it
        repeats."""
        problems, former = tuple(problems), dict[tuple[str, str], ReplayStep[State]]()
        if not any(isinstance(each, Repeated) for each in problems):
            return problems

        # The step that tells it first is the last one before which it was not told: who was freed
        # may end again.
        for step in steps:
            told_now = {
                (each.field, each.value)
                for each in self.policy.told_before(step.after, event, logged)
            }
            former = {key: former.get(key, step) for key in told_now}
        return tuple(
            _with_entry(each, former[each.field, each.value], event, logged)
            if isinstance(each, Repeated) and (each.field, each.value) in former
            else each
            for each in problems
        )

    def step(self, state: State, logged: LoggedEvent, *, judged: bool = False) -> ReplayStep[State]:
        """Return the state one event of the log further.

        An event that has been ``judged`` is taken as it is. Else it was accepted when it was
        logged, and stands: what a correction has made superfluous is set aside, and RulesError
        names the event and what makes no sense in it.
        """
        event = self.read(logged)
        superfluous: tuple[str, ...] = ()
        before = self.policy.before(state, event, logged)
        problems = () if judged else self.judged(before, event, logged, accepted=True)
        if problems:
            event, superfluous = without_superfluous(
                event, lambda tried: self.judged(before, tried, logged, accepted=True)
            )
            if not superfluous:
                raise RulesError(*(_placed(problem, logged) for problem in problems))
        return self.taken(before, event, logged, superfluous)

    def new_step(self, state: State, logged: LoggedEvent) -> ReplayStep[State]:
        """Return the step of a new event. Raise RulesError with what is wrong with it.

        Corrections replay the log, and are none of these.
        """
        # The event is read once, for judging and for applying it.
        event = self.read(logged)
        before = self.policy.before(state, event, logged)
        problems = self.judged(before, event, logged)
        if problems:
            raise RulesError(*problems)
        return self.taken(before, event, logged)

    def taken(
        self,
        before: State,
        event: EventKind[State],
        logged: LoggedEvent,
        superfluous: tuple[str, ...] = (),
    ) -> ReplayStep[State]:
        """Return the step of an event that has been judged, in the state that the policy has
        prepared."""
        set_aside: tuple[Overruled, ...] = ()
        reason = reason_given(event)
        if reason and is_overruled(event):
            violations = self.violations(before, event, logged)
            set_aside = tuple(
                Overruled(logged.sequence, each.code, each.rule, reason) for each in violations
            )
        return ReplayStep(
            logged, event, before, self.policy.apply(before, event, logged), superfluous, set_aside
        )

    def steps(
        self, setup: BattleSetup, events: Sequence[LoggedEvent], *, accepted: bool = False
    ) -> Iterator[ReplayStep[State]]:
        """Every event that counts, in order, corrections honoured. Raise RulesError where the log
        makes no sense.

        Of a log that was ``accepted`` as it stands, only what follows the first corrected event is
        asked.
        """
        state, asked_from = self.opening(setup), first_corrected(events) if accepted else 0
        for logged in effective_events(events):
            step = self.step(state, logged, judged=logged.sequence < asked_from)
            state = step.after
            yield step

    def outcome_of(self, step: ReplayStep[State]) -> EventOutcome:
        """Return the outcome of an event, with the rules overruled for it and its superfluous
        fields."""
        outcome = self.policy.outcome_of(step)
        titles = {field.key: field.label for field in event_fields(type(step.event))}
        superfluous = (
            f"No longer needed after a correction: {titles[field].lower()}."
            for field in step.superfluous
        )
        overruled = (f"{each.rule} (overruled)" for each in step.overruled)
        return replace(
            outcome,
            sentences=(*outcome.sentences, *superfluous),
            rules=(*outcome.rules, *overruled),
        )


def _placed(problem: Problem, logged: LoggedEvent) -> Problem:
    """Return the problem with the event that has it, for a whole log."""
    return replace(problem, sentence=f"Event {logged.sequence}: {problem.sentence}")


def _with_entry(
    problem: Repeated, former: ReplayStep[State], event: EventKind[State], logged: LoggedEvent
) -> Repeated:
    """Return the problem with the first entry, and the correction that replaces it with the new
    event."""
    number, turn = former.logged.sequence, former.logged.turn
    sentence = f"{problem.earlier} in turn {turn}" if turn else problem.earlier

    # An entry with dice may have done more than this, and dice are not thrown again for a word.
    replaces = not (event.turn_by_turn or dice_of(former.event))
    way_out = "Replace" if replaces else "Correct"
    correction = {
        "event": number,
        "reason": REPLACED,
        "kind": logged.kind,
        "data": logged.data,
        "turn": logged.turn,
    }
    return replace(
        problem,
        sentence=f"{sentence} (entry {number}). {way_out} that entry if it is wrong.",
        earlier=sentence,
        entry=number,
        correction={key: value for key, value in correction.items() if value is not None}
        if replaces
        else None,
    )
