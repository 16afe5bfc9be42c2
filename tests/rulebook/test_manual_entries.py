"""Manual entries: forms for every kind of event that hold in every state of a battle."""

from typing import Any

import pytest

from rulebook.at_table.manual_entries import ACTORS, ManualEntry, manual_entries
from rulebook.battle_log.corrections import CORRECTION
from rulebook.battle_log.play import Play
from rulebook.registry import newest_ruleset, rulesets
from tests.plays import play_of
from tests.rulebook.sample_battles import refereed

SYSTEMS = [rules.key for rules in rulesets()]


def entries_of(play: Play[Any]) -> dict[str, ManualEntry]:
    return {entry.action.key: entry for entry in manual_entries(play)}


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_kind_has_the_same_form_throughout_a_battle(system):
    rules, (setup, events) = newest_ruleset(system), refereed(system, 1)
    places = [0, len(events) // 4, len(events) // 2, len(events)]
    first, *later = [entries_of(play_of(rules, setup, events[:place])) for place in places]
    assert {*first} == {*rules.log.kinds} - {CORRECTION}
    for entries in later:
        assert {
            key: [field.key for field in entry.action.fields] for key, entry in entries.items()
        } == {key: [field.key for field in entry.action.fields] for key, entry in first.items()}
    for entry in first.values():
        fields = {field.key: field for field in entry.action.fields}
        if entry.actor:
            assert fields[entry.actor].kind in ACTORS and not fields[entry.actor].group
    assert any(entry.starts_turn for entry in first.values())
