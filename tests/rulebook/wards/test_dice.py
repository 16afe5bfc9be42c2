"""Dice of Wards: the rows of the sheet one by one, and exact chances against a count of every
throw."""

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest

from rulebook.dice.pools import added, chance_of, mean, pool, thinned
from rulebook.systems.wards.dice import (
    MOVES,
    Nerve,
    assaulter_wins,
    fails,
    fight_dice,
    fight_odds,
    morale_dice,
    morale_odds,
    move_dice,
    move_succeeds,
    needs,
    outcome_of,
    rout_odds,
    width_dice,
)
from rulebook.systems.wards.fighters import Fighter, Standing, bases_in_words, general_save
from tests.rulebook.wards.sheets import nerve, party, rows

HALF = Fraction(1, 2)


@pytest.mark.parametrize(("cell", "dice"), rows("morale.txt"))
def test_every_row_of_morale_counts_and_dice_never_fall_below_none(cell: str, dice: str) -> None:
    assert morale_dice(nerve(cell)) == int(dice)


@pytest.mark.parametrize(
    ("dice", "again", "failed", "outcome"),
    [
        ((), (), 0, "steady"),
        ((1, 2, 3), (), 0, "steady"),
        ((4, 1), (), 1, "hesitation"),
        ((5, 6, 1), (), 2, "stand"),
        ((4, 5, 6, 6), (), 3, "rout"),
        ((4, 5, 6, 6), (1, 1, 6, 1), 1, "hesitation"),
    ],
)
def test_dice_of_four_and_more_fail_and_more_than_three_fails_are_three(
    dice: tuple[int, ...], again: tuple[int, ...], failed: int, outcome: str
) -> None:
    assert fails(dice, again) == failed
    assert outcome_of(failed)["key"] == outcome


@pytest.mark.parametrize("general", ["present", "attribute"])
def test_morale_odds_match_every_throw(general: str) -> None:
    counts: Counter[str] = Counter()
    for dice in product(range(1, 7), repeat=3):
        number = sum(die >= 4 for die in dice) if general == "attribute" else 0
        for again in product(range(1, 7), repeat=number):
            counts[outcome_of(fails(dice, again))["key"]] += 6 ** (3 - number)
    assert {key: Fraction(count, 6**6) for key, count in counts.items()} == morale_odds(
        Nerve(casualties=3, general=general)
    )


def test_rout_rerolls_only_high_throw() -> None:
    chances: dict[int, Fraction] = dict.fromkeys(range(2, 13), Fraction(0))
    for first in product(range(1, 7), repeat=2):
        for second in product(range(1, 7), repeat=2):
            chances[sum(first) if sum(first) <= 7 else sum(second)] += Fraction(1, 6**4)
    assert rout_odds() == chances
    assert sum(rout_odds().values()) == 1


@pytest.mark.parametrize(("own", "other", "dice"), rows("fight.txt"))
def test_every_row_of_the_fight_counts_and_nobody_throws_fewer_than_five(
    own: str, other: str, dice: str
) -> None:
    assert fight_dice(party(own), party(other)) == int(dice)


@pytest.mark.parametrize(
    ("hits", "against", "won"), [(2, 0, True), (3, 2, False), (0, 0, False), (4, 2, True)]
)
def test_two_hits_more_win_and_everything_else_is_the_defenders(
    hits: int, against: int, won: bool
) -> None:
    assert assaulter_wins(hits, against) is won


@pytest.mark.parametrize("again", [False, True])
def test_fight_odds_match_every_throw(again: bool) -> None:
    hits, against = pool(3, chance_of(5, again=again)), pool(2, chance_of(5))
    counts: Counter[str] = Counter()
    for dice in product(range(1, 7), repeat=5):
        missed = sum(die < 5 for die in dice[:3]) if again else 0
        for more in product(range(1, 7), repeat=missed):
            scored = sum(die >= 5 for die in (*dice[:3], *more))
            enemy = sum(die >= 5 for die in dice[3:])
            key = (
                "assaulter" if scored - enemy >= 2 else "target" if enemy - scored >= 2 else "draw"
            )
            counts[key] += 6 ** (3 - missed)
    assert {key: Fraction(count, 6**8) for key, count in counts.items()} == fight_odds(
        hits, against
    )


