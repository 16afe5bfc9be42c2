"""A battle as its log has come to it: made once, shared by every question, taken one event further
without replay."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Generic

import msgspec
from msgspec import Struct

from rulebook.battle_log.corrections import CORRECTION, effective_events, read_correction
from rulebook.battle_log.dice_commitment import throw_dice, throw_for_correction
from rulebook.battle_log.kinds import Overruled, ReplayStep, State
from rulebook.battle_log.log import BattleLog
from rulebook.dice.rolls import Generator
from rulebook.values.battles import BattleSetup, LoggedEvent, Thrown
from rulebook.values.problems import Problem, Repeated, RulesError
from rulebook.values.table import EventOutcome

Events = tuple[LoggedEvent, ...]


class TakenBack(Struct, frozen=True):
    """Muster's dice of an event that was voided in this turn and not logged again since: they are
    used again."""

    kind: str
    about: Any
    dice: tuple[int, ...]


class StoredPlay(Struct, frozen=True):
    """The stored part of a play between two requests, without the log."""

    sequence: int
    state: msgspec.Raw
    overruled: tuple[Overruled, ...] = ()
    taken_back: tuple[TakenBack, ...] = ()


@dataclass(frozen=True)
class Play(Generic[State]):
    """The state after a log, with the other values that replaying it gives.

    ``sequence`` is the place of the last event, 0 before the first. ``read_events`` gives the log
    as it was when the play was made or loaded, and is asked for corrections alone; ``added`` is
    what came since. ``steps`` led here: those that count if the play is ``whole``, else those
    since it was loaded.
    """

    log: BattleLog[State]
    setup: BattleSetup
    state: State
    read_events: Callable[[], Events]
    sequence: int = 0
    added: Events = ()
    overruled: tuple[Overruled, ...] = ()
    taken_back: tuple[TakenBack, ...] = ()
    steps: tuple[ReplayStep[State], ...] = field(default=(), compare=False)
    whole: bool = field(default=True, compare=False)

    def events(self) -> Events:
        """Return the whole log, corrections included."""
        return (*self.read_events(), *self.added)

    def problems(self, event: LoggedEvent) -> tuple[Problem, ...]:
        """Return everything that is wrong with a new event; the empty tuple is good.

        A correction is tried out: what it makes impossible later on is a problem too.
        """
        try:
            self.after(event)
        except RulesError as error:
            return error.problems
        return ()

    def after(self, event: LoggedEvent) -> "Play[State]":
        """Return the play one event further; a correction replays the log.

        Raise RulesError with what is wrong with it.
        """
        self._expect_next(event)
        if event.kind == CORRECTION:
            return self.after_corrections([event])
        try:
            step = self.log.new_step(self.state, event)
        except RulesError as error:
            raise RulesError(*self._with_entries(error.problems, event)) from None
        return self._stepped(step)

    def after_corrections(self, corrections: Sequence[LoggedEvent]) -> "Play[State]":
        """Return the play after corrections that belong together: each may need the others. Raise
        RulesError."""
        for correction in corrections:
            self._expect_next(correction)
            read_correction(correction)
        before = self.events()
        events = (*before, *corrections)
        steps = self._still_legal(self.log.steps(self.setup, events), corrections)
        corrected = _folded(self.log, self.setup, events, steps)
        wrong = tuple(
            self.log.policy.correction_problems(self.setup, before, corrections, corrected.state)
        )
        if wrong:
            raise RulesError(*wrong)
        return corrected

    def _still_legal(
        self, steps: Iterator[ReplayStep[State]], corrections: Sequence[LoggedEvent]
    ) -> Iterator[ReplayStep[State]]:
        """Yield the steps of the corrected log. Raise RulesError at the first event that the
        corrections make illegal.

        What the rules forbid today and was accepted when it was logged is none of their doing.
        """
        corrected = {read_correction(each).event for each in corrections}
        accepted: set[tuple[int, str]] | None = None
        before_it: list[ReplayStep[State]] = []
        for step in steps:
            problems = self.log.forbidden(step, before_it)
            before_it.append(step)
            if problems and step.logged.sequence not in corrected:
                if accepted is None:
                    before = self.log.steps(self.setup, self.events())
                    accepted = {
                        (old.logged.sequence, each.code)
                        for old in before
                        for each in self.log.forbidden(old)
                    }
                problems = tuple(
                    each for each in problems if (step.logged.sequence, each.code) not in accepted
                )
            if problems:
                raise RulesError(*problems)
            yield step

    def throw(
        self,
        event: LoggedEvent,
        generator: Generator | None,
        corrections: Sequence[LoggedEvent] = (),
    ) -> Thrown:
        """Return the event with every die that it still needs; without a generator nothing is
        thrown.

        ``corrections`` are those that stand before it in one request and are judged together with
        it. Raises RulesError if it cannot be read, and for what Muster would have to throw for if
        it is not legal whatever the dice show: so nobody learns what they would have shown.
        """
        if event.kind == CORRECTION:
            return throw_for_correction(
                self.log, self.setup, (*self.events(), *corrections), event, generator
            )
        about = about_of(self.log, event)
        kept = next(
            (old.dice for old in self.taken_back if (old.kind, old.about) == (event.kind, about)),
            (),
        )
        try:
            return throw_dice(self.log, self.state, event, kept, generator)
        except RulesError as error:
            raise RulesError(*self._with_entries(error.problems, event)) from None

    def _with_entries(
        self, problems: tuple[Problem, ...], event: LoggedEvent
    ) -> tuple[Problem, ...]:
        """Return the problems of a new event. Only a repetition replays the log."""
        if not any(isinstance(each, Repeated) for each in problems):
            return problems
        steps = self.log.steps(self.setup, self.events(), accepted=True)
        return self.log.with_entries(problems, self.log.read(event), event, steps)

    def outcome(self) -> EventOutcome | None:
        """Return what the last event came to; None before the first one, and after a correction."""
        last = self.steps[-1] if self.steps else None
        return (
            None
            if last is None or last.logged.sequence != self.sequence
            else self.log.outcome_of(last)
        )

    @cached_property
    def outcomes(self) -> Mapping[int, EventOutcome]:
        """Return the outcomes of the events of its steps, by their sequence. Computed when first
        read."""
        return {step.logged.sequence: self.log.outcome_of(step) for step in self.steps}

    def stored(self) -> bytes:
        """Return the play as JSON, to be loaded by ``load_play``."""
        state = msgspec.Raw(msgspec.json.encode(self.state))
        return msgspec.json.encode(
            StoredPlay(self.sequence, state, self.overruled, self.taken_back)
        )

    def _expect_next(self, event: LoggedEvent) -> None:
        if event.sequence <= self.sequence:
            sentence = (
                f"Event {event.sequence} cannot come after event {self.sequence}: "
                f"number it {self.sequence + 1} or higher."
            )
            raise RulesError(
                Problem("out-of-sequence", sentence, field="sequence", value=str(event.sequence))
            )

    def _stepped(self, step: ReplayStep[State]) -> "Play[State]":
        logged, taken_back = step.logged, self.taken_back
        if step.event.starts_turn:
            taken_back = ()
        elif taken_back:
            # Of several throws that were taken back each falls again in its turn: only the first
            # has been used up.
            again = (logged.kind, about_of(self.log, logged))
            former = next((old for old in taken_back if (old.kind, old.about) == again), None)
            taken_back = tuple(old for old in taken_back if old is not former)
        # Written out, since ``dataclasses.replace`` takes longer than many an event.
        return Play(
            self.log,
            self.setup,
            step.after,
            self.read_events,
            sequence=logged.sequence,
            added=(*self.added, logged),
            overruled=(*self.overruled, *step.overruled) if step.overruled else self.overruled,
            taken_back=taken_back,
            steps=(*self.steps, step),
            whole=self.whole,
        )


def open_play(log: BattleLog[State], setup: BattleSetup) -> Play[State]:
    """Return a battle before the first event of its log. Raise RulesError for a set-up that makes
    no sense."""
    return Play(log, setup, log.opening(setup), read_events=lambda: ())


def replay(
    log: BattleLog[State], setup: BattleSetup, events: Events, *, accepted: bool = False
) -> Play[State]:
    """A battle after a whole log, corrections honoured. Raise RulesError where it makes no sense,
    with the event.

    What was accepted when it was logged stands, also where the rules have come to forbid it since.
    Of a log that was ``accepted`` event by event as it stands nothing is asked again but what a
    correction may have changed.
    """
    if accepted:
        with suppress(
            Exception
        ):  # Today's rules make something else of it: asked again, the log says what.
            return _folded(log, setup, events, log.steps(setup, events, accepted=True))
    return _folded(log, setup, events, log.steps(setup, events))


def _folded(
    log: BattleLog[State], setup: BattleSetup, events: Events, steps: Iterator[ReplayStep[State]]
) -> Play[State]:
    taken = tuple(steps)
    return Play(
        log,
        setup,
        taken[-1].after if taken else log.opening(setup),
        read_events=lambda: events,
        sequence=max([event.sequence for event in events], default=0),
        overruled=tuple([each for step in taken if step.overruled for each in step.overruled]),
        taken_back=tuple(_taken_back(log, events)),
        steps=taken,
    )


def load_play(
    log: BattleLog[State], setup: BattleSetup, stored: bytes, read_events: Callable[[], Events]
) -> Play[State]:
    """Return a play as ``Play.stored`` has kept it. Raises msgspec.DecodeError for what cannot be
    read any more."""
    kept = msgspec.json.decode(stored, type=StoredPlay)
    state = msgspec.json.decode(kept.state, type=log.state_type)
    return Play(
        log,
        setup,
        state,
        read_events,
        sequence=kept.sequence,
        overruled=kept.overruled,
        taken_back=kept.taken_back,
        whole=False,
    )


def about_of(log: BattleLog[Any], event: LoggedEvent) -> Any:
    """Return the id of the fighter that an event is about, None where it names nobody."""
    kind = log.kinds.get(event.kind)
    return None if kind is None else event.data.get(kind.about)


def _taken_back(log: BattleLog[Any], events: Events) -> Iterator[TakenBack]:
    """Yield Muster's dice of events that were voided in this turn and not logged again since by the
    same fighter.

    A player who takes a throw back does not throw again: the dice fall as they fell. Where several
    events of a fighter were voided, each event that is logged again uses the dice of the first that
    is left.
    """
    struck = {each.data.get("event"): each.sequence for each in events if each.kind == CORRECTION}
    if not struck:
        return

    # The dice of this turn that were struck out and that nothing uses any more.
    effective = effective_events(events)
    standing = {(each.sequence, each.kind) for each in effective}
    starts = {key for key, kind in log.kinds.items() if kind.starts_turn}
    since = max((each.sequence for each in effective if each.kind in starts), default=0)
    left = [
        old
        for old in events
        if old.dice
        and old.kind != CORRECTION
        and old.sequence > since
        and (old.sequence, old.kind) not in standing
    ]

    # An event that was logged again after that has used up the first of them.
    for new in effective if left else ():
        again = (new.kind, about_of(log, new))
        used = next(
            (
                old
                for old in left
                if (old.kind, about_of(log, old)) == again and struck[old.sequence] < new.sequence
            ),
            None,
        )
        left = [old for old in left if old is not used]
    for old in left:
        yield TakenBack(old.kind, about_of(log, old), old.dice)
