"""Free attacks in a log turn by turn: with what, on whom, and what follows."""

from typing import Any

import pytest

from rulebook.ruleset import BattleSetup
from tests.rulebook.en_garde.turns.tables import GUARD, SWORDS, Told, begun, man, side

STRIKE: dict[str, Any] = {"attacker": "guard", "target": "athos", "dice": [6, 6], "defence_dice": [6]}


def touching() -> Told:
    """Athos and a guard touch since the turn before."""
    told = begun(SWORDS)
    told.tell("move", fighter="guard", contacts=["athos"])
    told.tell("turn", turn=2)
    return told


@pytest.mark.parametrize(
    ("weapon", "found"),
    [("banana", ["unknown-weapon"]), ("pike", ["not-carried"]), ("hands-and-feet", []), ("", [])],
)
def test_a_free_attack_takes_a_weapon_that_there_is_and_that_is_carried(weapon, found):
    assert touching().refused("free_attack", **STRIKE, weapon=weapon) == found


def test_the_table_may_lend_a_weapon_and_invents_none():
    agreed = {**STRIKE, "overruled": "It lay there."}
    assert touching().refused("free_attack", **agreed, weapon="pike") == []
    assert touching().refused("free_attack", **agreed, weapon="banana") == ["unknown-weapon"]


def test_an_empty_pistol_strikes_nobody():
    rider = man("rider", "english-civil-war/horse", 3, leader=True, options={"pistol": ["pistol"]})
    told = begun(BattleSetup("skirmish", (side("a", "english-civil-war", rider), GUARD)))
    told.tell("shot", shooter="rider", target="guard", weapon="pistol", inches=10, dice=[1, 2])
    told.tell("move", fighter="guard", contacts=["rider"])
    told.tell("turn", turn=2)
    strike = {"attacker": "rider", "target": "guard", "weapon": "pistol", "dice": [1, 1], "defence_dice": [6]}
    assert told.refused("free_attack", **strike) == ["pistol-empty"]
