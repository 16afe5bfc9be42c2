"""The secret choice as a game: saddle points, symmetry, and every round counted out by hand on
small cases."""

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulebook.systems.en_garde.odds.duel import (
    Duellist,
    Policy,
    all_splits,
    best_of,
    equilibrium,
    payoffs,
    round_odds,
    round_worth,
)
from rulebook.systems.en_garde.table.rounds import Split

DIE = range(1, 7)
HARM = {"": 0, "stunned": 1, "light": 3, "grievous": 6, "critical": 10}
CLOSE = 1e-6


def brute_round(fights, pools, armour=(0, 0)):
    """Return the value of a round to the first side, counted blow by blow with plain numbers.

    The defender parries if possible, and there are no ploys. Wounds are (stunned, wound): the
    table of the book, how they add up, and what each takes from Fight.
    """

    def play(wounds, left, turn):
        if "critical" in (wounds[0][1], wounds[1][1]) or not (left[0][0] or left[1][0]):
            return worst(wounds[1]) - worst(wounds[0])
        foe = 1 - turn
        if not left[turn][0]:
            return play(wounds, left, foe)
        parries = left[foe][1] > 0
        counters = [list(each) for each in left]
        counters[turn][0] -= 1
        counters[foe][1] -= int(parries)
        after = tuple(map(tuple, counters))
        edge = fight(fights[turn], wounds[turn]) - fight(fights[foe], wounds[foe])
        total = Fraction(0)
        for result, chance in blow(edge, parries, armour[foe]).items():
            hurt = list(wounds)
            hurt[foe] = suffered(wounds[foe], result)
            total += chance * play(tuple(hurt), after, foe)
        return total

    fresh = ((0, ""), (0, ""))
    return (play(fresh, pools, 0) + play(fresh, pools, 1)) / 2


def blow(edge, parries, armour):
    """Return the chance of each result from all throws."""
    chances: dict[str, Fraction] = {}
    throws = list(product(DIE, repeat=4 if parries else 3))
    for dice in throws:
        hit = dice[0] + dice[1] - sum(dice[2:]) + edge
        result = wounded(hit - armour) if hit > 0 else "miss"
        chances[result] = chances.get(result, Fraction(0)) + Fraction(1, len(throws))
    return chances


def wounded(score):
    bounds = ((0, "miss"), (1, "stunned"), (3, "light"), (5, "grievous"))
    return next((name for most, name in bounds if score <= most), "critical")


def suffered(state, result):
    stunned, wound = state
    if result == "stunned":
        if stunned < 2:
            return (stunned + 1, wound)
        stunned, result = 0, "light"
    if result == "miss":
        return state
    if result == "critical" or wound == "grievous":
        return (stunned, "critical")
    return (stunned, "grievous" if "grievous" in (result,) or wound == "light" else "light")


def fight(unhurt, state):
    stunned, wound = state
    return max(0, unhurt - (stunned > 1) - {"": 0, "light": 1, "grievous": 2}[wound])


def worst(state):
    stunned, wound = state
    return HARM[wound or ("stunned" if stunned else "")]


@pytest.mark.parametrize(
    ("fights", "pools", "armour"),
    [
        ((3, 3), ((1, 0), (1, 0)), (0, 0)),
        ((3, 2), ((2, 1), (1, 1)), (0, 1)),
        ((4, 2), ((3, 0), (0, 2)), (1, 0)),
        ((2, 3), ((2, 1), (2, 1)), (0, 0)),
    ],
    ids=["one blow each", "three against two", "all attack, all defence", "three counters each"],
)
def test_a_round_is_worth_what_a_count_by_hand_says(fights, pools, armour):
    first, other = (
        Duellist(fight=each, armour_rating=worn) for each, worn in zip(fights, armour, strict=True)
    )
    splits = [Split(*pool) for pool in pools]
    assert round_worth(first, other, *splits) == brute_round(fights, pools, armour)


fencers = st.builds(
    Duellist,
    fight=st.integers(1, 5),
    initiative=st.integers(0, 4),
    wound_modifier=st.integers(-1, 1),
    armour_rating=st.integers(0, 3),
    fast=st.booleans(),
    policy=st.builds(Policy, parry=st.booleans(), mighty_blow=st.booleans()),
)


