"""Dates, numerals and titles, as they are set."""

import pytest

from documents.content.labels import harm
from documents.printing import with_minuses
from documents.templatetags.printed import (
    balanced,
    boxes,
    cited,
    day,
    roman,
    rows_of,
    signed,
    title_size,
)
from rulebook.registry import newest_ruleset
from rulebook.ruleset import Fate, Record
from tests.documents import samples


def test_a_day_is_written_out() -> None:
    assert day("1648-10-24") == "24 October 1648"
    assert day("2026-03-07T12:00:00+00:00") == "7 March 2026"
    assert day("") == ""
    assert day("one day") == "one day"


@pytest.mark.parametrize(
    ("number", "numeral"), [(1, "I"), (4, "IV"), (9, "IX"), (14, "XIV"), (39, "XXXIX")]
)
def test_ranks_are_roman(number: int, numeral: str) -> None:
    assert roman(number) == numeral


@pytest.mark.parametrize("number", [-1, 0, 40, 1000])
def test_what_has_no_small_roman_numeral_stays_arabic(number: int) -> None:
    assert roman(number) == str(number)


def test_amounts_have_their_sign() -> None:
    assert [signed(3), signed(0), signed(-3)] == ["+3", "0", "−3"]


def test_cards_are_set_in_rows() -> None:
    assert rows_of((1, 2, 3), 2) == [(1, 2), (3,)]
    assert rows_of((), 2) == []


def test_experience_boxes_are_filled_up_to_what_is_in_hand() -> None:
    card = samples.card("Ana", 1)
    assert boxes(card) == [True, False, False, False, False]
    assert boxes(samples.Card("x", "x", "x", 1, 1, (), experience=9, boxes=3)) == [True, True, True]
    assert boxes(samples.Card("x", "x", "x", 1, 1, (), experience=9, boxes=60)) == []


def test_a_title_is_set_in_lines_of_about_the_same_length() -> None:
    assert balanced("The Autumn of Long Knives") == ["The Autumn of", "Long Knives"]
    assert balanced("Rocroi") == ["Rocroi"]
    assert balanced("") == []
    assert " ".join(balanced(samples.LONG)) == samples.LONG
    assert balanced("W" * 100) == ["W" * 100]


def test_longer_titles_are_set_smaller() -> None:
    assert [title_size("x" * length) for length in (5, 20, 50, 90)] == [
        "short",
        "middling",
        "long",
        "endless",
    ]


EN_GARDE = newest_ruleset("en-garde")


def test_fates_are_written_as_text() -> None:
    assert harm(EN_GARDE, Record("x", 1, Fate.FIT)) == ""
    assert harm(EN_GARDE, Record("x", 1, Fate.DEAD, wounds="critical")) == "killed"
    assert (
        harm(EN_GARDE, Record("x", 1, Fate.FIT, wounds="grievous", routed=True))
        == "Grievous wound, fled the field"
    )
    assert (
        harm(EN_GARDE, Record("x", 1, Fate.CAPTURED, captured=True, wounds="unconscious"))
        == "knocked unconscious, captured"
    )
    assert (
        harm(EN_GARDE, Record("x", 1, Fate.RECOVERING, wounds="grievous"))
        == "Grievous wound, has to recover"
    )


@pytest.mark.parametrize(
    ("written", "printed"),
    [
        ("<p>initiative -1</p>", "<p>initiative −1</p>"),
        ("<p>(-1 at armour 5)</p>", "<p>(−1 at armour 5)</p>"),
        ("<td>36 - 2D6 cm</td>", "<td>36 − 2D6 cm</td>"),
        ('<path d="M-1 -2"/>', '<path d="M-1 -2"/>'),
        ("<p>0-10 cm, 2026-03-07, K-9, A--1</p>", "<p>0-10 cm, 2026-03-07, K-9, A--1</p>"),
    ],
)
def test_negative_numbers_have_true_minus(written: str, printed: str) -> None:
    assert with_minuses(written) == printed


@pytest.mark.parametrize(
    ("sentence", "set_as"),
    [
        ("He fell.", "He fell.\u2060<sup>a, c</sup>"),
        ("It was \u2068محمد بن\u2069.", "It was \u2068محمد بن\u2069.\u2060<sup>a, c</sup>"),
        ('He has "the flag"', "He has &quot;the flag&quot;\u2060<sup>a, c</sup>"),
    ],
)
def test_end_note_mark_stays_with_word(sentence, set_as):
    assert cited(sentence, "a, c") == set_as
