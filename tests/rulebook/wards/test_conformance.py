"""Wards holds to what every rule system has to hold to."""

from random import Random

import pytest

from rulebook.battle_log.play import replay
from rulebook.systems.wards.system import Wards
from tests.rulebook.conformance import (
    check_battle,
    check_builds,
    check_reference,
    check_table,
    random_play,
)
from tests.rulebook.wards.field import setup

RULES = Wards()


def test_reference_and_builds_conform() -> None:
    check_reference(RULES)
    check_builds(RULES, setup())


@pytest.mark.parametrize("seed", range(12))
def test_random_legal_play_conforms(seed: int) -> None:
    field = setup(**({"losses_stay": True, "general_actions": True} if seed % 2 else {}))
    events = random_play(RULES, field, Random(seed), 60)
    assert len(events) > 40
    check_battle(RULES, field, events)
    check_table(RULES, replay(RULES.log, field, events))
