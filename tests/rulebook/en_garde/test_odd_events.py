"""Whatever is sent to a log is taken or refused with a reason: nothing else ever comes of an
event."""

from random import Random

import pytest

from rulebook.ruleset import LoggedEvent, RulesError
from rulebook.systems.en_garde.play.play_state import PlayState, opening
from scripts.demo.referees.en_garde import referee
from tests.rulebook.en_garde.logs import (
    play_state,
    problems_of,
    read_event,
    replay,
    result,
    take,
    throw_plainly,
)
from tests.rulebook.en_garde.odd_events import bent, odd_event
from tests.rulebook.en_garde.refereed import battle

CHUNKS = 24
BATTLES = 4
EVENTS = 60


def after(
    state: PlayState, logged: LoggedEvent, luck: Random
) -> tuple[PlayState, LoggedEvent] | None:
    """Return the state after an event with its dice, and that event.

    Return None if it is refused, and check that there is a reason.
    """
    try:
        logged = LoggedEvent(
            logged.sequence, logged.kind, throw_plainly(state, logged, luck).data, logged.turn
        )
        event = read_event(logged)
    except RulesError as error:
        assert all(problem.code and problem.sentence for problem in error.problems)
        return None
    problems = problems_of(state, event, logged)
    assert all(problem.code and problem.sentence for problem in problems)
    return None if problems or logged.kind == "correction" else (take(state, event, logged), logged)


@pytest.mark.soak("battles with 60 odd events each", each=BATTLES, sample=3)
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_odd_events_are_taken_or_refused(chunk: int) -> None:
    for seed in range(chunk * BATTLES, (chunk + 1) * BATTLES):
        luck, setup = Random(seed), battle(seed)
        played = referee(setup, Random(seed))
        log = list(played[: luck.randint(0, min(len(played), EVENTS))])
        state = replay(setup, tuple(log))
        for _ in range(EVENTS):
            taken = after(state, numbered(odd_event(state, luck), log), luck)
            if taken:
                state, logged = taken
                log.append(logged)
        assert replay(setup, tuple(log)) == state
        assert play_state(setup, tuple(log))["sides"]


@pytest.mark.soak("refereed battles with two mistakes before every event", each=BATTLES, sample=3)
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_good_events_with_a_slip_are_taken_or_refused(chunk: int) -> None:
    for seed in range(chunk * BATTLES, (chunk + 1) * BATTLES):
        luck, setup = Random(seed), battle(seed)
        state, log = opening(setup), list[LoggedEvent]()
        for good in referee(setup, Random(seed)):
            for each in (bent(good, state, luck), bent(good, state, luck), good):
                taken = after(state, numbered(each, log), luck)
                if taken and (each is good or luck.random() < 0.3):
                    state, logged = taken
                    log.append(logged)
        assert replay(setup, tuple(log)) == state
        assert result(setup, tuple(log)).sides


def numbered(event: LoggedEvent, log: list[LoggedEvent]) -> LoggedEvent:
    """Return the event as the next one of the log."""
    return LoggedEvent(len(log) + 1, event.kind, event.data, event.turn)
