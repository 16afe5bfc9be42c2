"""Blows in a log turn by turn: dice, ploys, harm, free attacks."""

import pytest

from rulebook.ruleset import BattleSetup
from rulebook.systems.en_garde.table.combatant import (
    Grip,
    blow_wound_modifiers,
    initiative_modifiers,
    total,
)
from rulebook.systems.en_garde.table.rounds import Split
from rulebook.systems.en_garde.table.wounds import Wound
from rulebook.systems.en_garde.turns.fighters import present
from tests.rulebook.en_garde.turns.tables import GUARD, Told, begun, man, met, side


def test_a_blow_spends_counters_and_wounds():
    log = met()
    state = log.tell(
        "attack",
        attacker="athos",
        target="guard",
        answers=["parry"],
        dice=[5, 5],
        defence_dice=[2, 2],
    )
    assert state.combatants["guard"].dead
    (deed,) = state.deeds
    assert (deed.fighter, deed.killed, deed.means) == ("athos", True, "melee")
    assert state.table.fight.over


def test_the_dead_leave_contact_and_combat():
    log = met()
    log.tell("attack", attacker="athos", target="guard", dice=[6, 6], defence_dice=[1])
    assert log.state.table.of("athos").contacts == ()
    assert log.errors(
        "attack", attacker="athos", target="guard", dice=[6, 6], defence_dice=[1]
    ) == ["already-logged"]


def test_blows_are_struck_in_turn():
    log = met()
    assert log.errors(
        "attack", attacker="guard", target="athos", dice=[1, 1], defence_dice=[1]
    ) == ["not-its-turn"]
    log.tell("pass", fighter="athos")
    log.tell("attack", attacker="guard", target="athos", dice=[1, 1], defence_dice=[1])


def test_a_weapon_master_may_throw_again_and_others_may_not():
    log = met()
    strike = {
        "attacker": "athos",
        "target": "guard",
        "dice": [1, 5],
        "defence_dice": [6],
        "reroll": 6,
    }
    assert log.tell("attack", **strike).combatants["guard"].wounds.wound is Wound.CRITICAL
    other = met(initiative={"athos": [1, 1], "guard": [6, 1]})
    errors = other.errors(
        "attack", attacker="guard", target="athos", dice=[1, 5], defence_dice=[6], reroll=6
    )
    assert errors == ["wrong-dice"]


def test_a_riposte_turns_the_blow_and_costs_the_next_opportunity():
    log = met(initiative={"athos": [1], "guard": [6]})
    state = log.tell(
        "attack",
        attacker="guard",
        target="athos",
        answers=["riposte"],
        dice=[1, 1],
        defence_dice=[5, 5],
    )
    assert state.combatants["guard"].dead
    (deed,) = state.deeds
    assert (deed.fighter, deed.means) == ("athos", "riposte")


def test_ploys_have_their_conditions_in_the_log_too():
    log = met(initiative={"athos": [1], "guard": [6]})
    strike = {
        "attacker": "guard",
        "target": "athos",
        "dice": [1, 1, 1],
        "defence_dice": [1],
        "ploys": ["mighty-blow"],
    }
    assert log.errors("attack", **strike) == ["no-counter"]
    strike = {
        "attacker": "guard",
        "target": "athos",
        "dice": [1, 1],
        "defence_dice": [1],
        "ploys": ["feint"],
    }
    assert log.errors("attack", **strike) == ["no-weapon-master"]


def test_disengaging_leaves_the_combat_unhurt():
    log = met()
    state = log.tell(
        "attack",
        attacker="athos",
        target="guard",
        ploys=["disengage"],
        dice=[6, 6],
        defence_dice=[1],
    )
    assert state.table.of("guard").contacts == ()
    assert not state.deeds
    assert state.table.fight.over


def test_a_free_attack_is_made_once_and_only_in_contact():
    log = Told()
    log.tell("turn", turn=1)
    strike = {"attacker": "athos", "target": "guard", "dice": [6, 6], "defence_dice": [1]}
    assert log.errors("free_attack", **strike) == ["not-in-contact"]
    log.tell("move", fighter="guard", contacts=["athos"])
    assert log.errors("free_attack", **strike) == ["does-not-leave"]
    log.tell("turn", turn=2)
    assert log.tell("free_attack", **strike).combatants["guard"].killed_by.startswith("ATHOS")


