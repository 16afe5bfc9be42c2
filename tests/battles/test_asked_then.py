"""A correction has the fields of its entry. Sent back without a change, it changes nothing."""

from collections.abc import Mapping
from typing import Any
from uuid import uuid4

import pytest
from django.http import QueryDict
from msgspec.structs import replace

from battles.forms.events import CombatantNames, EventRow
from battles.selectors.entry_form import entry_form, merge_correction, value_at
from rulebook.battle_log.corrections import effective_events
from rulebook.registry import newest_ruleset
from tests.playthroughs.corpus import FOLDER, SYSTEMS
from tests.playthroughs.logs import read_log

pytestmark = pytest.mark.one_database
LOGS = {"en-garde": "raid.json"}
SAMPLE = 12


def told(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return the data of an entry without empty values."""
    return {key: value for key, value in data.items() if value not in (None, False, "", [], {})}


def sent(row: EventRow) -> QueryDict:
    """Return what a browser sends of an unchanged form."""
    query = QueryDict(mutable=True)
    for field in row:
        value = field.value()
        if isinstance(value, list | tuple):
            query.setlist(field.html_name, [str(each) for each in value])
        elif value not in (None, "", False):
            query[field.html_name] = str(value)
    return query


@pytest.mark.parametrize("system", SYSTEMS)
def test_an_entry_that_is_sent_back_as_it_stands_says_the_same(system: str) -> None:
    rules = newest_ruleset(system)
    kept = read_log(FOLDER / system / "logs" / LOGS.get(system, "battle.json"))
    setup, kinds = kept.setup, {kind.key: kind for kind in rules.log.forms() if kind.turn_by_turn}
    fighters = [
        (side.name, [(fighter.id, fighter.name) for fighter in side.fighters])
        for side in setup.sides
    ]
    names = CombatantNames([(side.key, side.name) for side in setup.sides], fighters)
    entries = [each for each in effective_events(kept.events) if each.kind in kinds]
    chosen = 0
    for entry in entries[:: max(1, len(entries) // SAMPLE)]:
        kind = kinds[entry.kind]
        entry_fields = entry_form(rules, setup, kept.events, kind, entry)
        chosen += entry_fields != kind.fields
        row: dict[str, Any] = {
            "prefix": "entry",
            "kind": replace(kind, fields=entry_fields),
            "names": names,
        }
        row |= {
            "client_id": uuid4(),
            "initial": {field.key: value_at(entry.data, field.key) for field in entry_fields},
        }
        answer = EventRow(sent(EventRow(None, **row)), **row, empty_permitted=False)
        assert answer.is_valid() or not entry_fields, (entry, answer.errors)
        assert told(merge_correction(entry.data, answer.fields, answer.event.data)) == told(
            entry.data
        )
    assert chosen >= SAMPLE // 2, "most entries are asked for as at the table"


def test_correction_keeps_values_without_a_field() -> None:
    data = {
        "rolls": [{"a": 3, "b": 3}, {"a": 6, "b": 1}],
        "thrown": "table",
        "counters": {"a": [2, 1]},
    }
    keys = ("rolls.0.a", "rolls.0.b", "counters.a")
    answers = {"rolls.0.a": 4, "rolls.0.b": 2, "counters.a": [1, 2]}
    assert merge_correction(data, keys, answers) == {
        "rolls": [{"a": 4, "b": 2}, {"a": 6, "b": 1}],
        "thrown": "table",
        "counters": {"a": [1, 2]},
    }
    assert value_at(data, "rolls.1.b") == 1 and value_at(data, "rolls.2.b") is None is value_at(
        data, "thrown.x"
    )