@pytest.mark.parametrize(
    ("mode", "low", "need"),
    [("normal", False, 5), ("intense", False, 4), ("normal", True, 6), ("intense", True, 6)],
)
def test_what_hits_depends_on_the_mode_and_on_arrows(mode: str, low: bool, need: int) -> None:
    assert needs(mode, low=low) == need


@pytest.mark.parametrize(("frontage", "dice"), [(1, 1), (2.5, 1), (3, 2), (6, 2)])
def test_units_of_three_bases_and_more_shoot_with_two_dice(frontage: float, dice: int) -> None:
    assert width_dice("shooting", frontage) == dice


@pytest.mark.parametrize(
    ("move", "failed", "alone", "dice"),
    [
        ("sideways", False, False, 3),
        ("scenery", True, False, 4),
        ("assault-sideways", False, True, 4),
        ("assault-scenery", True, True, 4),
        ("advance", True, True, 0),
        ("assault", False, False, 0),
        ("swap", False, False, 0),
    ],
)
def test_moves_sideways_and_out_of_scenery_take_three_dice_or_four(
    move: str, failed: bool, alone: bool, dice: int
) -> None:
    assert move in MOVES
    assert move_dice(move, failed_before=failed, no_enemy=alone) == dice


def test_a_move_takes_eleven_together() -> None:
    assert move_succeeds((3, 4, 4)) and not move_succeeds((3, 4, 3)) and move_succeeds(())


def test_pools_sum_to_one_and_thinning_keeps_them_there() -> None:
    for number in range(8):
        chances = pool(number, chance_of(5, again=True))
        assert (
            sum(chances.values())
            == sum(thinned(chances, HALF).values())
            == sum(added(chances, chances).values())
            == 1
        )
    assert mean(pool(4, HALF)) == 2
    assert thinned({2: Fraction(1)}, HALF) == {0: Fraction(1, 4), 1: HALF, 2: Fraction(1, 4)}


@pytest.mark.parametrize(
    ("fighter", "general", "save", "frontage", "better"),
    [
        (Fighter(quality="levy", bases=3), False, 5, 3, False),
        (Fighter(quality="levy", bases=3), True, 4, 4, True),
        (Fighter(quality="retinue", bases=3), True, 3, 4, True),
        (Fighter(quality="household", bases=2), False, 3, 2, True),
        (Fighter(quality="household", bases=2), True, 3, 3, True),
        (Fighter(quality="retinue", bases=3, half=True), False, 4, 3.5, True),
        (Fighter(arm="heavy-gun"), False, 3, 0, False),
    ],
)
def test_a_general_makes_his_unit_better_and_broader(
    fighter: Fighter, general: bool, save: int, frontage: float, better: bool
) -> None:
    standing = Standing(fighter, fighter.halves, general)
    assert (standing.save, standing.frontage, standing.better) == (save, frontage, better)


def test_generals_are_saved_on_two_and_on_three_when_they_lead() -> None:
    assert (general_save(risked=False), general_save(risked=True)) == (2, 3)


@pytest.mark.parametrize(("halves", "words"), [(0, "0"), (1, "½"), (2, "1"), (7, "3½"), (8, "4")])
def test_half_bases_are_counted_as_people_count_them(halves: int, words: str) -> None:
    assert bases_in_words(halves) == words


def test_better_units_win_or_are_broad_or_household() -> None:
    broad, narrow = Fighter(bases=3, half=True), Fighter(bases=3)
    assert Standing(broad, 7).better
    assert not Standing(narrow, 6).better
    assert Standing(narrow, 6, winning=True).better
    assert Standing(narrow, 6, general=True).better, "a base wider, and a step better"
    assert Standing(Fighter(bases=1, quality="household"), 2).better
    assert not Standing(Fighter(arm="heavy-gun", quality="household", bases=0), 0).better
