"""Calculators: numbers counted by hand, every throw counted, and refusals."""

from collections import Counter
from fractions import Fraction
from itertools import product

import msgspec
import pytest

from rulebook.ruleset import RulesError
from rulebook.systems.wards.calculators import OF_NUMBERS, WardsCalculators, questions
from rulebook.values.answers import Answer
from tests.rulebook.wards.field import Field
from tests.rulebook.wards.sheets import rows, said

CALCULATORS = WardsCalculators()
NUMBERS = {each.key: each for each in CALCULATORS.all() if each.about == "numbers"}


def ask(key, **sent):
    return msgspec.convert(CALCULATORS.ask(key, sent), Answer)


def found_in(answer, where):
    """Return a value of an answer: a chance of a table, a figure, or a roll."""
    *place, key = where.split(".")
    if not place:
        return answer.outcomes[key]
    if place[0] in ("figures", "rolled"):
        value = next(each.value for each in getattr(answer, place[0]) if each.key == key)
        return value.split(" ")[0] if place[0] == "rolled" else value
    table = next(each for each in answer.tables if each.key == place[0])
    return next(row.chance for row in table.rows if row.key == key)


def test_the_ten_questions_are_there():
    assert len(NUMBERS) == len(OF_NUMBERS) == 10
    assert {each.key for each in CALCULATORS.all() if each.about == "battle"} == {"morale", "fight"}


@pytest.mark.parametrize(("key", "cell", "where", "value"), rows("calculators.txt"))
def test_every_number_is_what_a_count_by_hand_finds(key, cell, where, value):
    assert found_in(ask(key, **said(cell)), where) == value


def test_every_question_about_numbers_has_a_row():
    assert {row[0] for row in rows("calculators.txt")} == set(NUMBERS)


@pytest.mark.parametrize("key", list(NUMBERS))
def test_every_question_is_answered_with_nothing_but_defaults_and_its_chances_sum_to_one(key):
    answer = ask(key)
    assert sum(map(Fraction, answer.outcomes.values())) == 1
    for table in answer.tables:
        assert sum(Fraction(row.chance) for row in table.rows) == 1, table.key
    assert all(line.rule for each in answer.sums for line in each.lines)


@pytest.mark.parametrize("again", [False, True])
def test_a_fight_is_counted_throw_by_throw(again):
    answer = ask(
        "fight",
        frontages="2",
        target_frontages="2",
        foot="false",
        target_foot="false",
        again=str(again),
    )
    once = {hit: Fraction(sum(sum(die >= 5 for die in dice) == hit for dice in product(range(1, 7), repeat=5)), 6**5)
            for hit in range(6)}  # fmt: skip
    own: Counter[int] = Counter()
    for hit, chance in once.items():
        if not again:
            own[hit] += chance
            continue
        for more in product((0, 1), repeat=5 - hit):
            own[hit + sum(more)] += (
                chance * Fraction(1, 3) ** sum(more) * Fraction(2, 3) ** (len(more) - sum(more))
            )
    won = sum(a * b for hits, a in own.items() for other, b in once.items() if hits - other >= 2)
    assert Fraction(answer.outcomes["assaulter"]) == won


def test_a_rout_is_counted_throw_by_throw():
    counts: Counter[str] = Counter()
    for first in product(range(1, 7), repeat=2):
        for second in product(range(1, 7), repeat=2):
            counts[str(sum(first) if sum(first) <= 7 else sum(second))] += 1
    (table,) = (each for each in ask("morale").tables if each.key == "half-bases")
    assert {row.key: Fraction(row.chance) for row in table.rows} == {
        key: Fraction(count, 6**4) for key, count in counts.items()
    }


def test_a_sum_stands_line_by_line():
    answer = ask("fight", frontages="4,2", rear="5", general="none", target_better="3")
    assert [line.amount for line in answer.sums[0].lines] == [3, 3, 2, 2, -2, -1]
    assert [
        line.amount for line in ask("morale", casualties="6", general="none").sums[0].lines
    ] == [4, 1]


@pytest.mark.parametrize("widths", ["4,x", "0", "21", "2.3", ",".join("4" * 13)])
def test_widths_that_no_unit_has_are_refused(widths):
    with pytest.raises(RulesError, match="bases abreast") as refused:
        ask("shooting", frontages=widths)
    assert refused.value.problems[0].field == "frontages"


def test_two_wards_of_a_battle_are_asked_about_as_they_stand():
    field = Field().tell("turn", side="red").tell("general", fighter="red-duke", to="red-spears")
    answer = CALCULATORS.odds_in_battle(
        "fight", field.play, "red-bows", "blue-bills", {"into_ground": "true"}
    )
    assert [each["total"] for each in answer["sums"]] == [11, 10]
    calm = CALCULATORS.odds_in_battle(
        "morale", field.play, "red-bows", "blue-bills", {"hostile_faces": "2"}
    )
    assert calm["outcomes"]["steady"] == "1"


def test_battle_odds_refuse_unit_without_ward():
    with pytest.raises(RulesError, match="is in no Ward"):
        CALCULATORS.odds_in_battle("fight", Field().play, "red-duke", "blue-bills", {})
    with pytest.raises(RulesError, match="Unknown calculator"):
        CALCULATORS.ask("weather", {})
    assert len(questions()) == 10
