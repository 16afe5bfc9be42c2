"""Short functions that ask En Garde!'s log, for tests of one event or one state."""

from collections.abc import Mapping
from typing import Any

from rulebook.battle_log import corrections
from rulebook.battle_log.dice_commitment import with_dice
from rulebook.battle_log.forms import AnyKind
from rulebook.battle_log.kinds import Overruled
from rulebook.battle_log.play import replay as replay_log
from rulebook.dice.rolls import Generator
from rulebook.registry import newest_ruleset
from rulebook.systems.en_garde.log.kinds import LOG
from rulebook.systems.en_garde.play.play_state import PlayState
from rulebook.values.battles import BattleResult, BattleSetup, LoggedEvent, Thrown
from rulebook.values.problems import Problem, RulesError
from rulebook.values.table import EventOutcome, TableView

EN_GARDE = newest_ruleset("en-garde")
KINDS: Mapping[str, AnyKind] = LOG.kinds
ANY_BATTLE = {key: kind for key, kind in KINDS.items() if not kind.some_battles}
TURN_BY_TURN = {key: kind for key, kind in KINDS.items() if kind.turn_by_turn}
effective_events = corrections.effective_events
event_kinds = LOG.forms
event_fields = LOG.fields
read_event = LOG.read
problems_of = LOG.problems


def replay(setup: BattleSetup, events: tuple[LoggedEvent, ...]) -> PlayState:
    """Return the state of play after a log."""
    return replay_log(LOG, setup, events).state


def overruled(setup: BattleSetup, events: tuple[LoggedEvent, ...]) -> tuple[Overruled, ...]:
    """Return the rules that were overruled in a log."""
    return replay_log(LOG, setup, events).overruled


def event_problems(
    setup: BattleSetup, events: tuple[LoggedEvent, ...], event: LoggedEvent
) -> tuple[Problem, ...]:
    """Return the problems of a new event after those before it, or of those before it."""
    try:
        return replay_log(LOG, setup, events).problems(event)
    except RulesError as error:
        return error.problems


def throw_dice(
    setup: BattleSetup,
    events: tuple[LoggedEvent, ...],
    event: LoggedEvent,
    generator: Generator | None,
) -> Thrown:
    """Return a new event with its missing dice rolled."""
    return replay_log(LOG, setup, events).throw(event, generator)


def throw_plainly(state: PlayState, event: LoggedEvent, generator: Generator) -> Thrown:
    """Return an event with its missing dice rolled in a state, whether or not it is legal."""
    return with_dice(LOG, state, event, generator)


def take(state: PlayState, event: Any, logged: LoggedEvent) -> PlayState:
    """Return the state after a valid event."""
    return LOG.policy.apply(LOG.policy.before(state, event, logged), event, logged)


def outcomes(setup: BattleSetup, events: tuple[LoggedEvent, ...]) -> Mapping[int, EventOutcome]:
    """Return the outcomes of the events of a log."""
    return replay_log(LOG, setup, events).outcomes


def result(setup: BattleSetup, events: tuple[LoggedEvent, ...]) -> BattleResult:
    """Return the result of a log."""
    return EN_GARDE.result(replay_log(LOG, setup, events))


def play_state(setup: BattleSetup, events: tuple[LoggedEvent, ...]) -> Mapping[str, Any]:
    """Return the state of play after a log, as JSON."""
    return EN_GARDE.play_state(replay_log(LOG, setup, events))


def at_table(setup: BattleSetup, events: tuple[LoggedEvent, ...], who: str = "") -> TableView:
    """Return the table after a log."""
    seen = EN_GARDE.at_table(replay_log(LOG, setup, events), who)
    assert seen is not None
    return seen


def odds_in_battle(
    key: str,
    setup: BattleSetup,
    events: tuple[LoggedEvent, ...],
    attacker: str,
    target: str,
    values: Mapping[str, Any],
) -> Mapping[str, Any]:
    """Return the odds between two combatants after a log."""
    return EN_GARDE.calculators.odds_in_battle(
        key, replay_log(LOG, setup, events), attacker, target, values
    )
