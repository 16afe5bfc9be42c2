"""Short ways to ask a rule system about a log, for tests that look at one moment of it."""

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
    """Replays a log, and remembers the last play: of one moment several things are asked, one after
    the other."""

    def __init__(self) -> None:
        self.asked: tuple[Ruleset, BattleSetup, Events] | None = None
        self.play: Play[Any] | None = None

    def after(self, rules: Ruleset, setup: BattleSetup, events: Events) -> Play[Any]:
        """The play after a log. Raises RulesError where it makes no sense, each time."""
        if self.play is None or not self._is_same(rules, setup, events):
            self.play = None
            self.play = replay(rules.log, setup, events)
            self.asked = rules, setup, events
        return self.play

    def _is_same(self, rules: Ruleset, setup: BattleSetup, events: Events) -> bool:
        """Whether the very same objects were asked about: True equals 1, and is none."""
        if self.asked is None or self.asked[0] is not rules or self.asked[1] is not setup:
            return False
        last = self.asked[2]
        return len(last) == len(events) and all(
            previous is other for previous, other in zip(last, events, strict=True)
        )


LAST = LastAsked()


def play_of(rules: Ruleset, setup: BattleSetup, events: Events) -> Play[Any]:
    """The play after a log."""
    return LAST.after(rules, setup, events)


def event_problems(
    rules: Ruleset, setup: BattleSetup, events: Events, event: LoggedEvent
) -> tuple[Problem, ...]:
    """What is wrong with a new event after those before it, or with those before it."""
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
    """A new event with the dice that it lacks."""
    return play_of(rules, setup, events).throw(event, generator)


def play_state(rules: Ruleset, setup: BattleSetup, events: Events) -> Mapping[str, Any]:
    """The state of play after a log, as JSON."""
    return rules.play_state(play_of(rules, setup, events))


def at_table(rules: Ruleset, setup: BattleSetup, events: Events, who: str = "") -> TableView | None:
    """The table after a log."""
    return rules.at_table(play_of(rules, setup, events), who)


def outcomes(rules: Ruleset, setup: BattleSetup, events: Events) -> Mapping[int, EventOutcome]:
    """What the events of a log came to."""
    return play_of(rules, setup, events).outcomes


def result(rules: Ruleset, setup: BattleSetup, events: Events) -> BattleResult:
    """The result sheet of a log."""
    return rules.result(play_of(rules, setup, events))
