"""Fields: each kind is read from text and from what it is, and says what is wrong with anything
else."""

import pytest

from rulebook.ruleset import RulesError
from rulebook.values.fields import (
    READERS,
    Field,
    UnreadableValue,
    as_text,
    read_fields,
    read_value,
    takes,
    wanted,
)
from rulebook.values.problems import shown

AB = (("a", "A"), ("b", "B"))
FIELDS = {
    "combatant": Field("x", "X", "combatant"),
    "side": Field("x", "X", "side", choices=(("red", "Reds"), ("blue", "Blues"))),
    "group": Field("x", "X", "group", choices=(("red/Van", "Van (Reds)"),)),
    "choice": Field("x", "X", "choice", choices=AB),
    "number": Field("x", "X", "number", least=1, most=6),
    "length": Field("x", "X", "length", measure="centimetres", least=0, most=100),
    "dice": Field("x", "X", "dice", most=3),
    "flag": Field("x", "X", "flag"),
    "list": Field("x", "X", "list", choices=AB),
    "numbers": Field("x", "X", "numbers", choices=(("2,1", "Two and one"), ("3,0", "Three"))),
    "picks": Field("x", "X", "picks", choices=(("a", "One"), ("a,a", "Two"))),
    "text": Field("x", "X", "text", most=10),
    "map": Field("x", "X", "map"),
}
READ = [
    ("combatant", "somebody", "somebody"),
    ("side", "red", "red"),
    ("group", "red/Van", "red/Van"),
    ("choice", " b ", "b"),
    ("number", "4", 4),
    ("number", 4, 4),
    ("length", "2.5", 2.5),
    ("length", "12", 12),
    ("dice", "3 4", (3, 4)),
    ("dice", [3, 4], (3, 4)),
    ("flag", "on", True),
    ("flag", False, False),
    ("list", ["a", "b", "a"], ("a", "b", "a")),
    ("numbers", "2, 1", (2, 1)),
    ("numbers", [3, 0], (3, 0)),
    ("picks", "a,a", ("a", "a")),
    ("picks", ["a"], ("a",)),
    ("text", " word ", "word"),
    ("map", {"a": 1}, {"a": 1}),
]
WRONG = [
    ("side", "green", "not-a-choice"),
    ("group", "Van", "not-a-choice"),
    ("choice", "c", "not-a-choice"),
    ("number", "7", "out-of-range"),
    ("number", "four", "not-a-number"),
    ("length", "far", "not-a-number"),
    ("length", "101", "out-of-range"),
    ("dice", "7", "not-dice"),
    ("dice", "1,2,3,4", "too-many-dice"),
    ("flag", "perhaps", "not-a-flag"),
    ("list", "a,c", "not-a-choice"),
    ("numbers", "9,9", "not-a-choice"),
    ("picks", "a,a,a", "not-a-choice"),
    ("text", "eleven char", "too-long"),
    ("map", "[", "not-json"),
]


def test_each_of_several_numbers_is_held_to_the_bounds_where_no_lists_are_offered():
    sizes = Field("x", "X", "numbers", least=12, most=120)
    assert read_value(sizes, [36, 48]) == (36, 48)
    with pytest.raises(UnreadableValue, match="whole numbers from 12 to 120"):
        read_value(sizes, "36,9")


def test_every_kind_has_its_reader():
    assert FIELDS.keys() == READERS.keys()


@pytest.mark.parametrize(("kind", "sent", "value"), READ)
def test_a_value_is_read_from_text_or_from_what_it_is(kind, sent, value):
    assert read_value(FIELDS[kind], sent) == value


@pytest.mark.parametrize(("kind", "sent", "code"), WRONG)
def test_anything_else_has_a_code_and_a_way_out(kind, sent, code):
    with pytest.raises(RulesError) as caught:
        read_fields([FIELDS[kind]], {"x": sent}, "The table")
    (problem,) = caught.value.problems
    assert (problem.code, problem.field, problem.value) == (code, "x", as_text(sent))
    assert "give 'x' as" in problem.sentence


@pytest.mark.parametrize("kind", FIELDS)
def test_each_kind_says_what_it_takes_and_is_missed_where_it_is_needed(kind):
    with pytest.raises(UnreadableValue) as caught:
        read_value(FIELDS[kind], "")
    assert (caught.value.code, caught.value.expected) == ("required", wanted(FIELDS[kind]))


def test_a_number_may_be_one_of_several():
    morale = Field("morale", "Morale", "number", choices=(("7", "Seven"), ("8", "Eight")))
    assert read_value(morale, "8") == 8
    with pytest.raises(UnreadableValue, match="one of 7, 8"):
        read_value(morale, "9")


def test_default_replaces_blank_of_any_type():
    assert read_value(Field("x", "X", "flag", default=True), "") is True
    assert read_value(Field("x", "X", "number", default=3), None) == 3


def test_a_value_is_taken_as_it_stands_only_if_its_type_is_right():
    number, flag = FIELDS["number"], FIELDS["flag"]
    assert takes(number, 3)
    assert takes(flag, True)
    assert not any(takes(number, value) for value in ("3", 3.0, True, None, 7))
    assert not any(takes(flag, value) for value in ("true", 1, None))


def test_all_field_problems_are_reported_with_valid_names():
    with pytest.raises(RulesError) as caught:
        read_fields([FIELDS["number"]], {"x": "9", "y": 1}, "The table")
    assert [problem.code for problem in caught.value.problems] == ["unknown-field", "out-of-range"]
    assert "'y' is not a field of the table." in str(caught.value)


def test_read_fields_rejects_null_where_a_default_stands():
    bases = Field("bases", "Bases", "number", False, default=4)
    assert read_fields([bases], {"bases": "3"}, "A unit") == {"bases": 3}
    assert read_fields([bases], {"bases": ""}, "A unit") == {"bases": 4}
    with pytest.raises(RulesError, match="Bases cannot be null: leave 'bases' out for 4") as caught:
        read_fields([bases], {"bases": None}, "A unit")
    assert [(each.code, each.value) for each in caught.value.problems] == [("wrong-type", "null")]
    assert read_fields([Field("x", "X", "flag", False)], {"x": None}, "A unit") == {"x": False}


def test_read_fields_shows_lists_as_json():
    with pytest.raises(RulesError, match=r'X cannot be \["unit"\]: give') as caught:
        read_fields([FIELDS["choice"]], {"x": ["unit"]}, "A unit")
    assert caught.value.problems[0].value == '["unit"]'


@pytest.mark.parametrize(
    ("value", "text"),
    [(("morale",), '["morale"]'), (True, "true"), (None, "null"), ("a", "a"), (4, "4")],
)
def test_shown_writes_values_as_json(value, text):
    assert shown(value) == text
