"""Weapons for one hand or two in a log turn by turn: the grip is chosen, and counts for wounds and
bucklers."""

from typing import Any

import pytest

from rulebook.ruleset import BattleSetup
from rulebook.systems.en_garde.turns.fighters import grip_of
from tests.rulebook.en_garde.turns.tables import GUARD, Told, begun, man, side


def swordsman(*equipment: str) -> Told:
    """Return the second turn of a battle in which a man with a longsword is in contact with a
    guard.
    """
    man_of_arms = man(
        "man", "custom/rank-4", 4, leader=True, equipment=["longsword", "dagger", *equipment]
    )
    log = begun(BattleSetup("skirmish", (side("a", "custom", man_of_arms), GUARD)), man=["guard"])
    log.tell("turn", turn=2)
    return log


def fight(**more: Any) -> dict[str, Any]:
    return {
        "fighters": {"a": ["man"], "b": ["guard"]},
        "counters": {"a": [2, 2], "b": [1, 1]},
        "initiative": {"man": [6], "guard": [1]},
        **more,
    }


@pytest.mark.parametrize(
    ("equipment", "hands", "both"),
    [((), "", True), ((), "one", False), (("buckler",), "", False), (("buckler",), "two", True)],
)
def test_a_longsword_is_held_as_it_is_chosen_with_a_buckler_too(equipment, hands, both):
    log = swordsman(*equipment)
    state = log.tell("combat", **fight(hands={"man": hands} if hands else {}))
    assert grip_of(state, "man").two_handed is both
    log.tell("attack", attacker="man", target="guard", dice=[6, 6], defence_dice=[1])
    reasons = [line.reason for line in log.outcome.sums[-1].lines]
    assert ("Longsword in both hands" in reasons) is both


def test_buckler_needs_a_free_hand():
    for hands, armour in (("one", 1), ("two", 0)):
        log = swordsman("buckler")
        log.tell("combat", **fight(hands={"man": hands}, initiative={"man": [1], "guard": [6]}))
        log.tell("attack", attacker="guard", target="man", dice=[6, 6], defence_dice=[1])
        amounts = [
            line.amount for line in log.outcome.sums[-1].lines if line.reason == "Armour Rating"
        ]
        assert sum(amounts) == -armour


def test_the_grip_of_a_free_attack_is_its_own():
    for hands in ("one", "two"):
        log = swordsman()
        log.tell(
            "free_attack",
            attacker="man",
            target="guard",
            dice=[6, 6],
            defence_dice=[1],
            hands=hands,
        )
        reasons = [line.reason for line in log.outcome.sums[-1].lines]
        assert ("Longsword in both hands" in reasons) is (hands == "two")
        assert grip_of(log.state, "man").two_handed


def test_the_grip_is_changed_by_a_switch_for_a_counter():
    log = swordsman("buckler")
    log.tell("combat", **fight())
    state = log.tell("switch_weapon", fighter="man", weapon="longsword", hands="two")
    assert grip_of(state, "man").two_handed
    assert state.table.fight.pools["a"].attack == 1
    assert not grip_of(log.tell("turn", turn=3), "man").two_handed


@pytest.mark.parametrize(
    ("weapon", "hands", "code"), [("dagger", "two", "one-handed"), ("longsword", "two", None)]
)
def test_a_weapon_for_one_hand_is_not_held_in_both(weapon, hands, code):
    log = swordsman()
    errors = log.errors("combat", **fight(weapons={"man": weapon}, hands={"man": hands}))
    assert errors == ([code] if code else [])
    assert log.errors("combat", **fight(hands={"guard-2": "one"})) == ["not-in-combat"]


def test_a_weapon_for_both_hands_is_not_held_in_one():
    pikeman = man("man", "landsknechts/landsknecht", 2, leader=True)
    log = begun(BattleSetup("skirmish", (side("a", "landsknechts", pikeman), GUARD)), man=["guard"])
    log.tell("turn", turn=2)
    strike = {
        "attacker": "man",
        "target": "guard",
        "weapon": "pike",
        "dice": [1, 1],
        "defence_dice": [6],
    }
    assert log.errors("free_attack", **strike, hands="one") == ["two-handed"]
