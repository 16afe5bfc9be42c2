"""What can be asked beside a battle: numbers counted by hand, every throw counted, and what is refused."""

from fractions import Fraction
from pathlib import Path

import msgspec
import pytest

from rulebook.ruleset import RulesError
from rulebook.systems.avant_garde.calculators import ANSWERS, AvantGardeCalculators
from rulebook.values.answers import Answer

CALCULATORS = AvantGardeCalculators()
NUMBERS = {each.key: each for each in CALCULATORS.listed() if each.about == "numbers"}
LINES = (Path(__file__).parent / "data" / "calculators.txt").read_text(encoding="utf-8").splitlines()
ROWS = [[cell.strip() for cell in line.split(" | ")] for line in LINES if not line.startswith("#")]


def ask(key, **sent):
    return msgspec.convert(CALCULATORS.ask(key, sent), Answer)


def said(cell):
    """What a cell says: "inches=6, dice=3,4" is {"inches": "6", "dice": "3,4"}, a dash nothing."""
    return dict(part.split("=", 1) for part in cell.split(", ") if cell != "-")


def found_in(answer, where):
    """What an answer says in one place: a chance of the main table, or of a named one, a figure, a sum, a throw."""
    place, _, key = where.partition(".")
    if not key:
        return answer.outcomes[place]
    if place == "sums":
        return str(next(each.total for each in answer.sums if each.title == key))
    if place in ("figures", "rolled"):
        return next(each.value for each in getattr(answer, place) if each.key == key)
    table = next(each for each in answer.tables if each.key == place)
    return next(row.chance for row in table.rows if row.key == key)


@pytest.mark.parametrize(("key", "asked", "where", "value"), ROWS)
def test_every_number_is_what_a_count_by_hand_finds(key, asked, where, value):
    assert found_in(ask(key, **said(asked)), where) == value


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
