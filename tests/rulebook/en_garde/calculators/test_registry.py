"""Every calculator: what it takes, what it answers, and how it says no."""

from fractions import Fraction

import msgspec
import pytest

from rulebook.calculators.asking import read_values
from rulebook.ruleset import Calculator, RulesError
from rulebook.systems.en_garde.calculators.registry import ask, calculators, questions
from rulebook.values.answers import Answer, chance_table, in_words
from rulebook.values.fields import Field

ABOUT_NUMBERS = [each for each in calculators() if each.about == "numbers"]
KEYS = [each.key for each in ABOUT_NUMBERS]
ASKED = [(each.key, dict(example)) for each in ABOUT_NUMBERS for example in ({}, *each.examples)]


def problems(key, **values):
    with pytest.raises(RulesError) as caught:
        ask(key, values)
    return caught.value.problems


def test_the_calculators_of_the_book_are_all_there():
    assert KEYS == [
        "shot",
        "resolve-shot",
        "attack",
        "resolve-attack",
        "round",
        "best-split",
        "equilibrium",
        "morale",
        "stun-removal",
        "dexterity",
        "fall",
        "drowning",
        "spell",
        "priority",
        "custom-fighter",
        "set-up",
        "forces",
    ]
    of_two = [(each.about, each.key) for each in calculators() if each.about != "numbers"]
    kinds = ("shot", "attack", "round", "best-split", "equilibrium")
    assert of_two == [(about, kind) for about in ("fighters", "battle") for kind in kinds]


@pytest.mark.parametrize(("key", "values"), ASKED)
def test_each_answers_without_any_value_and_with_each_example(key, values):
    answer = msgspec.convert(ask(key, values), Answer)
    assert answer.headline
    assert answer.assumptions
    assert answer.source.startswith("Rule book: ")
    assert set(values) <= set(answer.asked)


@pytest.mark.parametrize(("key", "values"), ASKED)
def test_chances_are_in_lowest_terms_and_sum_to_one(key, values):
    answer = msgspec.convert(ask(key, values), Answer)
    tables = [[row.chance for row in table.rows] for table in answer.tables]
    for chances in [*tables, [*answer.outcomes.values()] or ["1"]]:
        assert sum(map(Fraction, chances)) == 1
        assert all(str(Fraction(chance)) == chance for chance in chances)
    assert all(
        row.percent == round(float(Fraction(row.chance)) * 100, 1)
        for table in answer.tables
        for row in table.rows
    )


@pytest.mark.parametrize(("key", "values"), ASKED)
def test_every_sum_is_the_sum_of_its_lines_and_every_line_names_its_rule(key, values):
    answer = msgspec.convert(ask(key, values), Answer)
    for score in answer.sums:
        assert score.total == sum(line.amount for line in score.lines)
        assert all(line.reason and line.rule for line in score.lines)


@pytest.mark.parametrize("key", KEYS)
def test_unknown_field_is_refused_with_valid_names(key):
    (problem,) = problems(key, wibble="7")
    assert (problem.code, problem.field, problem.value) == ("unknown-field", "wibble", "7")
    assert next(each for each in ABOUT_NUMBERS if each.key == key).fields[0].key in problem.sentence


BAD = {
    "number": "many",
    "length": "far",
    "flag": "perhaps",
    "choice": "neither",
    "dice": "3,9",
    "map": "{",
    "list": "?",
}
EVERY_FIELD = [
    (each.key, field)
    for each in ABOUT_NUMBERS
    for field in each.fields
    if field.kind in BAD and field.key != "on_weapons"
]


@pytest.mark.parametrize(("key", "field"), EVERY_FIELD, ids=lambda each: getattr(each, "key", each))
def test_a_bad_value_of_each_field_is_refused_with_field_value_and_way_out(key, field):
    (problem,) = problems(key, **{field.key: BAD[field.kind]})
    assert (problem.field, problem.value) == (field.key, BAD[field.kind])
    assert f"give {field.key!r} as" in problem.sentence


def test_all_problems_are_reported_at_once():
    errors = problems("shot", shoot="x", armour_rating="-1", spray="y", nonsense="1")
    assert [problem.code for problem in errors] == [
        "unknown-field",
        "not-a-number",
        "out-of-range",
        "not-a-flag",
    ]


