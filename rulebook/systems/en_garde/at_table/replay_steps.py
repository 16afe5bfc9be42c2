"""The log walked through event by event, with the table before and after each."""

from collections.abc import Iterator

from msgspec import Struct

from rulebook.ruleset import BattleSetup, LoggedEvent
from rulebook.systems.en_garde.log.battle_log import effective_events, standing, take
from rulebook.systems.en_garde.play.events import Event
from rulebook.systems.en_garde.play.play_state import PlayState, opening
from rulebook.systems.en_garde.turns.poison import poison_works


class ReplayStep(Struct, frozen=True):
    """One event that counts: the table as the rules saw it when it happened, and the table after it.

    ``superfluous`` are its fields that a later correction of something before it has made superfluous.
    """

    logged: LoggedEvent
    event: Event
    before: PlayState
    after: PlayState
    superfluous: tuple[str, ...] = ()


def replay_steps(setup: BattleSetup, events: tuple[LoggedEvent, ...]) -> Iterator[ReplayStep]:
    """Every event that counts, in order, corrections honoured. Raises RulesError where the log does not add up."""
    state = opening(setup)
    for logged in effective_events(events):
        event, superfluous = standing(state, logged)
        after = take(state, event, logged)
        yield ReplayStep(logged, event, poison_works(state, event, logged), after, superfluous)
        state = after
