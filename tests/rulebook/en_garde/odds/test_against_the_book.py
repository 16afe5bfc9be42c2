"""The fixed odds against a count of their own: the procedure of the book, written down once more
without our code."""

from collections import Counter
from fractions import Fraction
from itertools import product

from hypothesis import given, settings
from hypothesis import strategies as st

from rulebook.systems.en_garde.calculators.registry import ask

DIE = range(1, 7)
RESULTS = ("miss", "scratch", "stunned", "light", "grievous", "critical")


def wounded(hit, extra):
    """Return the result by the Wound Table: 0 or less, 1, 2-3, 4-5, 6 and more.

    Without a hit there is no wound.
    """
    if hit <= 0:
        return "miss"
    score = hit + extra
    if score >= 6:
        return "critical"
    if score >= 4:
        return "grievous"
    return "light" if score >= 2 else ("stunned" if score == 1 else "scratch")


def lying(number, master):
    """Yield every equally likely final throw: a master rolls the lowest 1 or 2 again."""
    for dice in product(DIE, repeat=number):
        low = sorted(dice)[0]
        for again in DIE:
            rest = list(dice)
            if master and low <= 2:
                rest.remove(low)
                rest.append(again)
            yield rest


def shot_by_hand(shoot, modifier, wound_modifier, armour_rating):
    counted = Counter(
        wounded(a + b + shoot + modifier - 6, wound_modifier - armour_rating)
        for a, b in product(DIE, repeat=2)
    )
    return {result: str(Fraction(counted[result], 36)) for result in RESULTS}


def attack_by_hand(values):
    """Count attacks: two dice and Fight against one die and Fight.

    A mighty blow drops the lowest of three dice, and a Parry gives the defender two.
    """
    mighty, parry = values["mighty_blow"], values["parry"]
    up = Counter(
        sum(sorted(dice)[1:] if mighty else dice)
        for dice in lying(3 if mighty else 2, values["weapon_master"])
    )
    down = Counter(sum(dice) for dice in lying(2 if parry else 1, values["defender_weapon_master"]))
    counted: Counter[str] = Counter()
    for (mine, often), (theirs, also) in product(up.items(), down.items()):
        hit = mine + values["fight"] - theirs - values["defender_fight"]
        counted[wounded(hit, values["wound_modifier"] - values["armour_rating"])] += often * also
    every = up.total() * down.total()
    return {result: str(Fraction(counted[result], every)) for result in RESULTS}


def told(values):
    return {key: str(value).lower() for key, value in values.items()}


shots = st.fixed_dictionaries(
    {
        "shoot": st.integers(0, 3),
        "modifier": st.integers(-6, 3),
        "wound_modifier": st.integers(-2, 6),
        "armour_rating": st.integers(0, 4),
    }
)
attacks = st.fixed_dictionaries(
    {
        "fight": st.integers(0, 6),
        "defender_fight": st.integers(0, 6),
        "wound_modifier": st.integers(-2, 3),
        "armour_rating": st.integers(0, 4),
        **dict.fromkeys(
            ("parry", "mighty_blow", "weapon_master", "defender_weapon_master"), st.booleans()
        ),
    }
)


@settings(max_examples=150)
@given(shots)
def test_every_shot_equals_the_count_from_the_book(values):
    assert ask("shot", told(values))["outcomes"] == shot_by_hand(**values)


@settings(max_examples=150)
@given(attacks)
def test_every_attack_equals_the_count_from_the_book(values):
    assert ask("attack", told(values))["outcomes"] == attack_by_hand(values)


def test_a_shot_reckoned_on_paper():
    """Shoot 1, -1 for the range: two dice need 7 to hit, and what is above 6, less 1 for armour, is
    the wound.

    Of 36 throws 15 are below 7; 6 show 7 (0: a scratch), 5 show 8 (1), 4 + 3 show 9 and 10 (2, 3),
    2 + 1 the rest.
    """
    outcomes = ask(
        "shot", {"shoot": "1", "modifier": "-1", "wound_modifier": "0", "armour_rating": "1"}
    )["outcomes"]
    assert outcomes == dict(zip(RESULTS, ("5/12", "1/6", "5/36", "7/36", "1/12", "0"), strict=True))


def test_an_attack_reckoned_on_paper():
    """Equal Fight and no armour, one die against two: the attacker's sum less the defender's die.

    For a die of d the sum is at most d in d(d-1)/2 throws, and 0 + 1 + 3 + 6 + 10 + 15 of 216 is
    35.
    """
    outcomes = ask("attack", {"fight": "2", "defender_fight": "2"})["outcomes"]
    assert outcomes["miss"] == "35/216"
    assert outcomes["scratch"] == "0"
    assert outcomes["critical"] == str(Fraction(sum(max(0, 36 - at_most(d + 5)) for d in DIE), 216))


def at_most(total):
    """Return how many throws of two dice are at most this total."""
    return sum(a + b <= total for a, b in product(DIE, repeat=2))
