"""States of play are not copied where nothing changes, and answer a question only once."""

import pytest
from msgspec.structs import replace

from rulebook.battle_log.play import replay
from rulebook.registry import newest_ruleset
from tests.rulebook.sample_battles import refereed

IN_STEPS = ("avant-garde", "wards")


@pytest.mark.parametrize("key", IN_STEPS)
def test_same_step_leaves_an_equal_state(key: str) -> None:
    setup, events = refereed(key, 0)
    for step in replay(newest_ruleset(key).log, setup, events).steps:
        state = step.after
        settled = state.at_step(state.step)
        assert settled == replace(state, last_step=state.step, step=state.step)
        assert settled.at_step(state.step) is settled


def test_ranks_of_a_ward_are_found_once() -> None:
    setup, events = refereed("wards", 0)
    for step in replay(newest_ruleset("wards").log, setup, events).steps:
        state = step.after
        for ward in {each.key for each in state.combatants.values()}:
            assert state.ranks(ward) is state.ranks(ward)
            assert replace(state).ranks(ward) == state.ranks(ward)
            assert replace(state).generals_of(ward) == state.generals_of(ward)
