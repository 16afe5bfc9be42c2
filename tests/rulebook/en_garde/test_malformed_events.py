"""Events of every kind with plausible and impossible data: each is taken, or refused with a
reason."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulebook.ruleset import LoggedEvent, Problem, RulesError
from rulebook.systems.en_garde.log.kinds import LOG
from rulebook.values.fields import Field
from tests.rulebook.en_garde.battlefield import SCENARIOS, battle
from tests.rulebook.en_garde.logs import (
    event_fields,
    event_kinds,
    event_problems,
    play_state,
    result,
)
from tests.soak import made_up

KINDS = sorted(kind.key for kind in event_kinds())
PEOPLE = st.sampled_from(["a1", "a2", "a3", "b1", "b2", "b3", "civilian-1", "nobody", ""])
SIDES = st.sampled_from(["a", "b", "c", ""])
WORDS = st.sampled_from(["sword", "bow", "parry", "armour", "opposite", "a", "x"])
JUNK: st.SearchStrategy[Any] = (
    st.none()
    | st.booleans()
    | st.integers(-3, 9)
    | st.floats(allow_nan=False)
    | WORDS
    | st.just([])
    | st.just({})
)
HOUSE_RULES = st.fixed_dictionaries(
    {"fantastical": st.just(True)},
    optional={
        "wounds_after": st.sampled_from(["heal", "grievous-roll"]),
        "minor_objectives": st.sampled_from(["open", "secret"]),
        "capture_needs": st.sampled_from(["unconscious", "any"]),
        "spray_hits": st.sampled_from(["each-hits", "each-rolls", "one-roll"]),
    },
)


def likely(field: Field) -> st.SearchStrategy[Any]:
    """Return a strategy for values that people and programs usually put into a field."""
    by_kind: dict[str, st.SearchStrategy[Any]] = {
        "combatant": PEOPLE,
        "side": SIDES,
        "number": st.integers(-1, 8),
        "flag": st.booleans(),
        "list": st.lists(PEOPLE | st.integers(1, 6), max_size=3),
        "map": st.dictionaries(PEOPLE | SIDES, st.integers(0, 7), max_size=2),
    }
    if field.choices:
        return st.sampled_from([key for key, _ in field.choices])
    return by_kind.get(field.kind, WORDS)


def of_kind(kind: str) -> st.SearchStrategy[tuple[str, dict[str, Any]]]:
    """Return a strategy for events of a kind, sometimes with a wrong value or a superfluous
    field.
    """
    fields = {each.key: likely(each) | (likely(each) | JUNK) for each in event_fields(kind)}
    needed = {each.key: fields.pop(each.key) for each in event_fields(kind) if each.required}
    data = st.fixed_dictionaries(needed, optional={**fields, "rubbish": JUNK})
    return st.tuples(st.just(kind), data)


EVENTS = st.sampled_from(KINDS).flatmap(of_kind)
TURNS = st.sampled_from([None, None, 0, 1, 1, 2, 3, -1])


@given(st.sampled_from(SCENARIOS), HOUSE_RULES, st.lists(st.tuples(EVENTS, TURNS), max_size=14))
@made_up("logs of events of every wrong kind", 300, sample=75)
def test_a_log_of_odd_events_is_taken_or_refused_event_by_event(
    scenario: str,
    house_rules: dict[str, Any],
    entries: list[tuple[tuple[str, dict[str, Any]], int | None]],
) -> None:
    setup = battle(scenario, settings=house_rules)
    log: tuple[LoggedEvent, ...] = ()
    for (kind, data), turn in entries:
        event = LoggedEvent(len(log) + 1, kind, data, turn)
        problems = event_problems(setup, log, event)
        assert all(problem.code and problem.sentence for problem in problems)
        log = log if problems else (*log, event)
    assert {each.side for each in result(setup, log).sides} == {"a", "b"}
    assert play_state(setup, log)
    assert all(isinstance(LOG.sentence(event, {}), str) for event in log)


@given(
    st.text(max_size=6) | st.sampled_from(KINDS), JUNK | st.dictionaries(WORDS, JUNK, max_size=3)
)
@made_up("logs of events of every wrong kind", 300, sample=75)
def test_malformed_event_is_refused(kind: str, data: Any) -> None:
    problems: tuple[Problem, ...] = event_problems(
        battle("skirmish"), (), LoggedEvent(1, kind, data)
    )
    assert problems or kind in KINDS


@pytest.mark.parametrize(
    ("kind", "data", "field"),
    [
        ("free_attack", {"attacker": "b2", "target": "", "weapon": "sword"}, "target"),
        ("stun_roll", {"fighter": "", "die": 5}, "fighter"),
        ("challenge", {"challenger": "", "challenged": "b1", "accepted": True}, "challenger"),
    ],
)
def test_nobody_is_not_somebody(kind: str, data: dict[str, Any], field: str) -> None:
    """An empty id is invalid: the event cannot be read, and the error names the field."""
    problems = event_problems(battle("skirmish"), (), LoggedEvent(1, kind, data, 1))
    assert [(problem.code, problem.field) for problem in problems] == [("unreadable-event", field)]


def test_the_result_of_a_log_that_does_not_add_up_is_refused() -> None:
    with pytest.raises(RulesError):
        result(battle("skirmish"), (LoggedEvent(1, "wound", {"victim": "", "result": "light"}),))
