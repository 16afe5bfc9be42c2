"""Morale, Stunned counters and Priority. Rule book: "End phase", "Determine priority"."""

import pytest

from rulebook.systems.en_garde.book.house_rules import HouseRules
from rulebook.systems.en_garde.table.combatant import total
from rulebook.systems.en_garde.table.morale import (
    Morale,
    WarbandInBattle,
    morale_modifiers,
    must_test,
    needs_resolve,
    resolve_holds,
    resolve_morale,
    sides_with_priority,
    stun_modifiers,
    stuns_removed,
)
from tests.rulebook.en_garde.table.cast import somebody

TEN = WarbandInBattle(rating=7, start=10, strength=10)


def warband(**changes):
    return WarbandInBattle(**{"rating": 7, "start": 10, "strength": 10, **changes})


@pytest.mark.parametrize(
    ("start", "killed", "tests"),
    [(10, 2, False), (10, 3, True), (8, 2, True), (4, 1, True), (5, 1, False)],
)
def test_a_quarter_killed_in_a_turn_makes_a_warband_test(start, killed, tests):
    assert bool(must_test(warband(start=start, strength=start - killed, killed=killed))) is tests


def test_wavering_and_a_dead_leader_make_it_test_and_routing_never_again():
    assert must_test(warband(morale=Morale.WAVERING)) == ("Wavering",)
    assert must_test(warband(leader_killed=True)) == ("Leader killed",)
    assert must_test(warband(morale=Morale.ROUTING, leader_killed=True)) == ()


@pytest.mark.parametrize(("strength", "amount"), [(5, 0), (4, 1), (3, 1), (2, 3), (1, 3)])
def test_losses_weigh_more_and_more(strength, amount):
    assert total(morale_modifiers(warband(strength=strength))) == amount


def test_a_club_may_let_the_lowest_strength_weigh_two():
    assert total(morale_modifiers(warband(strength=2), HouseRules(below_quarter_morale=2))) == 2


def test_a_commander_steadies_and_wavering_unsettles():
    assert total(morale_modifiers(warband(commander=True))) == -1
    assert total(morale_modifiers(warband(morale=Morale.WAVERING))) == 1


@pytest.mark.parametrize(
    ("before", "dice", "after"),
    [
        (Morale.STEADY, (3, 4), Morale.STEADY),
        (Morale.STEADY, (4, 4), Morale.WAVERING),
        (Morale.WAVERING, (3, 3), Morale.STEADY),
        (Morale.WAVERING, (3, 4), Morale.ROUTING),
    ],
)
def test_a_test_is_passed_up_to_the_rating(before, dice, after):
    assert resolve_morale(warband(morale=before), dice).after is after


def test_an_inspiring_fighter_passes_the_first_test_without_dice():
    inspired = resolve_morale(warband(inspiring=True, morale=Morale.WAVERING))
    assert (inspired.passed, inspired.inspired, inspired.after) == (True, True, Morale.STEADY)
    with pytest.raises(ValueError, match="two dice"):
        resolve_morale(warband(inspiring=True, inspired_already=True))


def test_a_banner_allows_another_throw_of_a_failed_test():
    assert resolve_morale(warband(banner=True), (6, 6)).may_reroll
    assert not resolve_morale(warband(banner=True), (1, 1)).may_reroll
    assert not resolve_morale(warband(), (6, 6)).may_reroll


def test_the_shaken_need_resolve_and_the_fearless_do_not():
    brave = somebody(attributes={"fearless": ()})
    assert needs_resolve(somebody(), Morale.WAVERING, into_contact=True)
    assert not needs_resolve(somebody(), Morale.WAVERING, into_contact=False)
    assert needs_resolve(somebody(), Morale.ROUTING, into_contact=False)
    assert not needs_resolve(somebody(), Morale.ROUTING, into_contact=False, engaged=True)
    assert not needs_resolve(brave, Morale.ROUTING, into_contact=True)
    assert (resolve_holds(2, 5), resolve_holds(2, 4)) == (True, False)


def test_stunned_counters_go_on_fives_and_faster_with_rest():
    assert [stuns_removed(score) for score in range(1, 9)] == [0, 0, 0, 0, 1, 1, 2, 2]
    assert total(stun_modifiers(somebody(), rested=True)) == 2
    assert total(stun_modifiers(somebody(), engaged=True)) == -1
    assert total(stun_modifiers(somebody(attributes={"tough": ()}))) == 1


def test_priority_goes_to_the_highest_die_and_ties_roll_again():
    assert sides_with_priority({"a": 3, "b": 5}, frozenset(), {}, 2) == ("b",)
    assert sides_with_priority({"a": 5, "b": 5}, frozenset(), {}, 2) == ("a", "b")


def test_the_side_with_most_scouts_has_two_more_in_the_first_turn():
    assert sides_with_priority({"a": 4, "b": 5}, frozenset(), {"a": 2, "b": 1}, 1) == ("a",)
    assert sides_with_priority({"a": 4, "b": 5}, frozenset(), {"a": 1, "b": 1}, 1) == ("b",)
    assert sides_with_priority({"a": 4, "b": 5}, frozenset(), {"a": 2, "b": 1}, 2) == ("b",)


def test_a_lone_tactician_beats_every_die_and_two_cancel_each_other():
    assert sides_with_priority({"a": 1, "b": 6}, frozenset({"a"}), {}, 1) == ("a",)
    assert sides_with_priority({"a": 1, "b": 6}, frozenset({"a", "b"}), {}, 1) == ("b",)
