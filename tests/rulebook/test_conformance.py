"""Every rule system of the registry passes the conformance suite, a new one before it has any tests
of its own."""

from random import Random

import pytest

from rulebook.battle_log.play import replay
from rulebook.registry import RULESETS, newest_ruleset
from tests.rulebook.conformance import (
    check_battle,
    check_builds,
    check_reference,
    check_table,
    random_play,
)
from tests.rulebook.sample_battles import refereed, sample_setup, setup_of

SYSTEMS = pytest.mark.parametrize("key", RULESETS)


@SYSTEMS
def test_what_is_browsed_built_and_printed_conforms(key: str) -> None:
    check_reference(newest_ruleset(key))
    check_builds(newest_ruleset(key), setup_of(key, 1))


@SYSTEMS
def test_a_played_battle_conforms(key: str) -> None:
    check_battle(newest_ruleset(key), *refereed(key, 1))


@SYSTEMS
def test_random_play_conforms(key: str) -> None:
    rules, setup = newest_ruleset(key), setup_of(key, 2)
    events = random_play(rules, setup, Random(2), 20)
    assert len(events) > 10
    check_battle(rules, setup, events)
    check_table(rules, replay(rules.log, setup, events))


@SYSTEMS
def test_sample_battle_has_fighters_of_every_side(key: str) -> None:
    setup = sample_setup(newest_ruleset(key))
    assert len(setup.sides) >= 2
    assert all(side.fighters for side in setup.sides)
