"""Dice: notation, rolls from a generator that is handed in, and exact chances."""

from collections import Counter
from fractions import Fraction
from itertools import product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulebook.dice.cup import Cup
from rulebook.dice.pools import added, chance_of, gathered, mean, pool, successes, thinned
from rulebook.dice.rolls import Dice, d6, distribution, read_dice, roll

NOTATIONS = st.sampled_from(["D6", "D3", "2D6", "3D6", "D6+6", "2D6-2", "D100"])


@pytest.mark.parametrize(
    ("notation", "dice"),
    [
        ("D6", Dice(1, 6)),
        ("d3", Dice(1, 3)),
        ("2D6", Dice(2, 6)),
        ("D6 + 6", Dice(1, 6, 6)),
        ("2D6-1", Dice(2, 6, -1)),
    ],
)
def test_a_notation_says_how_many_dice_of_how_many_faces(notation: str, dice: Dice):
    assert read_dice(notation) == dice


@pytest.mark.parametrize(
    "notation", ["", "6", "D", "D6+", "0D6", "21D6", "D1", "D101", "2D6+D3", "D6.5"]
)
def test_nonsense_is_refused_by_name(notation: str):
    with pytest.raises(ValueError, match=r"dice|bounds"):
        read_dice(notation)


def test_the_same_seed_throws_the_same_dice():
    assert roll("3D6+1", Random(7)) == roll("3D6+1", Random(7))


@given(NOTATIONS, st.integers())
def test_a_roll_is_the_sum_of_its_dice(notation: str, seed: int):
    thrown = roll(notation, Random(seed))
    assert thrown.total == sum(thrown.dice) + read_dice(notation).plus
    assert thrown.total in distribution(notation)


@given(NOTATIONS)
def test_chances_sum_to_one(notation: str):
    assert sum(distribution(notation).values()) == 1


def test_chances_are_exact():
    assert dict(distribution("D6+6")) == {total: Fraction(1, 6) for total in range(7, 13)}
    assert distribution("2D6")[7] == Fraction(1, 6)


def test_a_single_die_shows_one_to_six():
    assert {d6(Random(seed)) for seed in range(50)} == {1, 2, 3, 4, 5, 6}


@pytest.mark.parametrize("number", [4, 6, 10])
def test_dice_of_other_faces_show_each_of_them_alike(number: int):
    cup = Cup(Random(3))
    counts = Counter(cup.faces(number) for _ in range(600 * number))
    assert sorted(counts) == list(range(1, number + 1))
    assert all(450 < each < 750 for each in counts.values())


@pytest.mark.parametrize("number", range(7))
def test_a_handful_of_dice_is_counted_exactly(number: int):
    chances = pool(number, chance_of(5))
    throws = (
        [successes(dice, 5) for dice in product(range(1, 7), repeat=number)] if number < 6 else []
    )
    assert sum(chances.values()) == sum(added(chances, chances).values()) == 1
    assert all(chances[hits] == Fraction(throws.count(hits), len(throws)) for hits in set(throws))
    assert mean(chances) == Fraction(number, 3)


def test_dice_thrown_again_and_hits_that_are_saved():
    assert [chance_of(need) for need in (2, 6)] == [Fraction(5, 6), Fraction(1, 6)]
    assert chance_of(5, again=True) == Fraction(5, 9)
    assert thinned({2: Fraction(1)}, Fraction(1, 2)) == {
        0: Fraction(1, 4),
        1: Fraction(1, 2),
        2: Fraction(1, 4),
    }
    assert list(gathered([(3, Fraction(1, 2)), (1, Fraction(1, 4)), (3, Fraction(1, 4))])) == [1, 3]
