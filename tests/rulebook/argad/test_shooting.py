"""Shooting: dice, reloading and exact odds, counted again here from every way in which three dice can fall."""

from fractions import Fraction
from itertools import product

import pytest

from rulebook.systems.argad.dice import dice_due, dice_told_wrong, natural, throws
from rulebook.systems.argad.shooting import (
    chance_to_hit,
    reload_violations,
    resolve_shot,
    shot_dice,
    shot_modifiers,
    shot_need,
    shot_odds,
)
from tests.rulebook.argad.sheets import rows, shot

OPTION = {"triple_six_shooting": True}


def counted(taken, triple=False):
    """The chance to hit, from all 216 ways in which three dice lie there, whether they are looked at or not."""
    need, modifier = shot_need(taken), sum(line.amount for line in shot_modifiers(taken))
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
    assert chance_to_hit(taken, {}) == counted(taken)
    assert chance_to_hit(taken, OPTION) == counted(taken, triple=True)
    assert sum(shot_odds(taken, {}).values()) == 1


@pytest.mark.parametrize(("cm", "chance"), [(10, "1/3"), (20, "1/6"), (40, "1/36"), (41, "0")])
def test_an_arquebus_hits_as_often_as_its_bands_say(cm, chance):
    assert chance_to_hit(shot("-", "-", f"cm={cm}"), {}) == Fraction(chance)


def test_a_musket_reaches_its_far_band_against_a_group_alone():
    assert chance_to_hit(shot("firearm=musket", "-", "cm=60"), {}) == 0
    assert chance_to_hit(shot("firearm=musket", "-", "cm=60, group_die"), {}) == Fraction(1, 36)
    assert chance_to_hit(shot("firearm=musket", "-", "cm=60"), OPTION) == Fraction(1, 216)


def test_in_disorder_two_sixes_are_a_six():
    assert natural((6, 6), disorder=True) == 6
    assert chance_to_hit(shot("-", "-", "cm=40, disorder"), {}) == 0


def test_a_six_is_thrown_again():
    assert [dice_due(dice, 2) for dice in ((), (5,), (6,), (6, 6))] == [1, 0, 1, 0]
    assert dice_due((6, 6), 3) == 1
    assert shot_dice({}) == 2
    assert shot_dice(OPTION) == 3


def test_dice_after_anything_but_a_six_are_told_wrong():
    assert dice_told_wrong((5, 6), 3)
    assert dice_told_wrong((6, 6, 6), 2)
    assert not dice_told_wrong((6, 6, 2), 3)


@pytest.mark.parametrize("most", [1, 2, 3])
def test_all_the_ways_to_throw_sum_to_one(most):
    assert sum(throws(most).values()) == 1


def test_a_shot_says_what_it_came_to():
    outcome = resolve_shot(shot("class=2", "-", "cover"), (6, 6), {})
    assert (outcome.natural, outcome.total, outcome.need, outcome.hit) == (7, 5, 5, True)
    assert resolve_shot(shot("-", "-", "cm=99"), (6,), {}) is None


def test_the_cap_is_a_line_of_its_own():
    lines = shot_modifiers(shot("-", "-", "narrow-opening, furtive-target"))
    assert [line.amount for line in lines] == [-2, -1, 1]
    assert "no worse than -2" in lines[-1].reason


@pytest.mark.parametrize(
    ("given", "codes"),
    [
        (("pistol", 1), []),
        (("pistol", 0), ["loaded"]),
        (("none", 0), ["no-firearm"]),
    ],
)
def test_what_is_loaded_is_not_reloaded(given, codes):
    assert [each.code for each in reload_violations(*given)] == codes


def test_a_turn_of_reloading_is_a_whole_one_without_moving():
    found = reload_violations("musket", 2, moved=True, fought=True)
    assert [each.code for each in found] == ["reload-moving", "reload-fighting"]
