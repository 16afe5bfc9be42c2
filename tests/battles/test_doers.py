"""Who harmed those of whom no deed tells it."""

import pytest

from battles.summaries.doers import told_by_log
from rulebook.registry import newest_ruleset
from tests.rulebook.en_garde.battlefield import battle, log, told, wound

SKIRMISH = battle("skirmish")
SHAKEN_OFF = told("removed_stun", fighter="b1", counters=1)
LOGS = (
    ([wound("b1", "stunned", "a1")], "a1"),
    ([wound("b1", "stunned", "a1"), SHAKEN_OFF, wound("b1", "stunned", "a2")], "a2"),
    ([wound("b1", "stunned", "a1"), wound("b1", "stunned", "a2")], "a1"),
    ([wound("b1", "stunned", "a1"), SHAKEN_OFF, wound("b1", "stunned", None, means="fall")], None),
    ([wound("b1", "stunned", "b2", friendly=True)], None),
    ([wound("b1", "stunned", "a1"), told("wound", victim="nobody", result="light")], None),
)


@pytest.mark.parametrize(("events", "doer"), LOGS)
def test_it_was_the_enemy_after_whose_blow_the_wounds_were_what_they_ended_as(events, doer):
    found = told_by_log(newest_ruleset("en-garde"), SKIRMISH, log(*events), {"b1": "stunned"})
    assert found == ({"b1": doer} if doer else {})
