"""Calculators as a data file describes them, and dice that are typed for them."""

from fractions import Fraction

import msgspec
import pytest

from rulebook.calculators.asking import one_die, two_dice, wrong_dice
from rulebook.calculators.questions import Descriptions, field_of
from rulebook.ruleset import RulesError
from rulebook.values.answers import chances_answer
from rulebook.values.fields import Field

TOLD = {
    "field": {"range": {"label": "Range", "kind": "length", "unit": "inches", "default": "8"}},
    "set": {"situation": ["range", "tough"]},
    "calculator": [
        {
            "key": "shot",
            "name": "Shot",
            "help": "",
            "group": "odds",
            "source": "",
            "about": ["numbers", "battle"],
            "parts": [
                {
                    "group": "The target",
                    "prefix": "target_",
                    "about": "numbers",
                    "fields": ["tough"],
                },
                {
                    "group": "The shot",
                    "fields": ["situation", {"key": "skill", "label": "Skill", "kind": "number"}],
                },
            ],
        }
    ],
}
TOUGH = Field("tough", "Tough", "flag", False, default="false")


def test_fields_are_grouped_and_asked_by_place():
    numbers, battle = msgspec.convert(TOLD, Descriptions).calculators({}, {"tough": TOUGH})
    assert (numbers.about, battle.about) == ("numbers", "battle")
    shot = [("range", "The shot"), ("tough", "The shot"), ("skill", "The shot")]
    assert [(each.key, each.group) for each in battle.fields] == shot
    assert [(each.key, each.group) for each in numbers.fields] == [
        ("target_tough", "The target"),
        *shot,
    ]


def test_what_a_description_does_not_know_is_refused():
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({**TOLD, "wibble": 1}, Descriptions)


def test_a_field_is_optional_bounded_as_usual_and_takes_its_choices_by_name():
    number = field_of({"key": "n", "label": "N", "kind": "number", "most": 5}, {})
    assert (number.required, number.least, number.most) == (False, 0, 5)
    raw = {"key": "c", "label": "C", "kind": "choice", "choices": "arms", "nothing": "None of them"}
    assert field_of(raw, {"arms": (("bow", "Bow"),)}).choices == (
        ("", "None of them"),
        ("bow", "Bow"),
    )


def test_typed_dice_are_two_or_none_and_one_or_none():
    assert two_dice({"dice": (3, 4)}, "Thrown with two") == (3, 4)
    assert two_dice({"dice": ()}, "Thrown with two") is None
    with pytest.raises(RulesError, match="Thrown with two: give both, such as 3,4"):
        two_dice({"dice": (3,)}, "Thrown with two")
    assert (one_die({"die": (5,)}, "die"), one_die({}, "die")) == (5, None)
    assert wrong_dice("die", "Too many.").problems[0].code == "wrong-dice"


def test_an_answer_of_chances_has_them_as_fractions_and_in_percent():
    answer = chances_answer("Half.", {"hit": Fraction(1, 2), "miss": Fraction(1, 2)}, source="S")
    assert (answer.headline, answer.source) == ("Half.", "S")
    assert answer.outcomes == {"hit": "1/2", "miss": "1/2"}
    assert answer.percentages == {"hit": 50.0, "miss": 50.0}