def test_an_unknown_calculator_is_refused_with_those_there_are():
    (problem,) = problems("wibble")
    assert problem.code == "unknown-calculator"
    assert "shot" in problem.sentence


EVERYTHING = Calculator(
    "every-kind",
    "Every kind",
    "",
    (
        Field("n", "N", "number", False, least=-3, most=9, default="2"),
        Field("i", "I", "length", False, least=0, measure="inches"),
        Field("f", "F", "flag", False, default="true"),
        Field("c", "C", "choice", False, (("a", "A"), ("b", "B")), default="a"),
        Field("l", "L", "list", False, (("a", "A"), ("b", "B"))),
        Field("d", "D", "dice", False, most=3),
        Field("m", "M", "map", False),
        Field("t", "T", "text", False),
    ),
    "odds",
)


def test_values_are_read_from_text_and_from_what_they_are():
    texts = {
        "n": "-3",
        "i": "2.5",
        "f": "off",
        "c": "b",
        "l": ["a", "b"],
        "d": "3 4,5",
        "m": '{"a": 1}',
        "t": " word ",
    }
    read = {
        "n": -3,
        "i": 2.5,
        "f": False,
        "c": "b",
        "l": ("a", "b"),
        "d": (3, 4, 5),
        "m": {"a": 1},
        "t": "word",
    }
    assert read_values(EVERYTHING, texts) == read
    plain = {
        "n": -3,
        "i": 2.5,
        "f": False,
        "c": "b",
        "l": ("a", "b"),
        "d": [3, 4, 5],
        "m": {"a": 1},
        "t": "word",
    }
    assert read_values(EVERYTHING, plain) == read


def test_what_is_left_empty_has_its_default():
    read = {"n": 2, "i": None, "f": True, "c": "a", "l": (), "d": (), "m": None, "t": ""}
    assert read_values(EVERYTHING, {}) == read
    assert read_values(EVERYTHING, dict.fromkeys("nifcldmt", "  ")) == read


@pytest.mark.parametrize(
    ("key", "value", "code"),
    [
        ("n", "3.5", "not-a-number"),
        ("n", "٣", "not-a-number"),
        ("n", "9" * 40, "not-a-number"),
        ("n", True, "not-a-number"),
        ("n", "10", "out-of-range"),
        ("i", "nan", "not-a-number"),
        ("i", "-1", "out-of-range"),
        ("d", "1,2,3,4", "too-many-dice"),
        ("d", "0", "not-dice"),
        ("m", "[1]", "not-json"),
        ("m", "[" * 1900, "not-json"),
        ("t", "x" * 2001, "too-long"),
        ("l", "a,z", "not-a-choice"),
    ],
)
def test_what_cannot_be_read_has_a_code_of_its_own(key, value, code):
    with pytest.raises(RulesError) as caught:
        read_values(EVERYTHING, {key: value})
    (problem,) = caught.value.problems
    assert (problem.code, problem.field) == (code, key)
    assert len(problem.value) <= 100


def test_a_field_that_must_be_filled_in_says_so():
    strict = Calculator("k", "K", "", (Field("n", "N", "number"),), "odds")
    with pytest.raises(RulesError, match="N is missing: give 'n' as a whole number"):
        read_values(strict, {})


def test_chance_text_never_rounds_to_certainty():
    assert in_words(Fraction(5, 12)) == "5/12 (41.7%)"
    assert in_words(Fraction(1, 1_000_000)) == "1/1000000 (less than 0.1%)"
    assert in_words(Fraction(999_999, 1_000_000)) == "999999/1000000 (more than 99.9%)"
    assert in_words(Fraction(0)) == "0 (0%)"
    assert in_words(Fraction(1)) == "1 (100%)"


def test_a_row_without_a_name_is_called_by_its_key():
    table = chance_table("t", "T", {"first-falls": Fraction(1)})
    assert [(row.label, row.chance, row.percent) for row in table.rows] == [
        ("First falls", "1", 100.0)
    ]


def test_every_default_and_example_is_a_value_that_its_field_takes():
    for question in questions("numbers"):
        for example in ({}, *question.calculator.examples):
            read_values(question.calculator, example)
