"""The attackers of fighters whose wounds no deed explains."""

import pytest

from battles.selectors.inferred_attackers import told_by_log
from rulebook.registry import newest_ruleset
from tests.playthroughs.corpus import FOLDER
from tests.playthroughs.logs import read_log
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
    attackers = told_by_log(newest_ruleset("en-garde"), SKIRMISH, log(*events), {"b1": "stunned"})
    assert attackers == ({"b1": doer} if doer else {})


def test_it_was_the_enemy_of_whose_charge_an_event_tells_that_names_its_target_nowhere():
    kept = read_log(FOLDER / "avant-garde" / "logs" / "battle.json")
    attackers = told_by_log(
        newest_ruleset("avant-garde"), kept.setup, kept.events, {"red-guns": "broken"}
    )
    assert attackers == {"red-guns": "blue-cuirassiers"}


def test_nobody_of_the_own_side_is_taken_for_the_enemy():
    kept = read_log(FOLDER / "wards" / "logs" / "battle.json")
    assert (
        told_by_log(newest_ruleset("wards"), kept.setup, kept.events, {"red-shots": "destroyed"})
        == {}
    )
