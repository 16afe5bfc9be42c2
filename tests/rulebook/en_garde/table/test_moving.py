"""Moving. Rule book: "Move" to "Reduced movement"."""

import pytest

from rulebook.systems.en_garde.table.combatant import Steed
from rulebook.systems.en_garde.table.moving import (
    Gait,
    Terrain,
    check_dexterity,
    drowns,
    fall,
    jump,
    reach,
    swept_away,
)
from rulebook.systems.en_garde.table.orders import order_violations
from rulebook.systems.en_garde.table.wounds import WoundResult
from tests.rulebook.en_garde.table.cast import HORSE, rows, somebody


@pytest.mark.parametrize(("rate", "short", "normal", "run", "slower"), rows("movement.txt"))
def test_each_rate_reaches_as_far_as_printed_and_one_step_less_in_difficult_ground(
    rate, short, normal, run, slower
):
    mover = somebody(rate=rate)
    assert [reach(mover, gait).inches for gait in Gait] == [int(short), int(normal), int(run)]
    slowed = [reach(mover, gait, Terrain.DIFFICULT).inches for gait in Gait]
    assert slowed == [int(inches) for inches in slower.split()]


def test_slow_is_halved_once_and_no_further():
    laden = reach(somebody(rate="slow"), Gait.RUN, Terrain.DIFFICULT, carries_heavy=True)
    assert laden.inches == 3


def test_the_agile_do_not_mind_difficult_ground_and_climb_what_others_cannot():
    agile = somebody(attributes={"agile": ()})
    assert reach(agile, Gait.NORMAL, Terrain.DIFFICULT).inches == 6
    climbing = reach(agile, Gait.NORMAL, Terrain.IMPASSABLE)
    assert (climbing.inches, climbing.violations) == (4, ())
    assert [
        violation.code for violation in reach(agile, Gait.NORMAL, Terrain.DEEP_WATER).violations
    ] == ["deep-water"]
    assert [
        violation.code
        for violation in reach(somebody(), Gait.NORMAL, Terrain.IMPASSABLE).violations
    ] == ["impassable"]


def test_a_flier_is_fast_and_crosses_anything():
    flight = reach(somebody(attributes={"fly": ()}), Gait.NORMAL, Terrain.DEEP_WATER)
    assert (flight.inches, flight.violations) == (8, ())


def test_heavy_armour_heavy_barding_and_near_enemies_forbid_a_run_each():
    knight = somebody(heavy_armour=True, steed=Steed("horse", 2, heavy=True))
    codes = [violation.code for violation in reach(knight, Gait.RUN, passes_enemy=True).violations]
    assert codes == ["heavy-armour-runs", "heavy-barding-runs", "runs-past-enemy"]
    assert reach(knight, Gait.NORMAL).violations == ()


def test_a_rider_moves_as_cavalry_and_carries_heavy_things_without_slowing():
    assert reach(somebody(steed=HORSE), Gait.NORMAL, carries_heavy=True).inches == 12
    assert reach(somebody(), Gait.NORMAL, carries_heavy=True).inches == 4


def test_every_further_turn_costs_two_inches_and_never_more_than_there_are():
    assert reach(somebody(), Gait.NORMAL, extra_turns=2).inches == 2
    assert reach(somebody(), Gait.SHORT, extra_turns=2).inches == 0


@pytest.mark.parametrize(
    ("changes", "dice", "score"),
    [
        ({"initiative": 1}, (3, 4), 8),
        ({"initiative": 1, "worn": 2, "shield": True}, (3, 4), 8),
        ({"initiative": 1, "worn": 3}, (3, 4), 5),
        ({"attributes": {"agile": ()}}, (3, 3), 8),
        ({}, (3, 4), 7),
    ],
)
def test_a_dexterity_check_needs_eight_and_only_heavy_armour_hinders(changes, dice, score):
    check = check_dexterity(somebody(**changes), dice)
    assert (check.score, check.passed) == (score, score >= 8)


def test_wounds_count_in_a_dexterity_check_through_present_initiative():
    assert check_dexterity(somebody(initiative=3), (2, 3), initiative=2).score == 7


def test_jumps_up_to_one_inch_are_free_up_to_two_a_check_and_beyond_impossible():
    assert (jump(1).needs_check, jump(2).needs_check, jump(2).gait) == (False, True, Gait.SHORT)
    assert not jump(2.5).possible


@pytest.mark.parametrize(
    ("dice", "inches", "score", "result"),
    [
        ((1, 1), 3, -3, WoundResult.SCRATCH),
        ((3, 3), 3, 1, WoundResult.STUNNED),
        ((4, 4), 3, 3, WoundResult.LIGHT),
        ((6, 6), 2, 6, WoundResult.CRITICAL),
    ],
)
def test_a_fall_hurts_by_its_height(dice, inches, score, result):
    assert (fall(dice, inches).score, fall(dice, inches).result) == (score, result)


def test_the_stunned_drown_on_a_six_and_in_heavy_armour_on_a_five_too():
    assert [die for die in range(1, 7) if drowns(die)] == [6]
    assert [die for die in range(1, 7) if drowns(die, heavy_armour=True)] == [5, 6]
    assert [die for die in range(1, 7) if swept_away(die)] == [6]


def test_a_commander_orders_as_many_as_his_rank_near_him_and_not_above_him():
    commander = somebody(rank=3, attributes={"commander": ()})
    near = (somebody(rank=3), 3.0)
    assert order_violations(commander, (near, near, near)) == ()
    assert [violation.code for violation in order_violations(commander, (near,) * 4)] == [
        "too-many-ordered"
    ]
    far_and_high = ((somebody(rank=4), 3.5),)
    assert [violation.code for violation in order_violations(commander, far_and_high)] == [
        "out-of-earshot",
        "outranks-commander",
    ]
    assert [violation.code for violation in order_violations(somebody(), ())] == ["not-a-commander"]
