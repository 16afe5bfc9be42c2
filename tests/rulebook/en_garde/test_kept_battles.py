"""Logs of yesterday come to what they came to yesterday: a change of data or code that alters one
is a new edition.

In which words they tell it may change.
"""

import pytest
from msgspec.structs import replace

from rulebook.ruleset import BattleResult
from rulebook.systems.en_garde.book.scenarios import scenario_facts
from tests.rulebook.en_garde.kept_battles import KeptBattle, kept_battles
from tests.rulebook.en_garde.logs import event_problems, result

KEPT = kept_battles()


def test_a_battle_of_every_scenario_is_kept():
    assert set(KEPT) == {facts.key for facts in scenario_facts()}
    assert all(kept.setup.scenario == scenario for scenario, kept in KEPT.items())


@pytest.mark.parametrize("kept", KEPT.values(), ids=KEPT.keys())
def test_a_kept_log_comes_to_the_same_result(kept: KeptBattle):
    assert but_for_words(result(kept.setup, kept.events)) == but_for_words(kept.result)


def but_for_words(battle_result: BattleResult) -> BattleResult:
    sides = (
        replace(side, lines=tuple(replace(line, sentence="") for line in side.lines))
        for side in battle_result.sides
    )
    return replace(battle_result, verdict="", sides=tuple(sides))


@pytest.mark.parametrize("kept", KEPT.values(), ids=KEPT.keys())
def test_the_last_event_of_a_kept_log_is_still_a_good_one(kept: KeptBattle):
    *before, last = kept.events
    assert event_problems(kept.setup, tuple(before), last) == ()
