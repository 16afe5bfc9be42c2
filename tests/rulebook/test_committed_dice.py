"""Dice that nobody can bend."""

import hashlib
import hmac
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulebook.dice.committed import CommittedDice, DecoyDice, commitment, die
from rulebook.dice.rolls import roll


def test_the_commitment_is_the_hash_of_the_seed():
    assert commitment("seed") == hashlib.sha256(b"seed").hexdigest()


def test_a_die_can_be_thrown_again_by_hand():
    first = hmac.digest(b"seed", b"battle:1:0", "sha256")[0]
    assert first < 252
    assert die("seed", "battle", 1) == first % 6 + 1


@given(st.text(min_size=1), st.integers(1, 1000), st.integers(2, 100))
def test_every_die_shows_one_of_its_faces(seed, number, faces):
    assert 1 <= die(seed, "battle", number, faces) <= faces


def test_the_dice_are_even():
    counted = Counter(die("seed", "battle", number) for number in range(1, 6001))
    assert set(counted) == {1, 2, 3, 4, 5, 6}
    assert max(counted.values()) < 1.15 * min(counted.values())


def test_a_throw_goes_on_where_the_last_one_ended():
    dice = CommittedDice("seed", "battle")
    together = (*roll("2D6", dice).dice, *roll("3D6", dice).dice)
    assert dice.used == 5
    assert together == tuple(die("seed", "battle", number) for number in range(1, 6))
    assert roll("D6", CommittedDice("seed", "battle", used=5)).total == die("seed", "battle", 6)


def test_another_battle_has_other_dice():
    rolls = [die("seed", "one", number) for number in range(1, 50)]
    assert rolls != [die("seed", "two", number) for number in range(1, 50)]


def test_dice_of_too_many_faces_are_refused():
    with pytest.raises(ValueError, match="1 to 100"):
        CommittedDice("seed", "battle").randint(1, 101)


def test_decoy_dice_are_the_same_every_time() -> None:
    expected = [die("decoy", "decoy", number) for number in range(1, 7)]
    for _ in range(2):
        dice = DecoyDice()
        assert [dice.randint(1, 6) for _ in expected] == expected
        assert dice.thrown == [(shown, 6) for shown in expected]
        assert dice.randint(1, 10) == die("decoy", "decoy", 7, 10)
