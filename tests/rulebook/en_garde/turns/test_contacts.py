"""Contact in a log turn by turn: the contacts that a move makes, and the resulting fights."""

import pytest

from tests.rulebook.en_garde.logs import event_problems
from tests.rulebook.en_garde.turns.tables import begun, opening


@pytest.mark.parametrize(
    ("contacts", "expected"),
    [
        (["guard"], []),
        (["planchet"], ["own-side"]),
        (["athos"], ["own-side"]),
        (["guard", "guard"], ["named-twice"]),
        (["jussac"], ["out-of-action"]),
    ],
)
def test_contact_is_made_with_living_enemies_each_named_once(contacts, expected):
    log = begun()
    log.tell("wound", victim="jussac", result="critical")
    assert log.errors("move", fighter="athos", contacts=contacts) == expected
    agreed = expected or ["nothing-to-overrule"]
    assert (
        log.errors("move", fighter="athos", contacts=contacts, overruled="We agreed on it.")
        == agreed
    )


def test_only_those_fight_who_touch_unless_the_table_agrees():
    log = begun()
    assert log.errors("combat", **opening()) == ["not-in-contact", "not-in-contact"]
    assert log.errors("combat", **opening(), overruled="We forgot to log the move.") == []
    assert begun(guard=["athos"]).errors("combat", **opening()) == []


def test_everybody_in_a_combat_touches_somebody_there():
    log = begun(guard=["athos"])
    crowd = opening(
        fighters={"a": ["athos"], "b": ["guard", "jussac"]},
        counters={"a": [3, 3], "b": [3, 2]},
        initiative={"athos": [6], "guard": [1], "jussac": [2]},
    )
    assert log.errors("combat", **crowd) == ["not-in-contact"]
    log.tell("move", fighter="jussac", contacts=["athos"])
    assert log.errors("combat", **crowd) == []


def test_combat_without_contact_names_missing_event():
    log = begun()
    (first, _) = event_problems(log.setup, log.events, log.event("combat", opening()))
    assert "Log the move" in first.sentence
    assert first.source == 'Rule book: "Combat"'


def test_fighter_named_twice_in_combat_is_refused():
    log = begun(guard=["athos"])
    twice = opening(fighters={"a": ["athos", "athos"], "b": ["guard"]})
    assert log.errors("combat", **twice) == ["named-twice"]


def test_nobody_is_ordered_twice():
    log = begun()
    assert log.errors("order", commander="jussac", order="move", fighters=["guard", "guard"]) == [
        "named-twice"
    ]
