"""Argad! holds to what every rule system has to hold to."""

from random import Random

import pytest

from rulebook.battle_log.play import replay
from rulebook.registry import newest_ruleset
from scripts.demo.referees.argad import ArgadReferee
from tests.rulebook.argad.field import setup
from tests.rulebook.conformance import (
    check_battle,
    check_builds,
    check_reference,
    check_table,
    random_play,
)

RULES = newest_ruleset("argad")
CHECK = {"out_of_action_check": True, "renown": True}


def test_reference_and_builds_conform() -> None:
    check_reference(RULES)
    check_builds(RULES, setup())


@pytest.mark.parametrize("seed", range(8))
def test_refereed_battles_conform(seed: int) -> None:
    field = setup(**(CHECK if seed % 2 else {}))
    events = ArgadReferee.battle(field, Random(seed))
    check_battle(RULES, field, events)
    check_table(RULES, replay(RULES.log, field, events[: len(events) // 2]))
    check_table(RULES, replay(RULES.log, field, events))


@pytest.mark.parametrize("seed", range(12))
def test_random_legal_play_conforms(seed: int) -> None:
    events = random_play(RULES, setup(), Random(seed), 60)
    assert len(events) > 40
    check_battle(RULES, setup(), events)
    check_table(RULES, replay(RULES.log, setup(), events))
