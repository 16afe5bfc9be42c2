"""Free attacks in a log turn by turn: weapons, targets and effects."""

from typing import Any

import pytest

from rulebook.ruleset import BattleSetup
from tests.rulebook.en_garde.turns.tables import GUARD, SWORDS, Told, begun, man, side

STRIKE: dict[str, Any] = {
    "attacker": "guard",
    "target": "athos",
    "dice": [6, 6],
    "defence_dice": [6],
}


def touching() -> Told:
    """Return a battle in which Athos and a guard are in contact since the previous turn."""
    log = begun(SWORDS)
    log.tell("move", fighter="guard", contacts=["athos"])
    log.tell("turn", turn=2)
    return log


@pytest.mark.parametrize(
    ("weapon", "expected"),
    [("banana", ["unknown-weapon"]), ("pike", ["not-carried"]), ("hands-and-feet", []), ("", [])],
)
def test_a_free_attack_takes_a_weapon_that_there_is_and_that_is_carried(weapon, expected):
    assert touching().errors("free_attack", **STRIKE, weapon=weapon) == expected


def test_the_table_may_lend_a_weapon_and_invents_none():
    agreed = {**STRIKE, "overruled": "It lay there."}
    assert touching().errors("free_attack", **agreed, weapon="pike") == []
    assert touching().errors("free_attack", **agreed, weapon="banana") == ["unknown-weapon"]


def test_an_empty_pistol_strikes_nobody():
    rider = man("rider", "english-civil-war/horse", 3, leader=True, options={"pistol": ["pistol"]})
    log = begun(BattleSetup("skirmish", (side("a", "english-civil-war", rider), GUARD)))
    log.tell("shot", shooter="rider", target="guard", weapon="pistol", inches=10, dice=[1, 2])
    log.tell("move", fighter="guard", contacts=["rider"])
    log.tell("turn", turn=2)
    strike = {
        "attacker": "rider",
        "target": "guard",
        "weapon": "pistol",
        "dice": [1, 1],
        "defence_dice": [6],
    }
    assert log.errors("free_attack", **strike) == ["pistol-empty"]


def test_who_is_struck_at_for_leaving_leaves_before_anything_else_happens():
    log = touching()
    log.tell("free_attack", attacker="athos", target="guard", dice=[1, 1], defence_dice=[6])
    assert log.errors("move", fighter="jussac", inches=3) == ["leaves-first"]
    assert log.errors("action", fighter="guard", what="special") == ["leaves-first"]
    assert log.errors("move", fighter="guard", gait="short", contacts=["athos"]) == ["leaves-first"]
    assert log.errors("done", side="b") == ["leaves-first"]
    assert log.errors("turn", turn=3) == ["still-open"]
    log.tell("move", fighter="guard", gait="short", inches=3)
    log.tell("move", fighter="jussac", inches=3)


def test_several_strike_at_the_same_leaver():
    log = begun(SWORDS, athos=["guard"], planchet=["guard"])
    log.tell("turn", turn=2)
    miss = {"target": "guard", "dice": [1, 1], "defence_dice": [6]}
    log.tell("free_attack", attacker="athos", **miss)
    log.tell("free_attack", attacker="planchet", **miss)
    assert log.errors("move", fighter="guard", gait="short", contacts=["planchet"]) == [
        "leaves-first"
    ]
    log.tell("move", fighter="guard", gait="short")


def test_who_is_killed_or_allowed_to_stay_leaves_nobody():
    log = touching()
    log.tell("free_attack", attacker="athos", target="guard", dice=[6, 6], defence_dice=[1])
    log.tell("move", fighter="jussac", inches=3)
    stays = touching()
    stays.tell("free_attack", attacker="athos", target="guard", dice=[1, 1], defence_dice=[6])
    stays.tell("move", fighter="jussac", inches=3, overruled="The guard may stay after all.")
    stays.tell("move", fighter="milady", inches=3)


def test_nobody_strikes_at_an_agile_leaver_nor_twice_in_a_turn():
    thief = man("thief", "fantastical/thief", 4, leader=True)
    log = begun(
        BattleSetup("skirmish", (side("a", "fantastical", thief), GUARD), {"fantastical": True})
    )
    log.tell("move", fighter="guard", contacts=["thief"])
    log.tell("turn", turn=2)
    strike = {"attacker": "guard", "target": "thief", "dice": [1, 1], "defence_dice": [6]}
    assert log.errors("free_attack", **strike) == ["agile-leaver"]
    back = {"attacker": "thief", "target": "guard", "dice": [1, 1], "defence_dice": [6]}
    log.tell("free_attack", **back)
    assert "free-attack-made" in log.errors("free_attack", **back)


def test_who_fights_three_or_more_strikes_worse_at_a_leaver_as_in_any_attack():
    guards = tuple(
        man(key, "cardinals-guard/guard", 2, leader=key == "g1") for key in ("g1", "g2", "g3")
    )
    athos = man("athos", "three-musketeers/athos", 5, leader=True)
    setup = BattleSetup(
        "skirmish", (side("a", "three-musketeers", athos), side("b", "cardinals-guard", *guards))
    )
    few, many = begun(setup, athos=["g1", "g2"]), begun(setup, athos=["g1", "g2", "g3"])
    rolls = []
    for log in (few, many):
        log.tell("turn", turn=2)
        log.tell("free_attack", attacker="athos", target="g1", dice=[3, 4], defence_dice=[6])
        rolls.append(log.outcome.sums[0].total)
    assert rolls[1] == rolls[0] - 1


def test_a_long_weapon_strikes_worse_at_a_leaver_in_a_narrow_building():
    pikeman = man("pikeman", "landsknechts/landsknecht", 2, leader=True)
    log = begun(
        BattleSetup("skirmish", (side("a", "landsknechts", pikeman), GUARD)), pikeman=["guard"]
    )
    log.tell("turn", turn=2)
    strike = {"attacker": "pikeman", "target": "guard", "dice": [3, 4], "defence_dice": [6]}
    rolls = []
    for indoors in (False, True):
        log.tell("free_attack", **strike, indoors=indoors, overruled="Again." if indoors else "")
        rolls.append(log.outcome.sums[0].total)
    assert rolls[1] == rolls[0] - 1


def test_free_attack_takes_no_ploys_and_no_counters():
    assert touching().errors("free_attack", **STRIKE, ploys=["mighty-blow"]) == ["unreadable-event"]
    assert touching().errors("free_attack", **STRIKE, answers=["parry"]) == ["unreadable-event"]
    assert touching().tell("free_attack", **STRIKE).table.fight is None
