"""Cleaned texts of a chronicle, names of recruits, and changes that make a roster worse."""

from typing import Any
from uuid import uuid4

import pytest
from django.core.exceptions import ValidationError

from accounts.adapter import expect_visible
from core.cleaning import (
    clean_json,
    clean_member_name,
    clean_name,
    clean_number,
    clean_reason,
    clean_story,
    clean_text,
)
from core.errors import InvalidInput
from rulebook.chronicle.states import FighterState, WarbandState
from rulebook.ruleset import CampaignTerms, Problem, Roster, RosterPurpose, Severity
from tests.full_toy import ToyRuleset
from warbands.roster_rules import new_problems
from warbands.services.roster import NewFighter, fighter_ids, fighter_names, illegal_roster

ROSTER = Roster(CampaignTerms("reds"), ())


def nested(depth: int) -> Any:
    value: Any = 1
    for _ in range(depth):
        value = {"in": value}
    return value


def test_names_and_reasons_have_one_line() -> None:
    assert clean_name("name", " Black \n Tom ") == "Black Tom"
    assert clean_reason("reason", " \n ") == ""
    assert clean_story("story", " One.\nTwo. ") == "One.\nTwo."


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "too-short"),
        ("x" * 101, "too-long"),
        ("a\0", "unstorable-text"),
        ("\udc00", "unstorable-text"),
    ],
)
def test_invalid_text_names_its_field(text: str, code: str) -> None:
    with pytest.raises(InvalidInput) as refusal:
        clean_text("nick", text, most=100, least=1)
    assert (refusal.value.code, refusal.value.problems[0].field) == (code, "nick")


UNSEEN = (
    "\u200b",
    "\u202e\u202c",
    "\u3164",
    "\uffa0\u115f",
    "\u2800 \u2800",
    "\u00ad",
    "\ufe0f",
    "\u034f",
    "\U000e0041",
)


@pytest.mark.parametrize("name", UNSEEN)
def test_a_name_of_invisible_characters_is_refused(name: str) -> None:
    for read in (lambda: clean_name("name", name), lambda: clean_member_name("name", name)):
        with pytest.raises(InvalidInput) as refusal:
            read()
        assert (refusal.value.code, refusal.value.problems[0].field) == ("invisible-text", "name")
    with pytest.raises(ValidationError):
        expect_visible(name)


@pytest.mark.parametrize(
    "name", ["Jörg", "日本", "한솔", "⚔", "👨\u200d👩\u200d👧", "ni\u0303o", "é", "7", "?"]
)
def test_names_in_any_script_and_with_joiners_pass(name: str) -> None:
    assert clean_name("name", name) == name
    expect_visible(name)


@pytest.mark.parametrize("value", [{"a": [1, "b", None, True, 1.5]}, {}, nested(12)])
def test_plain_json_passes(value: Any) -> None:
    assert clean_json("build", value) == value


@pytest.mark.parametrize(
    ("value", "code"),
    [
        ([], "not-an-object"),
        ("x", "not-an-object"),
        ({"a": 2**31}, "unstorable-json"),
        ({"a": float("inf")}, "unstorable-json"),
        ({"a": float("nan")}, "unstorable-json"),
        ({1: "a"}, "unstorable-json"),
        ({"a": object()}, "unstorable-json"),
        (nested(14), "unstorable-json"),
        ({"a": "x" * 20_001}, "too-long"),
    ],
)
def test_json_that_a_database_cannot_hold_is_refused(value: Any, code: str) -> None:
    with pytest.raises(InvalidInput) as refusal:
        clean_json("build", value)
    assert refusal.value.code == code


@pytest.mark.parametrize("number", [0, 4])
def test_a_number_lies_within_its_bounds(number: int) -> None:
    assert clean_number("count", 3, least=1, most=3) == 3
    with pytest.raises(InvalidInput, match="from 1 to 3"):
        clean_number("count", number, least=1, most=3)


# Names and ids


def roster_of(*names: str) -> WarbandState:
    return WarbandState(
        fighters={name: FighterState(name, name, {}, 1, 5, "Recruit") for name in names}
    )


def test_numbers_go_on_where_the_roster_stops() -> None:
    state = roster_of("Pike 2", "Pike 7", "Pikeman 9", "Pike")
    assert fighter_names(state, [("Pike", False), ("Hans", True), ("Pike", False)], [2, 1, 1]) == [
        "Pike 8",
        "Pike 9",
        "Hans",
        "Pike 10",
    ]


def test_ids_follow_from_the_warband_and_the_clients_id() -> None:
    warband, client = uuid4(), uuid4()
    named, nameless = NewFighter({}, count=2, client_id=client), NewFighter({})
    first, second = fighter_ids(warband, [named, nameless]), fighter_ids(warband, [named, nameless])
    assert first[:2] == second[:2]
    assert len({*first, *second}) == 4
    assert fighter_ids(uuid4(), [named])[0] not in first


# Better and worse


def problem(
    code: str, value: str = "", *fighters: str, severity: Severity = Severity.FORBIDS
) -> Problem:
    return Problem(code, f"{code}!", severity, fighters, value=value)


@pytest.mark.parametrize(
    ("before", "after", "new"),
    [
        ([], [problem("a")], ["a"]),
        ([problem("a")], [problem("a")], []),
        ([problem("a", "300")], [problem("a", "310")], ["a"]),
        ([problem("a", "310")], [problem("a", "300")], []),
        ([problem("a", "", "old")], [problem("a", "", "old", "new")], ["a"]),
        ([problem("a")], [], []),
    ],
)
def test_a_change_answers_for_what_it_makes_worse(
    monkeypatch: pytest.MonkeyPatch, before: list[Problem], after: list[Problem], new: list[str]
) -> None:
    answers = iter((tuple(before), tuple(after)))
    monkeypatch.setattr(ToyRuleset, "roster_problems", lambda *args: next(answers))
    problems = new_problems(ToyRuleset(), ROSTER, ROSTER, RosterPurpose.RECRUIT, {"new"})
    assert [each.code for each in problems] == new


def test_the_worst_problem_speaks_first() -> None:
    refusal = illegal_roster([problem("a", severity=Severity.WARNS), problem("b")])
    assert refusal.sentence.startswith("b!")
    assert [each.code for each in refusal.problems] == ["a", "b"]
