"""Civilians in a log turn by turn: they move, are struck, shot and stunned, and never attack."""

from typing import Any

import pytest

from rulebook.ruleset import BattleSetup, FieldedSide
from rulebook.systems.en_garde.table.rounds import Split
from rulebook.systems.en_garde.table.wounds import Wound
from tests.rulebook.en_garde.logs import at_table
from tests.rulebook.en_garde.turns.tables import SWORDS, Told, begun, man

ESCORT = FieldedSide("a", "A", "escort", "three-musketeers", SWORDS.sides[0].fighters)
ATTACKER = FieldedSide(
    "b",
    "B",
    "attacker",
    "ottoman-empire",
    (
        man("azab", "ottoman-empire/azab", 2, leader=True, options={"weapon": ["matchlock"]}),
        man("guard", "ottoman-empire/azab", 2),
    ),
)


def escorted(**settings: Any) -> Told:
    return begun(BattleSetup("escort", (ATTACKER, ESCORT), settings))


def cornered() -> Told:
    """Return a battle in which the Civilian defends itself against an Azab."""
    log = escorted()
    log.tell("move", fighter="guard", contacts=["civilian-1"])
    log.tell(
        "combat",
        fighters={"a": ["civilian-1"], "b": ["guard"]},
        counters={"a": [0, 1], "b": [1, 1]},
        initiative={"civilian-1": [1], "guard": [6]},
    )
    return log


def test_a_civilian_moves_like_infantry_once_a_turn():
    log = escorted()
    assert log.errors("move", fighter="civilian-1", inches=6.5) == ["too-far"]
    log.tell("move", fighter="civilian-1", inches=6)
    assert log.errors("move", fighter="civilian-1", inches=1) == ["acted-already"]
    assert log.errors("action", fighter="civilian-1", what="mount") == ["acted-already", "no-mount"]


def test_a_civilian_draws_a_defence_counter_and_no_other():
    log = escorted()
    log.tell("move", fighter="guard", contacts=["civilian-1"])
    fight = {
        "fighters": {"a": ["civilian-1"], "b": ["guard"]},
        "initiative": {"civilian-1": [1], "guard": [6]},
    }
    assert log.errors("combat", **fight, counters={"a": [1, 0], "b": [1, 1]}) == [
        "civilians-attack"
    ]
    assert log.errors("combat", **fight, counters={"a": [0, 1], "b": [1, 1]}) == []


def test_a_civilian_that_is_struck_parries_with_a_fight_of_none():
    log = cornered()
    blow = {"attacker": "guard", "target": "civilian-1", "answers": ["parry"], "dice": [4, 4]}
    state = log.tell("attack", **blow, defence_dice=[4, 4])  # 8 and a Fight of 2 against 8
    assert state.civilians["civilian-1"].wounds.wound is Wound.LIGHT
    assert state.table.fight.pools["a"] == Split(0, 0)


def test_a_civilian_never_attacks():
    log = cornered()
    log.tell("pass", fighter="guard")
    blow = {"attacker": "civilian-1", "target": "guard", "dice": [6, 6], "defence_dice": [1]}
    assert log.errors("attack", **blow) == ["civilian-attacks"]


@pytest.mark.parametrize(
    ("kind", "data"),
    [
        (
            "attack",
            {"attacker": "civilian-1", "target": "guard", "dice": [6, 6], "defence_dice": [1]},
        ),
        (
            "free_attack",
            {"attacker": "civilian-1", "target": "guard", "dice": [6, 6], "defence_dice": [1]},
        ),
        (
            "shot",
            {
                "shooter": "civilian-1",
                "target": "azab",
                "weapon": "cannon",
                "inches": 5,
                "dice": [6, 6],
            },
        ),
        (
            "spell",
            {"magician": "civilian-1", "spell": "drain-life", "target": "guard", "dice": [6, 6]},
        ),
        ("spell", {"magician": "civilian-1", "spell": "summon", "dice": [6, 6]}),
        ("order", {"commander": "civilian-1", "order": "move", "fighters": ["athos"]}),
        ("challenge", {"challenger": "guard", "challenged": "civilian-1", "accepted": True}),
    ],
)
def test_no_table_has_a_civilian_fight_or_lead(kind: str, data: dict[str, Any]):
    assert cornered().errors(kind, **data, overruled="We agreed on it.") == ["civilian-attacks"]


def test_a_civilian_goes_on_to_nobody():
    onward = {
        "fighters": {"a": ["civilian-1"], "b": ["azab"]},
        "counters": {"a": [0, 1], "b": [1, 1]},
        "initiative": {"civilian-1": [1], "azab": [6]},
        "moved_on": "civilian-1",
        "overruled": "We agreed on it.",
    }
    assert cornered().errors("combat", **onward) == ["civilian-attacks"]


