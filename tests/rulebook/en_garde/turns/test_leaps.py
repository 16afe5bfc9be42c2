"""Jumps, climbs, leaps aboard and falls in a log turn by turn."""

import pytest

from rulebook.ruleset import BattleSetup
from rulebook.systems.en_garde.table.wounds import Wound
from rulebook.systems.en_garde.turns.fighters import present
from tests.rulebook.en_garde.turns.tables import GUARD, SWORDS, Rigged, begun, man, side


@pytest.mark.parametrize(
    ("way", "expected"),
    [
        ({"jumps": 1, "gait": "run"}, []),
        ({"jumps": 1.5, "gait": "normal", "dexterity": [6, 6]}, ["jump-needs-short-move"]),
        ({"jumps": 1.5, "gait": "short"}, ["wrong-dice"]),
        ({"jumps": 2, "gait": "short", "dexterity": [6, 6]}, []),
        ({"jumps": 2.5, "gait": "short", "dexterity": [6, 6]}, ["too-far-to-jump"]),
        ({"climbs": 3, "gait": "short", "dexterity": [6, 6]}, []),
        ({"climbs": 3.5, "gait": "short", "dexterity": [6, 6]}, ["too-far"]),
        ({"climbs": 2, "inches": 2, "gait": "short", "dexterity": [6, 6]}, ["too-far"]),
        ({"climbs": 2, "gait": "normal", "dexterity": [6, 6]}, ["climb-needs-short-move"]),
        ({"leaps_aboard": True}, ["wrong-dice"]),
        ({"leaps_aboard": True, "dexterity": [6, 6]}, []),
        ({"dexterity": [6, 6]}, ["wrong-dice"]),
    ],
)
def test_what_a_jump_or_climb_asks_for(way, expected):
    assert begun().errors("move", fighter="guard", **way) == expected


def test_who_fails_to_climb_falls_as_far_as_it_has_climbed_and_touches_nobody():
    log = begun()
    up = {
        "fighter": "guard",
        "gait": "short",
        "climbs": 3,
        "contacts": ["athos"],
        "dexterity": [1, 1],
    }
    assert log.errors("move", **up) == ["wrong-dice"]
    state = log.tell("move", **up, fall_dice=[3, 4])
    assert state.combatants["guard"].wounds.wound is Wound.LIGHT  # 7 and 3 inches, less 8
    assert state.table.of("guard").contacts == ()


def test_fall_ignores_armour_and_good_landing_makes_contact():
    over = {"gait": "short", "jumps": 2, "falls": 10, "contacts": ["athos"]}
    state = begun().tell("move", fighter="guard", **over, dexterity=[1, 1], fall_dice=[2, 2])
    assert state.combatants["guard"].wounds.wound is Wound.CRITICAL
    assert begun().tell("move", fighter="guard", **over, dexterity=[6, 6]).table.of(
        "athos"
    ).contacts == ("guard",)


def test_muster_throws_for_leap_and_fall():
    log = begun()
    log.luck = Rigged(1, 1, 6, 5)
    state = log.tell("move", fighter="guard", gait="short", climbs=3)
    assert log.events[-1].data["fall_dice"] == [6, 5]
    assert state.combatants["guard"].dead


def test_who_flies_neither_checks_nor_falls():
    bat = man("bat", "custom/rank-3", 3, leader=True, kept={"attributes": ["fly"]})
    log = begun(BattleSetup("skirmish", (side("a", "custom", bat), GUARD), {"fantastical": True}))
    assert present(log.state, "bat").has("fly")
    assert log.errors("move", fighter="bat", climbs=6, jumps=6) == []


def test_a_failed_check_apart_from_a_move_falls_only_if_there_is_a_depth():
    log = begun(SWORDS)
    assert log.errors("dexterity", fighter="guard", dice=[1, 1], falls=4) == ["wrong-dice"]
    state = log.tell("dexterity", fighter="guard", dice=[1, 1], falls=4, fall_dice=[3, 3])
    assert state.combatants["guard"].wounds.wound is Wound.LIGHT
    assert log.errors("dexterity", fighter="jussac", dice=[1, 1]) == []
    assert (
        not log.tell("dexterity", fighter="jussac", dice=[4, 4], falls=4)
        .combatants["jussac"]
        .wounds.counters
    )


def test_a_large_body_throws_its_die_for_a_deadly_fall():
    beast = side("a", "fantastical", man("beast", "fantastical/beast", 4, leader=True))
    log = begun(BattleSetup("skirmish", (beast, GUARD), {"fantastical": True}))
    down = {"fighter": "beast", "dice": [1, 1], "falls": 12, "fall_dice": [6, 6]}
    assert log.errors("dexterity", **down) == ["wrong-dice"]
    assert log.tell("dexterity", **down, die=3).combatants["beast"].wounds.wound is Wound.GRIEVOUS


def test_fall_passes_armour_by():
    veteran = man("veteran", "conquistadors/veteran", 3, leader=True)
    log = begun(BattleSetup("skirmish", (side("a", "conquistadors", veteran), GUARD)))
    assert present(log.state, "veteran").worn == 2
    state = log.tell("dexterity", fighter="veteran", dice=[1, 1], falls=4, fall_dice=[3, 3])
    assert (
        state.combatants["veteran"].wounds.wound is Wound.LIGHT
    )  # 6 and 4 inches, less 8, and nothing for armour
