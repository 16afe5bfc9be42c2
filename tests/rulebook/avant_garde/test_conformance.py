"""Avant-garde holds to what every rule system has to hold to."""

from random import Random

import pytest

from rulebook.battle_log.play import replay
from rulebook.systems.avant_garde.system import AvantGarde
from tests.rulebook.avant_garde.field import setup
from tests.rulebook.conformance import (
    check_battle,
    check_builds,
    check_reference,
    check_table,
    random_play,
)

RULES = AvantGarde()


def test_reference_and_builds_conform() -> None:
    check_reference(RULES)
    check_builds(RULES, setup())


@pytest.mark.parametrize("seed", range(10))
def test_random_legal_play_conforms(seed: int) -> None:
    field = setup(returns=bool(seed % 2), disease=bool(seed % 2))
    events = random_play(RULES, field, Random(seed), 50)
    assert len(events) > 30
    check_battle(RULES, field, events)
    check_table(RULES, replay(RULES.log, field, events))
