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


def play_of(rules: Ruleset, setup: BattleSetup, events: Events) -> Play[Any]:
    """The play after a log."""
    return replay(rules.log, setup, events)


def event_problems(rules: Ruleset, setup: BattleSetup, events: Events, event: LoggedEvent) -> tuple[Problem, ...]:
    """What is wrong with a new event after those before it, or with those before it."""
    try:
        return play_of(rules, setup, events).problems(event)
    except RulesError as error:
        return error.problems


def throw_dice(
    rules: Ruleset, setup: BattleSetup, events: Events, event: LoggedEvent, generator: Generator | None
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
