"""The light way in every rule system: casualties entered in any log at any moment, and light turns
in between."""

from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

import pytest

from rulebook.at_table.light_way import LIGHT_TURN
from rulebook.battle_log.play import Play, load_play, open_play
from rulebook.registry import newest_ruleset, rulesets
from rulebook.ruleset import BattleSetup, LoggedEvent, RulesError, Ruleset
from rulebook.values.table import CasualtyBoard, CasualtyResult, TableView
from scripts.demo.referees.argad import ArgadReferee
from scripts.demo.referees.en_garde import referee
from tests.rulebook.argad.field import setup as argad_setup
from tests.rulebook.conformance import json_of, random_play
from tests.rulebook.en_garde.refereed import battle
from tests.rulebook.sample_battles import setup_of

KEYS = [each.key for each in rulesets()]
EVERY_SYSTEM = pytest.mark.parametrize("key", KEYS)


def played(key: str, seed: int) -> tuple[BattleSetup, tuple[LoggedEvent, ...]]:
    """Return a battle of a system with a full log that was played by its rules."""
    luck = Random(seed)
    if key == "en-garde":
        field = battle(seed)
        return field, referee(field, luck)
    if key == "argad":
        return argad_setup(), ArgadReferee.battle(argad_setup(), luck)
    field = setup_of(key, seed)
    return field, random_play(newest_ruleset(key), field, luck, 50)


def moments(
    rules: Ruleset, field: BattleSetup, events: tuple[LoggedEvent, ...]
) -> Iterator[Play[Any]]:
    """Yield the battle after each of its events, until it ends."""
    play = open_play(rules.log, field)
    for event in events:
        play = load_play(rules.log, field, play.stored(), play.events).after(event)
        view = rules.at_table(play)
        if view is None or view.ended:
            return
        yield play


def board_of(rules: Ruleset, play: Play[Any]) -> CasualtyBoard:
    board = rules.light_way(play).board
    assert board is not None
    return board


def view_of(rules: Ruleset, play: Play[Any]) -> TableView:
    view = rules.at_table(play)
    assert view is not None
    return view


def casualty(play: Play[Any], result: CasualtyResult, victim: str, by: str) -> LoggedEvent:
    """Return the event of three taps."""
    data: dict[str, Any] = {result.victim: victim, **result.given}
    if result.by and by:
        data[result.by] = by
    return LoggedEvent(play.sequence + 1, result.kind, data)


def drawn(view: TableView, luck: Random) -> tuple[str, str] | None:
    """Return somebody who is still there, and an enemy who is; None if there is no such pair."""
    fighters = [each for each in view.fighters if not each.out and each.profile != "Civilian"]
    pairs = [
        (first.id, other.id) for first in fighters for other in fighters if first.side != other.side
    ]
    return luck.choice(pairs) if pairs else None


def step_of(state: Any) -> Mapping[str, Any]:
    """Return where a battle is in its turn: turn, phase or step, active side, and what was done."""
    table = getattr(state, "table", state)
    names = ("turn", "phase", "step", "active", "priority", "first", "done")
    return {name: getattr(table, name) for name in names if hasattr(table, name)}


@EVERY_SYSTEM
def test_every_system_declares_its_casualties(key: str) -> None:
    rules = newest_ruleset(key)
    field, _ = played(key, 1)
    board = board_of(rules, open_play(rules.log, field))
    assert len(board.results) >= 4
    assert board.by_label and board.victim_label
    assert len({each.key for each in board.results}) == len(board.results)
    for result in board.results:
        fields = {each.key for each in rules.log.fields(result.kind)}
        assert {result.victim, *result.given, *filter(None, [result.by])} <= fields


@EVERY_SYSTEM
@pytest.mark.parametrize("seed", range(3))
def test_a_casualty_fits_into_a_full_log_at_any_moment(key: str, seed: int) -> None:
    """It moves nobody out of order, and nothing is due from fighters who are gone by it."""
    rules, luck, taken = newest_ruleset(key), Random(seed), set[str]()
    for play in moments(rules, *played(key, seed)):
        board, before = board_of(rules, play), view_of(rules, play)
        pair = drawn(before, luck)
        if pair is None:
            continue
        event = casualty(play, result := luck.choice(board.results), *pair)
        try:
            after = play.after(event)
        except RulesError as error:
            assert all(each.code != "still-open" and each.sentence for each in error.problems), (
                error
            )
            continue
        taken.add(result.key)
        assert step_of(after.state) == step_of(play.state), result
        view = view_of(rules, after)
        gone = {each.id for each in view.fighters if each.dead}
        for due in (each for phase in view.phases for each in phase.due):
            assert due.minor or due.who not in gone, due
        if view.combat:
            assert all(each.out for each in view.combat.fighters if each.fighter in gone)
            assert not any(each.next for each in view.combat.fighters if each.fighter in gone)
    assert len(taken) >= 2


@EVERY_SYSTEM
@pytest.mark.parametrize("seed", range(3))
def test_a_light_turn_begins_whatever_is_open_and_a_full_one_follows_it(
    key: str, seed: int
) -> None:
    rules = newest_ruleset(key)
    begun = 0
    for play in moments(rules, *played(key, seed)):
        for turn in rules.light_way(play).turns:
            event = LoggedEvent(play.sequence + 1, turn.kind, turn.given)
            assert turn.key.startswith(LIGHT_TURN)
            assert play.throw(event, Random(0)).dice == (), "a light turn takes no dice"
            light = play.after(event)
            begun += 1
            assert rules.light_way(light).now
            data = {name: value for name, value in turn.given.items() if name != "light"}
            thrown = light.throw(
                full := LoggedEvent(light.sequence + 1, turn.kind, data), Random(0)
            )
            if not light.problems(
                full := LoggedEvent(full.sequence, turn.kind, thrown.data, dice=thrown.dice)
            ):
                assert not rules.light_way(light.after(full)).now
    assert begun > 3


@EVERY_SYSTEM
@pytest.mark.parametrize("seed", range(3))
def test_a_light_battle_ends_with_its_deeds_and_turns(key: str, seed: int) -> None:
    """Four light turns of three casualties each, then the end: everybody who did something is
    credited."""
    rules, luck = newest_ruleset(key), Random(seed)
    field, _ = played(key, seed)
    play = open_play(rules.log, field)
    credited = set[str]()
    for _ in range(4):
        turn = rules.light_way(play).turns[0]
        play = play.after(LoggedEvent(play.sequence + 1, turn.kind, turn.given))
        for _ in range(3):
            first = board_of(rules, play).results[luck.randrange(2)]
            if (pair := drawn(view_of(rules, play), luck)) is None:
                continue
            event = casualty(play, first, *pair)
            if not play.problems(event):
                deeds = len(play.state.deeds)
                play = play.after(event)
                credited |= {pair[1]} if len(play.state.deeds) > deeds else set()
    assert play.problems(LoggedEvent(play.sequence + 1, "ended", {})) == ()
    play = play.after(LoggedEvent(play.sequence + 1, "ended", {}))
    result = rules.result(play)
    assert {deed.fighter for side in result.sides for deed in side.deeds} == credited
    assert all(deed.turn for side in result.sides for deed in side.deeds)
    assert json_of(load_play(rules.log, field, play.stored(), play.events)) == json_of(play)