def test_who_does_not_dare_strike_the_beguiling_keeps_the_counter():
    log = Told()
    log.tell("turn", turn=1)
    log.tell("move", fighter="milady", contacts=["athos"])
    log.tell(
        "combat",
        fighters={"a": ["athos"], "b": ["milady"]},
        counters={"a": [3, 3], "b": [1, 1]},
        initiative={"athos": [6], "milady": [1]},
    )
    state = log.tell("attack", attacker="athos", target="milady", nerve=5)
    assert state.table.fight.pools["a"] == Split(3, 3)
    assert state.table.fight.next.id == "milady"


def test_the_relentless_do_not_parry_with_a_friends_counter():
    horrors = side(
        "a",
        "fantastical",
        man("dead", "fantastical/revenant", 1),
        man("witch", "fantastical/witch", 5, leader=True),
    )
    log = begun(
        BattleSetup("skirmish", (horrors, GUARD), {"fantastical": True}), guard=["dead", "witch"]
    )
    log.tell(
        "combat",
        fighters={"a": ["dead", "witch"], "b": ["guard"]},
        counters={"a": [2, 3], "b": [2, 0]},
        initiative={"dead": [1], "witch": [1], "guard": [6]},
    )
    blow = {"attacker": "guard", "answers": ["parry"], "dice": [1, 1], "defence_dice": [1, 1]}
    assert log.errors("attack", **blow, target="dead") == ["never-defends"]
    assert log.errors("attack", **blow, target="witch") == []


def test_a_free_attack_on_the_beguiling_takes_nerve_and_is_spent_without_it():
    def closed() -> Told:
        log = begun()
        log.tell("move", fighter="milady", contacts=["planchet"])
        log.tell("turn", turn=2)
        return log

    strike = {"attacker": "planchet", "target": "milady", "dice": [6, 6], "defence_dice": [1]}
    assert closed().errors("free_attack", **strike) == ["wrong-dice"]
    log = closed()
    shy = {"attacker": "planchet", "target": "milady", "nerve": 1}
    assert not log.tell("free_attack", **shy).combatants["milady"].wounds.worst
    assert log.errors("free_attack", **shy) == ["free-attack-made"]


def test_a_bold_fighter_makes_its_free_attack_on_the_beguiling():
    log = begun()
    log.tell("move", fighter="milady", contacts=["athos"])
    log.tell("turn", turn=2)
    strike = {"attacker": "athos", "target": "milady", "dice": [6, 6], "defence_dice": [1]}
    assert log.tell("free_attack", **strike, nerve=4).combatants["milady"].dead


def test_only_the_fast_strike_twice_in_a_row():
    blow = {"attacker": "athos", "target": "guard", "dice": [1, 1], "defence_dice": [6]}
    assert met().errors("attack", **blow, again=True) == ["not-twice"]
    assert met().errors("attack", **blow) == []


def test_a_feint_that_lands_gives_counter_and_attack_back():
    log = met(counters={"a": [6, 0], "b": [1, 1]})
    state = log.tell(
        "attack", attacker="athos", target="guard", ploys=["feint"], dice=[6, 6], defence_dice=[1]
    )
    assert state.table.fight.pools["a"] == Split(6, 0)
    assert state.table.fight.fencer("athos").attacks == 0


@pytest.mark.parametrize(
    ("profile", "build", "penalty"),
    [("custom/rank-3", {}, 1), ("conquistadors/warhound", {}, 0)],
    ids=["unarmed-man", "hound"],
)
def test_only_beasts_fight_bare_handed_without_a_penalty(profile, build, penalty):
    unarmed = man("unarmed", profile, 3, leader=True, **build)
    log = begun(BattleSetup("skirmish", (side("a", profile.partition("/")[0], unarmed), GUARD)))
    fighter = present(log.state, "unarmed")
    assert fighter.weapons == ()
    assert total(initiative_modifiers(fighter, Grip())) == -penalty
    assert total(blow_wound_modifiers(fighter, Grip(), fighter)) == -2 * penalty


def test_a_master_of_the_pistol_in_close_combat_throws_again_with_a_pistol_in_hand():
    masters = {"attributes": ["weapon-master:pistol-in-close-combat"]}
    shot = man("shot", "custom/rank-4", 4, leader=True, equipment=["pistol"], kept=masters)
    log = begun(BattleSetup("skirmish", (side("a", "custom", shot), GUARD)), shot=["guard"])
    log.tell(
        "combat",
        fighters={"a": ["shot"], "b": ["guard"]},
        counters={"a": [2, 2], "b": [1, 1]},
        initiative={"shot": [6], "guard": [1]},
        weapons={"shot": "pistol"},
    )
    strike = {"attacker": "shot", "target": "guard", "dice": [1, 5], "defence_dice": [6]}
    assert log.tell("attack", **strike, reroll=6).combatants["guard"].wounds.worst