def test_a_civilian_attacks_with_no_counter_of_its_friends_either():
    log = escorted()
    log.tell("move", fighter="guard", contacts=["civilian-1", "athos"])
    log.tell(
        "combat",
        fighters={"a": ["civilian-1", "athos"], "b": ["guard"]},
        counters={"a": [6, 1], "b": [1, 1]},
        initiative={"civilian-1": [6], "athos": [1], "guard": [1]},
    )
    blow = {"attacker": "civilian-1", "target": "guard", "dice": [6, 6], "defence_dice": [1]}
    assert log.errors("attack", **blow) == ["civilian-attacks"]


def test_a_dead_civilian_leaves_contact_and_combat_and_does_nothing_more():
    log = cornered()
    state = log.tell("attack", attacker="guard", target="civilian-1", dice=[6, 6], defence_dice=[1])
    assert state.civilians["civilian-1"].dead
    assert state.table.of("guard").contacts == ()
    assert state.table.fight.over
    log.tell("turn", turn=2)
    assert log.errors("move", fighter="civilian-1", inches=1) == ["out-of-action"]
    fire = {
        "shooter": "azab",
        "target": "civilian-1",
        "weapon": "matchlock",
        "inches": 5,
        "dice": [6, 6],
    }
    assert log.errors("shot", **fire) == ["target-gone"]


def test_a_civilian_is_shot_and_shakes_off_stunned_counters():
    log = escorted()
    state = log.tell(
        "shot", shooter="azab", target="civilian-1", weapon="matchlock", inches=10, dice=[3, 4]
    )
    assert state.civilians["civilian-1"].wounds.worst == "light"
    log.tell("wound", victim="civilian-1", result="stunned", attacker="azab")
    assert (
        log.tell("stun_roll", fighter="civilian-1", die=6).civilians["civilian-1"].wounds.stunned
        == 0
    )


def test_civilians_ignore_morale():
    log = escorted()
    log.tell("wound", victim="planchet", result="critical", attacker="azab")
    log.tell("wound", victim="athos", result="critical", attacker="azab")
    for turn in (2, 3):
        log.tell("turn", turn=turn)
        log.tell("morale", side="a", dice=[6, 6])
    log.tell("turn", turn=4)
    assert log.errors("move", fighter="civilian-1", inches=6) == []


def test_a_magician_heals_a_civilian_too():
    witch = man(
        "witch", "custom/rank-5", 5, leader=True, spells=["heal"], kept={"attributes": ["magician"]}
    )
    escort = FieldedSide("a", "A", "escort", "custom", (witch,))
    log = begun(BattleSetup("escort", (ATTACKER, escort), {"fantastical": True}))
    log.tell("wound", victim="civilian-1", result="light", attacker="azab")
    cast = {
        "magician": "witch",
        "spell": "heal",
        "target": "civilian-1",
        "inches": 2,
        "dice": [1, 1],
    }
    assert log.tell("spell", **cast).civilians["civilian-1"].wounds.worst == ""


def test_armour_by_magic_protects_a_civilian():
    witch = man(
        "witch",
        "custom/rank-5",
        5,
        leader=True,
        spells=["armour"],
        kept={"attributes": ["magician"]},
    )
    escort = FieldedSide("a", "A", "escort", "custom", (witch,))
    log = begun(BattleSetup("escort", (ATTACKER, escort), {"fantastical": True}))
    log.tell("spell", magician="witch", spell="armour", target="civilian-1", dice=[1, 1])
    fire = {
        "shooter": "azab",
        "target": "civilian-1",
        "weapon": "matchlock",
        "inches": 10,
        "dice": [3, 4],
    }
    assert log.tell("shot", **fire).civilians["civilian-1"].wounds.worst == ""


def kinds_offered(log: Told, who: str) -> set[str]:
    return {each.kind for each in at_table(log.setup, log.events, who).actions}


def test_civilian_is_offered_moves_and_fates():
    log = escorted()
    assert "civilian" in kinds_offered(log, "")
    assert {"civilian", "move", "wound", "action"} <= kinds_offered(log, "civilian-1")
    assert "stun_roll" not in kinds_offered(log, "civilian-1")
    log.tell("wound", victim="civilian-1", result="stunned", attacker="azab")
    assert "stun_roll" in kinds_offered(log, "civilian-1")


def test_a_battle_without_civilians_asks_for_none():
    assert "civilian" not in kinds_offered(begun(SWORDS), "")


def test_the_dead_check_no_dexterity_and_do_not_drown():
    log = begun(SWORDS)
    log.tell("wound", victim="guard", result="critical", attacker="athos")
    assert log.errors("dexterity", fighter="guard", dice=[3, 3]) == ["out-of-action"]
    assert log.errors("water", fighter="guard", drowning=1) == ["out-of-action"]
