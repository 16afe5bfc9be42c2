"""Exact odds: equal to brute force, summing to one, and agreeing with the rules at the table."""

from collections import Counter
from fractions import Fraction
from itertools import product
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulebook.systems.en_garde.book.house_rules import HouseRules
from rulebook.systems.en_garde.odds.chances import (
    AttackOdds,
    RiposteOdds,
    ShotOdds,
    attack_outcomes,
    hit_scores,
    results_of_attack,
    results_of_riposte,
    shot_outcomes,
)
from rulebook.systems.en_garde.odds.duel import (
    Duellist,
    Policy,
    all_splits,
    best_of,
    equilibrium,
    first_chance,
    payoffs,
    round_odds,
    round_worth,
    worth,
)
from rulebook.systems.en_garde.odds.zero_sum import solve
from rulebook.systems.en_garde.table.blows import Melee, Ploy, Stance, resolve_blow
from rulebook.systems.en_garde.table.combatant import Combatant, Grip
from rulebook.systems.en_garde.table.rounds import Split
from rulebook.systems.en_garde.table.wounds import WoundState, WoundTable, wound_result
from tests.soak import made_up

DICE = range(1, 7)
small = st.integers(-3, 3)
attacks = st.builds(
    AttackOdds,
    fight=st.integers(0, 6),
    defender_fight=st.integers(0, 6),
    modifier=small,
    wound_modifier=small,
    armour_rating=st.integers(0, 4),
    parry=st.booleans(),
    mighty_blow=st.booleans(),
    weapon_master=st.booleans(),
    defender_weapon_master=st.booleans(),
    table=st.sampled_from(WoundTable),
)
shots = st.builds(
    ShotOdds,
    shoot=st.integers(0, 3),
    modifier=small,
    wound_modifier=st.integers(0, 6),
    armour_rating=st.integers(0, 4),
    sharpshooter=st.booleans(),
    spray=st.booleans(),
)
fencers = st.builds(
    Duellist,
    fight=st.integers(0, 5),
    initiative=st.integers(0, 4),
    wound_modifier=st.integers(-1, 2),
    armour_rating=st.integers(0, 3),
    weapon_master=st.booleans(),
    may_riposte=st.booleans(),
    tough=st.booleans(),
    fast=st.booleans(),
    policy=st.builds(Policy, parry=st.booleans(), mighty_blow=st.booleans(), riposte=st.booleans()),
    table=st.sampled_from(WoundTable),
)
house_rules = st.builds(
    HouseRules,
    stun_penalty=st.sampled_from(["once", "doubled"]),
    riposte_dice=st.sampled_from(["two", "one", "parry"]),
)


def test_the_shot_of_the_fixed_example():
    odds = shot_outcomes(ShotOdds(shoot=1, modifier=-1, wound_modifier=0, armour_rating=1))
    by_result = {result: str(chance) for result, chance in odds.items()}
    assert by_result == {
        "miss": "5/12",
        "scratch": "1/6",
        "stunned": "5/36",
        "light": "7/36",
        "grievous": "1/12",
        "critical": "0",
    }


@given(attacks)
def test_the_chances_of_an_attack_sum_to_one(attack):
    assert sum(attack_outcomes(attack).values()) == 1


@given(shots)
def test_the_chances_of_a_shot_sum_to_one_and_a_spray_never_misses(shot):
    odds = shot_outcomes(shot)
    assert sum(odds.values()) == 1
    assert not (shot.spray and odds["miss"])


@pytest.mark.parametrize("parry", [False, True])
@pytest.mark.parametrize("mighty", [False, True])
def test_the_odds_of_an_attack_equal_every_throw_at_the_table(parry, mighty):
    attacker = Combatant("a", "A", 3, fight=3, weapons=("sword",))
    defender = Combatant("d", "D", 2, fight=2, worn=1, weapons=("sword",))
    attack = Stance(Grip("sword"), frozenset({Ploy.MIGHTY_BLOW} if mighty else ()))
    defence = Stance(Grip("sword"), frozenset({Ploy.PARRY} if parry else ()))
    counted: Counter[str] = Counter()
    throws = list(
        product(product(DICE, repeat=3 if mighty else 2), product(DICE, repeat=2 if parry else 1))
    )
    for up, down in throws:
        blow = resolve_blow(Melee(attacker, attack, defender, defence), up, down)
        counted[blow.result.value if blow.result else "miss"] += 1
    odds = attack_outcomes(AttackOdds(3, 2, armour_rating=1, parry=parry, mighty_blow=mighty))
    assert odds == {result: Fraction(counted[result], len(throws)) for result in odds}


