"""The log walked through event by event, with the table before and after each."""

from collections.abc import Iterator

from msgspec import Struct

from rulebook.en_garde.battle_log import effective_events, problems_of, take
from rulebook.en_garde.event_forms import read_event
from rulebook.en_garde.events import Event
from rulebook.en_garde.play_state import PlayState, opening
from rulebook.en_garde.turns.poison import poison_works
from rulebook.ruleset import BattleSetup, LoggedEvent, RulesError


class Step(Struct, frozen=True):
    """One event that counts: the table as the rules saw it when it happened, and the table after it."""

    logged: LoggedEvent
    event: Event
    before: PlayState
    after: PlayState


def walk(setup: BattleSetup, events: tuple[LoggedEvent, ...]) -> Iterator[Step]:
    """Every event that counts, in order, corrections honoured. Raises RulesError where the log does not add up."""
    state = opening(setup)
    for logged in effective_events(events):
        event = read_event(logged)
        problems = problems_of(state, event, logged)
        if problems:
            raise RulesError(*problems)
        after = take(state, event, logged)
        yield Step(logged, event, poison_works(state, event, logged), after)
        state = after
