"""Calculators: numbers counted by hand, every throw counted, and refusals."""

from fractions import Fraction
from pathlib import Path

import msgspec
import pytest

from rulebook.ruleset import RulesError
from rulebook.systems.avant_garde.calculators import ANSWERS, IN_BATTLE, AvantGardeCalculators
from rulebook.values.answers import Answer
from tests.rulebook.avant_garde.field import Field

CALCULATORS = AvantGardeCalculators()
NUMBERS = {each.key: each for each in CALCULATORS.all() if each.about == "numbers"}
LINES = (
    (Path(__file__).parent / "data" / "calculators.txt").read_text(encoding="utf-8").splitlines()
)
ROWS = [[cell.strip() for cell in line.split(" | ")] for line in LINES if not line.startswith("#")]


def ask(key, **sent):
    return msgspec.convert(CALCULATORS.ask(key, sent), Answer)


def said(cell):
    """Parse a cell: "inches=6, dice=3,4" is {"inches": "6", "dice": "3,4"}, a dash nothing."""
    return dict(part.split("=", 1) for part in cell.split(", ") if cell != "-")


def found_in(answer, where):
    """Return a value of an answer: a chance of a table, a figure, a sum or a throw."""
    place, _, key = where.partition(".")
    if not key:
        return answer.outcomes[place]
    if place == "sums":
        return str(next(each.total for each in answer.sums if each.title == key))
    if place in ("figures", "rolled"):
        return next(each.value for each in getattr(answer, place) if each.key == key)
    table = next(each for each in answer.tables if each.key == place)
    return next(row.chance for row in table.rows if row.key == key)


@pytest.mark.parametrize(("key", "cell", "where", "value"), ROWS)
def test_every_number_is_what_a_count_by_hand_finds(key, cell, where, value):
    assert found_in(ask(key, **said(cell)), where) == value


def test_every_question_is_described_answered_and_counted():
    assert {row[0] for row in ROWS} == set(NUMBERS) == set(ANSWERS)


@pytest.mark.parametrize("key", list(NUMBERS))
def test_defaults_and_examples_are_answered_and_chances_sum_to_one(key):
    for sent in ({}, *NUMBERS[key].examples):
        answer = ask(key, **sent)
        assert not answer.outcomes or sum(map(Fraction, answer.outcomes.values())) == 1
        for table in answer.tables:
            assert sum(Fraction(row.chance) for row in table.rows) == 1, table.key
        assert all(line.rule for each in answer.sums for line in each.lines)


def test_a_cell_that_the_source_has_lost_is_asked_for():
    with pytest.raises(RulesError, match="not in the source"):
        ask("terrain", ground="rough", pace="normal")


def test_a_test_takes_two_dice():
    with pytest.raises(RulesError, match="two dice"):
        ask("casualty-test", dice="4")


def test_in_a_battle_two_units_are_asked_about_as_they_stand():
    play = Field().play

    def asked(key, attacker, **sent):
        answer = CALCULATORS.odds_in_battle(key, play, attacker, "blue-line", sent)
        return msgspec.convert(answer, Answer)

    assert found_in(asked("fire", "red-line", front="12"), "figures.dice") == "6"
    assert found_in(asked("fire", "red-militia", inches="6"), "figures.need") == "6"
    assert found_in(asked("guns", "red-guns", inches="40"), "0") == "1"
    assert (
        found_in(
            asked("guns", "red-guns", round="shell", calibre="howitzer", inches="36"),
            "landing.near",
        )
        == "1/6"
    )
    fought = asked("hand-to-hand", "red-guard", front="2", target_front="2", edges="higher")
    assert sum(Fraction(each) for each in fought.outcomes.values()) == 1
    assert found_in(fought, "defender.2") == "1/9"
    assert found_in(fought, "sums.Score of the attacker before casualties") == "2"


def test_battle_odds_refuse_unknown_unit():
    with pytest.raises(RulesError, match="not on the table"):
        CALCULATORS.odds_in_battle("fire", Field().play, "red-line", "nobody", {})


def test_what_is_asked_about_a_battle_is_described():
    assert {each.key for each in CALCULATORS.all() if each.about == "battle"} == set(IN_BATTLE)


def test_points_of_a_commander_without_a_price_say_so():
    """Ruling N-P1: only an Uninspiring commander has a price in the source."""
    ask = AvantGardeCalculators().ask
    for rating in ("competent", "inspirational", "charismatic"):
        answer = ask("points", {"profile": "commander", "rating": rating})
        assert answer["headline"] == f"{rating.capitalize()} commander: no price in the source."
        assert list(answer["sums"]) == []
    assert ask("points", {"profile": "commander"})["asked"]["rating"] == "competent"
    assert (
        ask("points", {"profile": "commander", "rating": "uninspiring"})["headline"] == "40 points."
    )