def brute_master(dice: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Return the equally likely final throws after a Weapon Master's re-roll."""
    place = dice.index(min(dice))
    if dice[place] > 2:
        return [dice] * 6
    return [tuple(face if each == place else die for each, die in enumerate(dice)) for face in DICE]


def test_weapon_masters_reroll_before_the_discard():
    counted: Counter[str] = Counter()
    for up, down in product(product(DICE, repeat=3), product(DICE, repeat=2)):
        for mine, theirs in product(brute_master(up), brute_master(down)):
            score = sum(sorted(mine)[1:]) + 2 - sum(theirs) - 3
            counted["miss" if score < 1 else wound_result(score).value] += 1
    odds = attack_outcomes(
        AttackOdds(
            2, 3, parry=True, mighty_blow=True, weapon_master=True, defender_weapon_master=True
        )
    )
    every = sum(counted.values())
    assert odds == {result: Fraction(counted[result], every) for result in odds}


def test_a_riposte_harms_only_one_of_the_two():
    attack = AttackOdds(2, 3, parry=True)
    scores = hit_scores(attack)
    landed, turned = (
        results_of_attack(attack, scores),
        results_of_riposte(RiposteOdds(0, 0), scores),
    )
    assert sum(landed.values()) == sum(turned.values()) == 1
    assert (1 - landed["miss"]) + (1 - turned["miss"]) < 1


@given(fencers, fencers)
def test_one_of_two_is_first(first, other):
    assert first_chance(first, other) + first_chance(other, first) == 1


@made_up("pairs of duellists, their odds summed up", 40, sample=20)
@given(fencers, fencers, st.integers(0, 3), st.integers(0, 3), st.integers(0, 3), st.integers(0, 3))
def test_the_ends_of_a_round_sum_to_one_and_at_most_one_dies(
    first, other, attack, defence, foe_attack, foe_defence
):
    odds = round_odds(first, other, Split(attack, defence), Split(foe_attack, foe_defence))
    assert sum(odds.ends.values()) == 1
    assert not any(mine.dead and theirs.dead for mine, theirs in odds.ends)
    mirror = round_odds(other, first, Split(foe_attack, foe_defence), Split(attack, defence))
    assert odds.chance(0, "critical") == mirror.chance(1, "critical")


def test_a_single_blow_of_a_round_has_the_odds_of_that_blow():
    odds = round_odds(Duellist(fight=3), Duellist(fight=2), Split(1, 0), Split(0, 1))
    blow = attack_outcomes(AttackOdds(3, 2, parry=True))
    assert odds.chance(1, "critical") == blow["critical"]
    assert odds.chance(1, "light") == blow["light"]
    assert odds.chance(0, "") == 1


@made_up("pairs of duellists, their odds summed up", 40, sample=20)
@given(fencers, fencers, st.integers(0, 3), st.integers(0, 3), house_rules)
def test_what_a_round_is_worth_is_the_sum_of_its_ends(first, other, attack, foe_attack, rules):
    splits = Split(attack, 3 - attack), Split(foe_attack, 3 - foe_attack)
    assert round_worth(first, other, *splits, rules) == worth(
        round_odds(first, other, *splits, rules)
    )


def test_a_blow_at_a_large_body_reads_its_own_table_and_so_does_a_riposte_at_one():
    beast = Duellist(fight=3, table=WoundTable.LARGE)
    struck = round_odds(Duellist(fight=4), beast, Split(1, 0), Split(0, 0))
    blow = attack_outcomes(AttackOdds(4, 3, table=WoundTable.LARGE))
    assert struck.chance(1, "critical") == blow["critical"] > 0
    fencer = Duellist(fight=4, may_riposte=True, policy=Policy(riposte=True))
    answered = round_odds(beast, fencer, Split(1, 0), Split(0, 1))
    turned = results_of_riposte(
        RiposteOdds(0, 0, WoundTable.LARGE), hit_scores(AttackOdds(3, 4, parry=True))
    )
    assert answered.chance(0, "stunned") == turned["stunned"] > 0


def test_a_riposte_rolls_the_dice_that_the_club_gives_it():
    fencer = Duellist(fight=3, may_riposte=True, policy=Policy(parry=True, riposte=True))
    rough = Duellist(fight=3)

    def harm(dice: Literal["two", "one", "parry"], counters: int) -> Fraction:
        rules = HouseRules(riposte_dice=dice)
        odds = round_odds(rough, fencer, Split(1, 0), Split(0, counters), rules)
        return 1 - odds.chance(1, "")

    def blow(*, parry: bool) -> Fraction:
        odds = attack_outcomes(AttackOdds(3, 3, parry=parry))
        return 1 - odds["miss"] - odds["scratch"]

    assert harm("two", 1) == harm("parry", 2) == blow(parry=True)
    assert harm("one", 2) == harm("parry", 1) == blow(parry=False)


def test_the_second_stunned_counter_counts_twice_where_the_club_has_it_so():
    dazed = Duellist(fight=2, initiative=3, wounds=WoundState(stunned=2))
    other = Duellist(fight=2, initiative=2)
    assert first_chance(dazed, other) == Fraction(1, 2)
    assert first_chance(dazed, other, HouseRules(stun_penalty="doubled")) < Fraction(1, 2)


def test_best_answer_beats_every_other_split():
    first, other = Duellist(fight=3), Duellist(fight=3)
    best = best_of(payoffs(first, other, all_splits(3), (Split(2, 1),)))
    assert all(
        best.value >= each.value for each in payoffs(first, other, all_splits(3), (Split(2, 1),))
    )


def test_equals_have_an_even_game():
    fencer = Duellist(fight=3, initiative=1)
    mix = equilibrium(fencer, fencer, 3, 3)
    assert mix.value == pytest.approx(0, abs=1e-9)
    assert sum(share for _, share in mix.shares) == pytest.approx(1, abs=0.01)


def test_no_split_of_the_opponent_beats_the_mix():
    first, other = Duellist(fight=3, initiative=2), Duellist(fight=4)
    mix = equilibrium(first, other, 3, 4)
    for theirs in all_splits(4):
        answers = payoffs(first, other, [split for split, _ in mix.shares], (theirs,))
        worth = sum(
            float(each.value) * share for each, (_, share) in zip(answers, mix.shares, strict=True)
        )
        assert worth >= mix.value - 0.01


def test_paper_scissors_stone_is_played_evenly():
    solution = solve(
        [[Fraction(gain) for gain in row] for row in ((0, -1, 1), (1, 0, -1), (-1, 1, 0))]
    )
    assert solution.rows == solution.columns == (Fraction(1, 3),) * 3
    assert solution.value == 0


@given(st.data())
def test_solve_leaves_neither_player_a_better_answer(data):
    """A mix and its counterpart with one value prove each other (the minimax theorem)."""
    payoff = st.fractions(-20, 20, max_denominator=36)
    width = data.draw(st.integers(1, 6))
    table = data.draw(
        st.lists(st.lists(payoff, min_size=width, max_size=width), min_size=1, max_size=6)
    )
    solution = solve(table)
    for mix in (solution.rows, solution.columns):
        assert (sum(mix), min(mix) >= 0) == (1, True)
    gains = [
        sum(share * gain for share, gain in zip(solution.rows, column, strict=True))
        for column in zip(*table, strict=True)
    ]
    losses = [
        sum(share * gain for share, gain in zip(solution.columns, row, strict=True))
        for row in table
    ]
    assert (min(gains), max(losses)) == (solution.value, solution.value)


@pytest.mark.parametrize("size", [1, 5])
def test_solve_stops_where_all_choices_are_equal(size):
    solution = solve([[Fraction(-1, 3)] * size] * size)
    assert (solution.value, sum(solution.rows)) == (Fraction(-1, 3), 1)
