"""Melee: lengths, blows at the same moment, and exact odds, counted again here from every way the
dice can fall."""

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest

from rulebook.systems.argad.book import USUAL, HouseRules, book
from rulebook.systems.argad.melee import (
    Contender,
    Strike,
    blow_modifiers,
    blow_odds,
    duel_odds,
    resolve_blow,
    settle,
    strikes_first,
    turn_odds,
)
from tests.rulebook.argad.sheets import fight_turn, fighter, melee, rows

KILL, RECOIL, MISS = Strike.KILL, Strike.RECOIL, Strike.MISS
DICE = (
    [(d,) for d in range(1, 6)] + [(6, d) for d in range(1, 6)] + [(6, 6, d) for d in range(1, 7)]
)
WEIGHT = {1: 36, 2: 6, 3: 1}


def counted_blow(fought):
    """Return the chance of each result from all 216 throws of three dice, by a short second
    version.
    """
    enemy, modifier = fought.second.fighter, sum(line.amount for line in blow_modifiers(fought))
    counts = Counter()
    for first, second, third in product(range(1, 7), repeat=3):
        sevens = first == second == 6
        worth = (7 if sevens and "disorder" not in fought.first.stances else first) + modifier
        if sevens and third == 6:
            counts[KILL] += 1
        elif first == 1 or worth < enemy.class_:
            counts[MISS] += 1
        elif worth > enemy.class_ and worth > enemy.armour:
            counts[KILL] += 1
        else:
            counts[RECOIL] += 1
    return {each: Fraction(counts[each], 216) for each in Strike}


@pytest.mark.parametrize("row", rows("melee.txt"), ids=" ".join)
def test_the_odds_of_a_blow_are_counted_right(row):
    fought = melee(*row[:3])
    assert blow_odds(fought) == counted_blow(fought)
    assert sum(turn_odds(fought).values()) == 1


@pytest.mark.parametrize(
    "enemy", ["class=1", "class=2, clothing=complete", "class=6", "class=4, clothing=half-armour"]
)
@pytest.mark.parametrize("stands", ["-", "stands=disorder", "stands=uphill"])
def test_the_odds_against_class_and_armour_are_counted_right(enemy, stands):
    assert blow_odds(melee("-", enemy, stands)) == counted_blow(melee("-", enemy, stands))


def test_a_plain_die_kills_class_six_on_a_double_six_alone():
    assert blow_odds(melee("-", "class=6"))[KILL] == Fraction(1, 36)
    assert blow_odds(melee("-", "class=7"))[KILL] == Fraction(1, 216)


@pytest.mark.parametrize(
    ("first", "second", "circumstances", "who"),
    [
        ("weapon=pike", "weapon=spear", "-", 1),
        ("weapon=sword", "weapon=halberd", "-", -1),
        ("weapon=two-handed", "weapon=sword", "-", 1),
        ("weapon=dagger", "weapon=bare-hands", "-", 1),
        ("weapon=sword", "weapon=tool", "-", 0),
        ("weapon=pike", "weapon=sword", "turn=2", 0),
        ("weapon=pike, close_order", "weapon=sword", "turn=2", 1),
        ("weapon=sword, length=long", "weapon=sword", "-", 1),
    ],
)
def test_the_longer_weapon_strikes_first(first, second, circumstances, who):
    assert strikes_first(melee(first, second, circumstances)) == who
    assert strikes_first(melee(first, second, circumstances).turned()) == -who


def test_a_club_settles_the_suggested_lengths():
    assert strikes_first(melee("weapon=dagger", "weapon=sword")) == -1
    assert strikes_first(melee("weapon=dagger", "weapon=sword", length_dagger="short")) == 0


def test_a_pikeman_out_of_close_order_draws_his_sword_and_loses_what_a_pole_gives():
    assert Contender(fighter("weapon=pike")).weapon == "pike"
    assert Contender(fighter("weapon=pike"), 2).weapon == "sword"
    assert Contender(fighter("weapon=pike, length=long"), 2).length(USUAL) == 3
    assert Contender(fighter("weapon=pike, close_order"), 9).weapon == "pike"


def test_who_is_hit_by_a_longer_weapon_does_not_strike_back():
    fought = melee("weapon=spear", "weapon=sword")
    ended = fight_turn(fought, (3,), (6, 6, 6))
    assert (ended.first, ended.second, ended.rule) == (RECOIL, MISS, "Ruling A-M2")
    assert fight_turn(fought, (2,), (5,)).second is KILL
    assert fight_turn(fought.turned(), (5,), (3,)).first is MISS


