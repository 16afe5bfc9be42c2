"""Corrections: the events of a log that count, with corrected ones in their new form."""

from collections.abc import Iterable, Iterator, Mapping
from math import inf

from rulebook.battle_log.forms import read_as
from rulebook.battle_log.kinds import Correction
from rulebook.values.battles import LoggedEvent
from rulebook.values.problems import Problem, RulesError

CORRECTION = Correction.key


def read_correction(logged: LoggedEvent) -> Correction:
    """Return the event as a correction. Raise RulesError "unreadable-event"."""
    read = read_as(Correction, logged)
    assert isinstance(read, Correction)  # noqa: S101 - it was read as one; this tells the type checker
    return read


def effective_events(events: Iterable[LoggedEvent]) -> tuple[LoggedEvent, ...]:
    """Return the events that count, in order: corrected ones in their new form, without voided ones
    and corrections.

    Raise RulesError for a correction that cannot be read or names no event before it.
    """
    originals: dict[int, LoggedEvent] = {}
    current: dict[int, LoggedEvent | None] = {}
    for logged in events:
        if logged.kind != CORRECTION:
            originals[logged.sequence] = current[logged.sequence] = logged
            continue
        correction = read_correction(logged)
        problems = tuple(_target_problems(originals, correction))
        if problems:
            raise RulesError(*problems)
        current[correction.event] = corrected(originals[correction.event], correction)
    return tuple(logged for logged in current.values() if logged is not None)


def first_corrected(events: Iterable[LoggedEvent]) -> float:
    """Return the place of the first event that a correction has changed; infinity if none has.
    Raise RulesError."""
    return min(
        (read_correction(each).event for each in events if each.kind == CORRECTION), default=inf
    )


def corrected(original: LoggedEvent, correction: Correction) -> LoggedEvent | None:
    """Return the event in its new form, None if it is struck. With data alone it keeps its kind."""
    if correction.strikes:
        return None
    return LoggedEvent(
        sequence=original.sequence,
        kind=correction.kind or original.kind,
        data=correction.data or {},
        turn=correction.turn or original.turn,
    )


def _target_problems(
    originals: Mapping[int, LoggedEvent], correction: Correction
) -> Iterator[Problem]:
    if not correction.reason.strip():
        yield Problem("reason-needed", "Give a reason for the correction.", field="reason")
    if correction.event not in originals:
        sentence = (
            f"There is no event {correction.event} to correct. To change a correction, "
            "correct the same event again."
        )
        yield Problem("no-such-event", sentence, field="event", value=str(correction.event))
    if correction.kind == CORRECTION:
        sentence = "A correction cannot replace an event. Give the kind that the event should have."
        yield Problem("correction-of-correction", sentence, field="kind", value=CORRECTION)
