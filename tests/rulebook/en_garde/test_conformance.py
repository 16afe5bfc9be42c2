"""En Garde! holds to what every rule system has to hold to."""

from random import Random

import pytest
from msgspec.structs import replace

from rulebook.battle_log.play import replay
from rulebook.registry import newest_ruleset
from scripts.demo.referees.en_garde import referee
from tests.rulebook.conformance import (
    check_battle,
    check_builds,
    check_reference,
    check_secrets,
    check_table,
    random_play,
)
from tests.rulebook.en_garde.refereed import battle

RULES = newest_ruleset("en-garde")


def test_reference_conforms() -> None:
    check_reference(RULES)


SEEDS = {battle(seed).scenario: seed for seed in range(30)}
"""One battle of each scenario."""


def test_every_scenario_is_played() -> None:
    assert set(SEEDS) == {scenario.key for scenario in RULES.scenarios()}


@pytest.mark.parametrize("scenario", SEEDS)
def test_refereed_battles_conform(scenario: str) -> None:
    field = battle(SEEDS[scenario])
    events = referee(field, Random(SEEDS[scenario]))
    check_builds(RULES, field)
    check_battle(RULES, field, events)
    check_table(RULES, replay(RULES.log, field, events[: len(events) // 2]))


@pytest.mark.parametrize("scenario", SEEDS)
def test_random_legal_play_conforms(scenario: str) -> None:
    field = battle(SEEDS[scenario])
    events = random_play(RULES, field, Random(SEEDS[scenario]), 40)
    assert len(events) > 10
    check_battle(RULES, field, events)


@pytest.mark.parametrize("scenario", SEEDS)
def test_what_a_side_alone_may_know_conforms(scenario: str) -> None:
    field = battle(SEEDS[scenario])
    secret = replace(
        field, settings={**field.settings, "minor_objectives": "secret", "dice": "app"}
    )
    rolled = (
        "minor_objective"
        in next(each for each in RULES.scenarios() if each.key == scenario).event_kinds
    )
    for seed in range(3):
        play = replay(RULES.log, secret, random_play(RULES, secret, Random(seed), 10))
        assert len(check_secrets(RULES, play)) == (len(field.sides) if rolled else 0)
