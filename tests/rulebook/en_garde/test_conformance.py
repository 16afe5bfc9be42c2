"""En Garde! holds to what every rule system has to hold to."""

from random import Random

import pytest

from rulebook.battle_log.play import replay
from rulebook.registry import newest_ruleset
from scripts.demo.referees.en_garde import referee
from tests.rulebook.conformance import check_battle, check_builds, check_reference, check_table, random_play
from tests.rulebook.en_garde.refereed import battle

RULES = newest_ruleset("en-garde")


def test_everything_beside_battles_conforms() -> None:
    check_reference(RULES)


@pytest.mark.parametrize("seed", range(4))
def test_refereed_battles_conform(seed: int) -> None:
    field = battle(seed)
    events = referee(field, Random(seed))
    check_builds(RULES, field)
    check_battle(RULES, field, events)
    check_table(RULES, replay(RULES.log, field, events[: len(events) // 2]))


@pytest.mark.parametrize("seed", range(3))
def test_random_legal_play_conforms(seed: int) -> None:
    field = battle(seed)
    check_battle(RULES, field, random_play(RULES, field, Random(seed), 40))
