"""Calculators: every question answers its own examples, and says what its numbers rest on."""

from fractions import Fraction

import msgspec
import pytest

from rulebook.ruleset import RulesError
from rulebook.systems.argad.calculators import ANSWERS, of_numbers, questions
from rulebook.systems.argad.calculators import ask as asked
from rulebook.values.answers import Answer
from tests.rulebook.argad.field import Field

CALCULATORS = [each.calculator for each in questions()]
NUMBERS = {each.key: each for each in CALCULATORS if each.about == "numbers"}


def ask(key, **sent):
    answer = asked(key, "numbers", {each: str(value) for each, value in sent.items()}, of_numbers)
    return msgspec.convert(answer, Answer)


def test_the_six_questions_are_there():
    assert list(NUMBERS) == ["shot", "strike", "duel", "melee-modifiers", "move", "reload"]
    assert {each.key for each in CALCULATORS if each.about == "battle"} == {
        "shot",
        "strike",
        "duel",
    }
    assert set(ANSWERS) == set(NUMBERS)


@pytest.mark.parametrize(
    ("key", "example"),
    [(key, each) for key, calculator in NUMBERS.items() for each in calculator.examples],
)
def test_every_example_is_answered_with_chances_that_sum_to_one(key, example):
    answer = ask(key, **example)
    assert answer.headline
    assert sum(map(Fraction, answer.outcomes.values())) == (1 if key != "reload" else 0)
    assert all(line.rule for each in answer.sums for line in each.lines)


@pytest.mark.parametrize("key", list(NUMBERS))
def test_every_question_is_answered_with_nothing_but_defaults(key):
    assert ask(key).headline


def test_a_shot_says_need_modifiers_and_what_forbids_it():
    answer = ask(
        "shot",
        first_firearm="arquebus",
        cm=15,
        second_clothing="complete",
        circumstances="cover",
        dice="6,6",
    )
    assert answer.figures[0].value == "6"
    assert [line.amount for line in answer.sums[0].lines] == [-1, -1]
    assert answer.rolled[0].value == "5: miss"
    far = ask("shot", first_firearm="pistol", cm=30)
    assert (far.headline, far.outcomes["hit"], far.forbidden[0].code) == (
        "Out of range.",
        "0",
        "out-of-range",
    )


def test_a_shot_that_the_dice_cannot_make_is_shown_as_none():
    assert ask("shot", first_firearm="musket", cm=60).outcomes == {"hit": "0", "miss": "1"}
    assert ask("shot", first_firearm="musket", cm=60, group_die="true").outcomes["hit"] == "1/36"


def test_dice_that_are_not_all_there_are_refused():
    with pytest.raises(RulesError, match="after each 6"):
        ask("shot", first_firearm="pistol", cm=5, dice="6")
    assert ask("strike", dice="6,6,6").rolled[0].value.endswith("kill")


def test_modifiers_of_a_melee_are_found_for_both():
    answer = ask("melee-modifiers", first_mount="cavalry", first_weapon="lance", stances="charging")
    assert [each.total for each in answer.sums] == [3, -1]


def test_a_duel_tells_who_strikes_first_and_how_it_goes_turn_by_turn():
    answer = ask("duel", first_weapon="pike", second_class=4, turns=2)
    assert answer.figures[0].value == "The first strikes first"
    assert [row.label for row in answer.grids[0].rows] == ["1", "2"]


def test_move_shows_each_distance_and_given_dice():
    answer = ask("move", first_mount="cavalry", terrain="woods", dice="2,3")
    assert answer.outcomes["0"] == "11/36"
    assert answer.rolled[0].value == "15 cm"
    assert (
        ask("move", first_mount="cavalry", terrain="woods", dice="6,3").rolled[0].value == "blocked"
    )


@pytest.mark.parametrize(
    ("gun", "ready"), [("pistol", "4"), ("arquebus", "4"), ("musket", "5"), ("none", "3")]
)
def test_reloading_tells_the_turn_of_the_next_shot(gun, ready):
    assert ask("reload", first_firearm=gun, fired=2).figures[0].value == ready


def test_two_of_a_battle_are_asked_about_as_they_stand():
    field = Field().tell("turn")
    assert asked("shot", "battle", {"cm": "10"}, field.two("yves", "alf"))["forbidden"] == ()
    field.tell("shot", shooter="yves", target="alf", cm=10, dice=[1]).tell("turn").tell(
        "move", fighter="yves"
    )
    later = asked("shot", "battle", {"cm": "10"}, field.two("yves", "alf"))
    assert [each["code"] for each in later["forbidden"]] == ["not-loaded"]
    assert later["sums"][0]["total"] == -1
    with pytest.raises(RulesError, match="not in this battle"):
        asked("shot", "battle", {"cm": "10"}, field.two("yves", "nobody"))