@pytest.mark.parametrize(
    ("first", "second", "dice", "other", "ended", "reason"),
    [
        ("class=4", "class=3", (5,), (5,), (KILL, MISS), "higher class"),
        ("class=3", "class=3, clothing=breastplate", (5,), (5,), (MISS, KILL), "higher armour"),
        (
            "clothing=breastplate",
            "clothing=half-armour",
            (5,),
            (6, 1),
            (MISS, KILL),
            "higher natural die",
        ),
        ("-", "-", (6, 6, 1), (6, 5), (KILL, MISS), "higher natural die"),
        ("-", "-", (3,), (3,), (RECOIL, RECOIL), "nothing tells them apart"),
        ("-", "-", (5,), (5,), (KILL, KILL), "nothing tells them apart"),
        ("-", "-", (5,), (3,), (KILL, MISS), "a kill voids a recoil"),
        ("-", "class=4", (4,), (5,), (MISS, KILL), "a kill voids a recoil"),
        ("-", "-", (2,), (5,), (MISS, KILL), ""),
        ("-", "-", (1,), (2,), (MISS, MISS), ""),
    ],
)
def test_blows_at_the_same_moment_are_settled(first, second, dice, other, ended, reason):
    settled = fight_turn(melee(first, second), dice, other)
    assert ((settled.first, settled.second), settled.reason) == (ended, reason)


def test_the_last_tie_break_is_the_sum_of_modifiers():
    fought = melee("-", "-", "stands=behind-obstacle")
    settled = settle(fought, resolve_blow(fought, (4,)), resolve_blow(fought.turned(), (4,)))
    assert (settled.first, settled.second, settled.reason) == (KILL, MISS, "higher modifiers")


def test_class_one_strikes_weakly_by_house_rule():
    assert (
        sum(line.amount for line in blow_modifiers(melee("class=1", class_one_in_melee=True))) == -1
    )


def counted_duel(fought, turns):
    """Return who is standing after a duel, from all pairs of throws, by a short second version."""
    counts = Counter({"both": Fraction(1)})
    for turn in range(1, turns + 1):
        now = (
            fought if turn == 1 else melee("weapon=pike", "class=4, clothing=breastplate", "turn=2")
        )
        standing = counts.pop("both")
        for dice, other in product(DICE, repeat=2):
            ended = fight_turn(now, dice, other)
            who = {
                (False, False): "both",
                (True, False): "first",
                (False, True): "second",
                (True, True): "neither",
            }
            chance = Fraction(WEIGHT[len(dice)] * WEIGHT[len(other)], 216 * 216)
            counts[who[ended.first is KILL, ended.second is KILL]] += standing * chance
    return {each: counts[each] for each in ("first", "second", "both", "neither")}


@pytest.mark.parametrize("turns", [1, 2, 3])
def test_the_odds_of_a_duel_are_counted_right(turns):
    fought = melee("weapon=pike", "class=4, clothing=breastplate")
    assert duel_odds(fought, turns)[-1] == counted_duel(fought, turns)


def test_a_charge_is_for_the_first_turn_of_a_duel():
    charge = melee("mount=cavalry, weapon=lance", "class=4", "stands=charging")
    calm = melee("mount=cavalry, weapon=lance", "class=4")
    once, twice = duel_odds(charge, 2)
    later = duel_odds(calm, 1)[0]
    assert twice["first"] == once["first"] + once["both"] * later["first"]


def test_a_duel_of_equals_favours_nobody():
    odds = duel_odds(melee(), 5)[-1]
    assert odds["first"] == odds["second"]
    assert sum(odds.values()) == 1


def test_melee_modifiers_add_up_without_a_cap():
    worst = blow_modifiers(melee("weapon=tool", "mount=cavalry", "stands=uphill"))
    assert sum(line.amount for line in worst) == -3


def test_suggested_lengths_match_ruling():
    suggested = {
        "long": ("spear", "halberd", "lance"),
        "semi-long": ("two-handed", "bardiche"),
        "short": ("tool", "heavy-tool"),
        "very-short": ("dagger", "butt"),
    }
    for place, (length, weapons) in enumerate(suggested.items(), start=1):
        assert book().lengths[place][0] == length
        assert {Contender(fighter(f"weapon={weapon}")).length(USUAL) for weapon in weapons} == {
            place
        }


@pytest.mark.parametrize(
    ("rule", "weapons", "length"),
    [
        ("length_pole", ("spear", "halberd"), "very-short"),
        ("length_lance", ("lance",), "very-short"),
        ("length_two_handed", ("two-handed", "bardiche"), "very-short"),
        ("length_tool", ("tool", "heavy-tool"), "very-short"),
        ("length_dagger", ("dagger", "butt"), "long"),
    ],
)
def test_house_rule_settles_the_lengths_of_its_weapons(rule, weapons, length):
    settled = HouseRules(**{rule: length})
    place = [key for key, _ in book().lengths].index(length)
    changed = {
        key
        for key in book().weapon
        if Contender(fighter(f"weapon={key}")).length(settled)
        != Contender(fighter(f"weapon={key}")).length(USUAL)
    }
    assert changed == set(weapons)
    assert {Contender(fighter(f"weapon={weapon}")).length(settled) for weapon in weapons} == {place}


def test_blows_without_modifiers_kill_class_five():
    assert blow_odds(melee("-", "class=5"))[KILL] == Fraction(1, 6)
