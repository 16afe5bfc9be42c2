"""A Lucky fighter's re-roll: never worse than none, and equal to trying every die of every
throw."""

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulebook.systems.en_garde.odds.chances import (
    AttackOdds,
    RiposteOdds,
    ShotOdds,
    attack_outcomes,
    results_of_attack,
    results_of_riposte,
    results_of_shot,
    shot_outcomes,
)
from rulebook.systems.en_garde.odds.lucky import lucky_attack_scores, lucky_shot_scores
from tests.soak import made_up

DIE = range(1, 7)
HARM = {"miss": 0, "scratch": 0, "stunned": 1, "light": 3, "grievous": 6, "critical": 10}


def wounded(hit, extra):
    if hit <= 0:
        return "miss"
    score = hit + extra
    bounds = ((0, "scratch"), (1, "stunned"), (3, "light"), (5, "grievous"))
    return next((name for most, name in bounds if score <= most), "critical")


def best_use(dice, fixed, score, gain):
    """Return the scores of the best use of luck on any die but the fixed ones, or of no use."""
    uses = [[score(dice)] * 6]
    for place in range(len(dice)):
        if place not in fixed:
            uses.append([score((*dice[:place], face, *dice[place + 1 :])) for face in DIE])
    return max(uses, key=lambda scores: sum(map(gain, scores)))


def masters(dice, master):
    """Return the six final throws of a master, each with the place of the fixed die, if any."""
    place = dice.index(min(dice))
    if not master or dice[place] > 2:
        return [(dice, None)] * 6
    return [((*dice[:place], face, *dice[place + 1 :]), place) for face in DIE]


def every_attack(attack, lucky, gain):
    """Count each Hit Score by trying every throw and every use of luck."""
    mine, theirs = 3 if attack.mighty_blow else 2, 2 if attack.parry else 1
    edge = attack.fight + attack.modifier - attack.defender_fight

    def score(dice):
        up, down = dice[:mine], dice[mine:]
        return sum(up) - (min(up) if attack.mighty_blow else 0) - sum(down) + edge

    sign = 1 if lucky == "attacker" else -1
    counted: Counter[int] = Counter()
    for up, down in product(product(DIE, repeat=mine), product(DIE, repeat=theirs)):
        for (attack_dice, first), (other, second) in product(
            masters(up, attack.weapon_master), masters(down, attack.defender_weapon_master)
        ):
            fixed = {first, None if second is None else mine + second} - {None}
            counted.update(
                best_use((*attack_dice, *other), fixed, score, lambda hit: sign * gain(hit))
            )
    return counted


def harm_of(outcomes):
    """Return the average value of results: uses of luck with the same gain are equally good."""
    assert sum(outcomes.values()) == 1
    return sum(chance * HARM[result] for result, chance in outcomes.items())


def shares(counted):
    return {score: Fraction(ways, counted.total()) for score, ways in counted.items()}


small = st.integers(-2, 2)
plain_attacks = st.builds(
    AttackOdds,
    fight=st.integers(0, 5),
    defender_fight=st.integers(0, 5),
    wound_modifier=small,
    armour_rating=st.integers(0, 3),
    parry=st.booleans(),
)
sides = st.sampled_from(["attacker", "target"])


@made_up("attacks of Lucky fighters, compared with every possible throw", 8, sample=2)
@given(plain_attacks, sides)
def test_luck_in_an_attack_equals_trying_every_die_of_every_throw(attack, lucky):
    extra = attack.wound_modifier - attack.armour_rating
    counted = shares(every_attack(attack, lucky, lambda hit: HARM[wounded(hit, extra)]))
    expected = sum(chance * HARM[wounded(score, extra)] for score, chance in counted.items())
    assert harm_of(results_of_attack(attack, lucky_attack_scores(attack, lucky))) == expected


@pytest.mark.parametrize("lucky", ["attacker", "target"])
def test_what_a_weapon_master_threw_again_stands(lucky):
    attack = AttackOdds(2, 2, weapon_master=True, defender_weapon_master=True)
    counted = shares(every_attack(attack, lucky, lambda hit: HARM[wounded(hit, 0)]))
    worth = sum(chance * HARM[wounded(score, 0)] for score, chance in counted.items())
    assert harm_of(results_of_attack(attack, lucky_attack_scores(attack, lucky))) == worth


def test_luck_weighs_a_riposte_against_the_blow():
    attack, riposte = AttackOdds(2, 4, parry=True), RiposteOdds()

    def gain(hit):
        return HARM[wounded(hit, 0)] - HARM[wounded(-hit, -2)]

    counted = shares(every_attack(attack, "attacker", gain))
    scores = lucky_attack_scores(attack, "attacker", riposte)
    turned = results_of_riposte(riposte, scores)
    worth = sum(chance * gain(score) for score, chance in counted.items())
    assert sum(chance * gain(score) for score, chance in scores.items()) == worth
    assert turned["miss"] > results_of_riposte(riposte, lucky_attack_scores(attack, ""))["miss"]


@made_up("attacks of Lucky fighters, compared with every possible throw", 30, sample=8)
@given(
    st.builds(
        ShotOdds,
        st.integers(0, 3),
        small,
        st.integers(0, 3),
        st.integers(0, 3),
        spray=st.booleans(),
    ),
    sides,
)
def test_luck_in_a_shot_equals_trying_both_dice_of_every_throw(shot, lucky):
    extra = shot.wound_modifier - shot.armour_rating

    def score(dice):
        total = sum(dice) + shot.shoot + shot.modifier - 6
        return max(1, total) if shot.spray else total

    sign = 1 if lucky == "attacker" else -1
    expected = Fraction(0)
    for dice in product(DIE, repeat=2):
        for hit in best_use(dice, (), score, lambda each: sign * HARM[wounded(each, extra)]):
            expected += Fraction(HARM[wounded(hit, extra)], 216)
    assert harm_of(results_of_shot(shot, lucky_shot_scores(shot, lucky))) == expected


def test_luck_helps_whose_it_is_and_nobody_has_none():
    attack, shot = AttackOdds(3, 3, parry=True), ShotOdds(1)
    fresh = attack_outcomes(attack)
    assert results_of_attack(attack, lucky_attack_scores(attack, "")) == fresh
    assert results_of_shot(shot, lucky_shot_scores(shot, "")) == shot_outcomes(shot)
    mine = results_of_attack(attack, lucky_attack_scores(attack, "attacker"))
    theirs = results_of_attack(attack, lucky_attack_scores(attack, "target"))
    assert mine["critical"] > fresh["critical"] > theirs["critical"]


def test_where_only_the_hit_counts_luck_makes_hits():
    attack = AttackOdds(2, 4, parry=True)
    scores = lucky_attack_scores(attack, "attacker", harmless=True)
    counted = shares(every_attack(attack, "attacker", lambda hit: hit > 0))
    assert sum(chance for score, chance in scores.items() if score > 0) == sum(
        chance for score, chance in counted.items() if score > 0
    )