def table_of(first, other, pool, other_pool):
    mine, theirs = all_splits(pool), all_splits(other_pool)
    values = iter(payoffs(first, other, mine, theirs))
    return {(a, b): float(next(values).value) for a in mine for b in theirs}


def against(mix, pair, table, splits, *, rows):
    """Return what a mix gains against each single split of the other side."""
    shares = dict(pair)
    total = sum(shares.values())
    return [
        sum(
            share / total * table[(own, split) if rows else (split, own)]
            for own, share in shares.items()
        )
        for split in splits
    ]


@settings(max_examples=15)
@given(fencers, fencers, st.integers(1, 3), st.integers(1, 3))
def test_neither_can_better_itself_against_the_others_mix(first, other, pool, other_pool):
    mix, table = (
        equilibrium(first, other, pool, other_pool),
        table_of(first, other, pool, other_pool),
    )
    mine = against(mix, mix.shares, table, all_splits(other_pool), rows=True)
    theirs = against(mix, mix.other_shares, table, all_splits(pool), rows=False)
    rounding = 0.01
    assert min(mine) >= mix.value - rounding, (
        "no split of the other's gains against the first's mix"
    )
    assert max(theirs) <= mix.value + rounding, (
        "no split of the first's gains against the other's mix"
    )


@settings(max_examples=15)
@given(fencers, fencers, st.integers(1, 3), st.integers(1, 3))
def test_the_value_lies_between_what_each_can_make_sure_of_alone(first, other, pool, other_pool):
    value, table = (
        equilibrium(first, other, pool, other_pool).value,
        table_of(first, other, pool, other_pool),
    )
    mine, theirs = all_splits(pool), all_splits(other_pool)
    assert max(min(table[a, b] for b in theirs) for a in mine) <= value + CLOSE
    assert min(max(table[a, b] for a in mine) for b in theirs) >= value - CLOSE


@settings(max_examples=15)
@given(fencers, st.integers(1, 4))
def test_mirrored_fighters_have_a_symmetric_game_worth_nothing(fencer, pool):
    table = table_of(fencer, fencer, pool, pool)
    assert all(table[a, b] == -table[b, a] for a, b in table)
    assert equilibrium(fencer, fencer, pool, pool).value == pytest.approx(0, abs=CLOSE)


@settings(max_examples=15)
@given(fencers, fencers, st.integers(1, 3))
def test_parts_exchanged_the_game_is_worth_the_opposite(first, other, pool):
    assert equilibrium(first, other, pool, pool).value == pytest.approx(
        -equilibrium(other, first, pool, pool).value, abs=CLOSE
    )


@settings(max_examples=15)
@given(fencers, fencers, st.integers(1, 4), st.integers(0, 2), st.integers(0, 2))
def test_the_best_split_is_the_best_of_all(first, other, pool, attack, defence):
    theirs = Split(attack, defence)
    best = best_of(payoffs(first, other, all_splits(pool), (theirs,)))
    assert best.value == max(round_worth(first, other, split, theirs) for split in all_splits(pool))
    assert best.split in all_splits(pool)


def test_a_saddle_point_is_played_always():
    """With one counter each and no difference between the two, attack is never worse than a parry
    alone."""
    mix = equilibrium(Duellist(fight=4), Duellist(fight=2), 1, 1)
    table = table_of(Duellist(fight=4), Duellist(fight=2), 1, 1)
    worst_of = {own: min(table[own, split] for split in all_splits(1)) for own in all_splits(1)}
    assert mix.value == pytest.approx(max(worst_of.values()))
    assert [split for split, _ in mix.shares] == [max(worst_of, key=worst_of.get)]


def test_who_strikes_first_shifts_the_worth_by_its_chance():
    slow, quick = Duellist(fight=3), Duellist(fight=3, initiative=6)
    odds = round_odds(quick, slow, Split(1, 0), Split(1, 0))
    assert odds.first == 1
    assert odds.chance(1, "critical") > odds.chance(0, "critical")
