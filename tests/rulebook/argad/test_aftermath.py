"""What comes after a battle: nothing, unless a club plays Muster's house rules."""

import pytest

from rulebook.ruleset import Deed, Fate, Record
from rulebook.systems.argad.aftermath import awards, fate_after, raised_class, recovery_dice

CHECK = {"out_of_action_check": True}
RENOWN = {"renown": True}
WELL = Record("alf", 3, Fate.FIT)
OUT = Record("bert", 2, Fate.FIT, wounds="out", recovery_roll=2)
KILLED = Record("carl", 3, Fate.DEAD, survived=False, wounds="killed", recovery_roll=3)


def test_without_house_rules_the_killed_stay_dead_and_the_others_carry_on():
    assert [fate_after(each, {}) for each in (WELL, OUT, KILLED)] == [(Fate.FIT, 0), (Fate.FIT, 0), (Fate.DEAD, 0)]
    assert recovery_dice((WELL, OUT, KILLED), {}) == ()
    assert awards((WELL, OUT, KILLED), (), {}) == ()


def test_the_check_throws_for_everybody_killed_or_out():
    assert recovery_dice((WELL, OUT, KILLED), CHECK) == ("bert", "carl")


@pytest.mark.parametrize(("die", "fate"), [(1, Fate.DEAD), (2, Fate.DEAD), (3, Fate.FIT), (6, Fate.FIT)])
def test_one_and_two_are_dead_and_the_others_are_back(die, fate):
    record = Record("carl", 3, Fate.DEAD, survived=False, wounds="killed", recovery_roll=die)
    assert fate_after(record, CHECK) == (fate, 0)


def test_renown_comes_from_surviving_and_from_worthy_kills():
    deeds = (
        Deed("alf", "kill", 3, victim="x", victim_name="Xaver", victim_rank=3, killed=True),
        Deed("alf", "kill", 3, victim="y", victim_name="Yves", victim_rank=2, killed=True),
        Deed("carl", "kill", 3, victim="z", victim_name="Zeno", victim_rank=6, killed=True),
    )
    found = awards((WELL, KILLED), deeds, RENOWN)
    assert [(each.fighter, each.amount, each.code) for each in found] == [("alf", 1, "survived"), ("alf", 1, "kill")]
    assert all(each.rule.startswith("House rule") for each in found)


def test_renown_raises_a_class_up_to_the_ceiling():
    assert raised_class(3, 5, RENOWN) == 4
    assert raised_class(3, 4, RENOWN) is None
    assert raised_class(5, 9, RENOWN) is None
    assert raised_class(5, 9, RENOWN | {"renown_ceiling": 6}) == 6
    assert raised_class(3, 9, {}) is None
