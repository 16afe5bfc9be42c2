"""Short functions that ask a rule system about a log, for tests of one moment of it."""

from collections.abc import Mapping
from typing import Any

from rulebook.battle_log.play import Play, replay
from rulebook.dice.rolls import Generator
from rulebook.ruleset import (
    BattleResult,
    BattleSetup,
    EventOutcome,
    LoggedEvent,
    Problem,
    RulesError,
    Ruleset,
    TableView,
)
from rulebook.values.battles import Thrown

Events = tuple[LoggedEvent, ...]


class LastAsked:
    """Replays a log and keeps the last play, as tests often ask several things about one moment."""

    def __init__(self) -> None:
        self.asked: tuple[Ruleset, BattleSetup, Events] | None = None
        self.play: Play[Any] | None = None

    def after(self, rules: Ruleset, setup: BattleSetup, events: Events) -> Play[Any]:
        """Return the play after a log. Raises RulesError for an invalid log, each time."""
        if self.play is None or not self._is_same(rules, setup, events):
            self.play = None
            self.play = replay(rules.log, setup, events)
            self.asked = rules, setup, events
        return self.play

    def _is_same(self, rules: Ruleset, setup: BattleSetup, events: Events) -> bool:
        """Return whether these are the identical objects. Equality is not enough: True equals 1."""
        if self.asked is None or self.asked[0] is not rules or self.asked[1] is not setup:
            return False
        last = self.asked[2]
        return len(last) == len(events) and all(
            previous is other for previous, other in zip(last, events, strict=True)
        )


LAST = LastAsked()


def play_of(rules: Ruleset, setup: BattleSetup, events: Events) -> Play[Any]:
    """Return the play after a log."""
    return LAST.after(rules, setup, events)


def event_problems(
    rules: Ruleset, setup: BattleSetup, events: Events, event: LoggedEvent
) -> tuple[Problem, ...]:
    """Return the problems of a new event after those before it, or of those before it."""
    try:
        return play_of(rules, setup, events).problems(event)
    except RulesError as error:
        return error.problems


def throw_dice(
    rules: Ruleset,
    setup: BattleSetup,
    events: Events,
    event: LoggedEvent,
    generator: Generator | None,
) -> Thrown:
    """Return a new event with its missing dice rolled."""
    return play_of(rules, setup, events).throw(event, generator)


def play_state(rules: Ruleset, setup: BattleSetup, events: Events) -> Mapping[str, Any]:
    """Return the state of play after a log, as JSON."""
    return rules.play_state(play_of(rules, setup, events))


def at_table(rules: Ruleset, setup: BattleSetup, events: Events, who: str = "") -> TableView | None:
    """Return the table after a log, as ``who`` sees it."""
    return rules.at_table(play_of(rules, setup, events), who)


def outcomes(rules: Ruleset, setup: BattleSetup, events: Events) -> Mapping[int, EventOutcome]:
    """Return the outcomes of the events of a log, by their sequence."""
    return play_of(rules, setup, events).outcomes


def result(rules: Ruleset, setup: BattleSetup, events: Events) -> BattleResult:
    """Return the result of a log."""
    return rules.result(play_of(rules, setup, events))
