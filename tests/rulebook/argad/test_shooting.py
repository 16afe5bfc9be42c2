"""Shooting: dice, reloading and exact odds, counted again here from every way in which three dice
can fall."""

from fractions import Fraction
from itertools import product

import pytest

from rulebook.dice.open_ended import dice_due, dice_told_wrong, throws
from rulebook.systems.argad.book import USUAL, HouseRules, book, natural
from rulebook.systems.argad.shooting import (
    resolve_shot,
    shot_dice,
    shot_modifiers,
    shot_odds,
)
from tests.rulebook.argad.sheets import rows, shot

OPTION = HouseRules(triple_six_shooting=True)


def counted(taken, triple=False):
    """Return the chance to hit from all 216 throws of three dice, whether they count or not."""
    need, modifier = (
        taken.band.need if taken.band else None,
        sum(line.amount for line in shot_modifiers(taken)),
    )
    hits = 0
    for first, second, third in product(range(1, 7), repeat=3):
        worth = first
        if first == second == 6 and not taken.disorder:
            worth = 8 if triple and third == 6 else 7
        hits += need is not None and worth + modifier >= need
    return Fraction(hits, 216)


@pytest.mark.parametrize("row", rows("shooting.txt"), ids=" ".join)
def test_the_odds_of_a_shot_are_counted_right(row):
    taken = shot(*row[:3])
    assert shot_odds(taken, USUAL)["hit"] == counted(taken)
    assert shot_odds(taken, OPTION)["hit"] == counted(taken, triple=True)
    assert sum(shot_odds(taken, USUAL).values()) == 1


@pytest.mark.parametrize(("cm", "chance"), [(10, "1/3"), (20, "1/6"), (40, "1/36"), (41, "0")])
def test_an_arquebus_hits_as_often_as_its_bands_say(cm, chance):
    assert shot_odds(shot("-", "-", f"cm={cm}"), USUAL)["hit"] == Fraction(chance)


def test_a_musket_reaches_its_far_band_against_a_group_alone():
    assert shot_odds(shot("firearm=musket", "-", "cm=60"), USUAL)["hit"] == 0
    assert shot_odds(shot("firearm=musket", "-", "cm=60, group_die"), USUAL)["hit"] == Fraction(
        1, 36
    )
    assert shot_odds(shot("firearm=musket", "-", "cm=60"), OPTION)["hit"] == Fraction(1, 216)


def test_in_disorder_two_sixes_are_a_six():
    assert natural((6, 6), disorder=True) == 6
    assert shot_odds(shot("-", "-", "cm=40, disorder"), USUAL)["hit"] == 0


def test_a_six_is_thrown_again():
    assert [dice_due(dice, 2) for dice in ((), (5,), (6,), (6, 6))] == [True, False, True, False]
    assert dice_due((6, 6), 3)
    assert shot_dice(USUAL) == 2
    assert shot_dice(OPTION) == 3


def test_only_a_six_is_rolled_again():
    assert dice_told_wrong((5, 6), 3)
    assert dice_told_wrong((6, 6, 6), 2)
    assert not dice_told_wrong((6, 6, 2), 3)


@pytest.mark.parametrize("most", [1, 2, 3])
def test_all_the_ways_to_throw_sum_to_one(most):
    assert sum(throws(most).values()) == 1


def test_a_shot_says_what_it_came_to():
    outcome = resolve_shot(shot("class=2", "-", "cover"), (6, 6), USUAL)
    assert (outcome.natural, outcome.total, outcome.need, outcome.hit) == (7, 5, 5, True)
    assert resolve_shot(shot("-", "-", "cm=99"), (6,), USUAL) is None


def test_the_cap_is_a_line_of_its_own():
    lines = shot_modifiers(shot("-", "-", "narrow-opening, furtive-target"))
    assert [line.amount for line in lines] == [-2, -1, 1]
    assert "no worse than -2" in lines[-1].reason


def test_forest_lets_a_shot_through_up_to_ten_centimetres():
    forest, deep = (book().circumstance[key] for key in ("forest", "deep-forest"))
    assert (forest.label, forest.amount, forest.forbids) == (
        "Target behind up to 10 cm of forest",
        -1,
        False,
    )
    assert (deep.label, deep.forbids) == ("Target behind more than 10 cm of forest", True)
