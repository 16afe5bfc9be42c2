"""Movement: what the tables do not say by themselves."""

from fractions import Fraction
from itertools import product

import pytest

from rulebook.systems.argad import fighters
from rulebook.systems.argad.fighters import Move, base_cm, reach, reach_odds
from tests.rulebook.argad.sheets import fighter


def test_a_musket_burdens_on_foot_and_nobody_else():
    assert base_cm(fighter("firearm=musket")) == 16
    assert base_cm(fighter("firearm=arquebus")) == 20
    assert base_cm(fighter("firearm=musket, clothing=complete")) == 12


def test_close_order_makes_nobody_faster():
    assert base_cm(fighter("clothing=complete, close_order"), "column-of-twos") == 12


def test_close_order_in_woods_throws_a_die_like_anybody_on_foot():
    assert reach(Move(fighter("close_order"), "woods", "line"), (4,)).cm == 8


def test_slowing_dice_never_push_anybody_back():
    outcome = reach(
        Move(fighter("clothing=complete, close_order"), "very-difficult", "backwards"), (5,)
    )
    assert outcome.cm == 0
    assert not outcome.blocked


def test_the_sum_of_a_move_says_what_was_taken_off():
    lines = reach(Move(fighter("mount=cavalry"), "woods"), (2, 3)).lines
    assert [line.amount for line in lines] == [40, -20, -5]


@pytest.mark.parametrize("mount", ["foot", "cavalry", "mounted-infantry", "farm-horse"])
@pytest.mark.parametrize("terrain", ["open", "bushes", "woods", "very-difficult"])
def test_move_odds_match_all_dice(mount, terrain):
    odds = reach_odds(Move(fighter(f"mount={mount}"), terrain))
    assert sum(odds.values()) == 1
    if terrain == "very-difficult" and mount != "foot":
        half = base_cm(fighter(f"mount={mount}")) // 2
        every = [
            0 if 6 in thrown else half - sum(thrown) for thrown in product(range(1, 7), repeat=2)
        ]
        assert odds == {cm: Fraction(every.count(cm), 36) for cm in sorted(set(every))}


def test_half_of_an_odd_number_is_rounded_down(monkeypatch):
    monkeypatch.setattr(fighters, "base_cm", lambda *of_whom: 17)
    assert reach(Move(fighter("mount=cavalry"), "woods"), (1, 1)).cm == 8 - 2
