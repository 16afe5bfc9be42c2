"""The End Phase in a log turn by turn: Morale, Stunned counters; and what fighting undoes."""

from rulebook.ruleset import BattleSetup
from rulebook.systems.en_garde.table.morale import Morale
from rulebook.systems.en_garde.turns.fighters import present
from rulebook.systems.en_garde.turns.nerve import warband_of
from tests.rulebook.en_garde.turns.tables import SWORDS, Told, begun, man, met, opening, side


def test_morale_is_tested_for_the_losses_of_the_turn_before():
    log = met()
    log.tell("attack", attacker="athos", target="guard", dice=[6, 6], defence_dice=[1])
    assert log.errors("morale", side="b", dice=[6, 6]) == ["no-test-needed"]
    log.tell("turn", turn=2)
    assert log.tell("morale", side="b", dice=[6, 6]).table.morale_of("b") is Morale.WAVERING
    assert log.errors("morale", side="b", dice=[1, 1]) == ["tested-already"]
    log.tell("turn", turn=3)
    assert log.tell("morale", side="b", dice=[1, 1]).table.morale_of("b") is Morale.STEADY


def test_by_house_rule_morale_is_tested_at_once():
    log = met(BattleSetup("skirmish", SWORDS.sides, {"morale_timing": "same-turn"}))
    log.tell("attack", attacker="athos", target="guard", dice=[6, 6], defence_dice=[1])
    assert log.tell("morale", side="b", dice=[1, 1]).table.morale_of("b") is Morale.STEADY


def test_the_musketeers_keep_everybody_fearless_while_one_of_them_is_on_the_table():
    log = Told()
    log.tell("turn", turn=1)
    log.tell("wound", victim="planchet", result="critical", attacker="guard")
    log.tell("turn", turn=2)
    assert log.errors("morale", side="a", dice=[6, 6]) == ["no-test-needed"]
    assert present(log.state, "planchet").has("fearless")
    log.tell("left", fighter="athos")
    assert not present(log.state, "planchet").has("fearless")


def test_a_death_counts_for_morale_in_the_turn_of_the_death():
    log = Told()
    log.tell("turn", turn=1)
    log.tell("wound", victim="jussac", result="grievous", attacker="athos", subdue=True)
    log.tell("turn", turn=2)
    assert log.errors("morale", side="b", dice=[6, 6]) == ["no-test-needed"]
    log.tell("wound", victim="jussac", result="critical", attacker="athos")
    log.tell("turn", turn=3)
    assert log.tell("morale", side="b", dice=[6, 6]).table.morale_of("b") is Morale.WAVERING


def test_the_stunned_roll_once_a_turn():
    log = Told()
    log.tell("turn", turn=1)
    assert log.errors("stun_roll", fighter="guard", die=6) == ["not-stunned"]
    log.tell("wound", victim="guard", result="stunned", attacker="athos")
    assert log.tell("stun_roll", fighter="guard", die=5).combatants["guard"].wounds.stunned == 0
    log.tell("wound", victim="guard", result="stunned", attacker="athos")
    assert log.errors("stun_roll", fighter="guard", die=5) == ["rolled-already"]


def test_who_rested_and_then_fought_has_not_rested():
    log = Told()
    log.tell("turn", turn=1)
    log.tell("wound", victim="guard", result="stunned", attacker="athos")
    log.tell("action", fighter="guard", what="rest")
    log.tell("move", fighter="athos", contacts=["guard"])
    log.tell("combat", **opening())
    log.tell("left", fighter="athos")
    assert log.tell("stun_roll", fighter="guard", die=4).combatants["guard"].wounds.stunned == 1


def test_who_aimed_and_then_fought_shoots_no_better():
    log = Told()
    log.tell("turn", turn=1)
    log.tell("action", fighter="planchet", what="aim")
    log.tell("move", fighter="guard", contacts=["planchet"])
    log.tell(
        "combat",
        fighters={"a": ["planchet"], "b": ["guard"]},
        counters={"a": [0, 1], "b": [1, 1]},
        initiative={"planchet": [1], "guard": [6]},
    )
    log.tell("left", fighter="guard")
    log.tell("turn", turn=2)
    fire = {"shooter": "planchet", "target": "jussac", "weapon": "matchlock", "inches": 10}
    assert not log.tell("shot", **fire, dice=[3, 3]).deeds


def test_a_heavy_thing_is_dropped_on_contact_and_a_light_one_kept():
    log = Told()
    log.tell("turn", turn=1)
    log.tell("object", fighter="guard", what="chest", heavy=True)
    log.tell("object", fighter="guard", what="letter")
    assert log.tell("move", fighter="athos", contacts=["guard"]).table.of("guard").carries == {
        "letter": False
    }


def test_strength_counts_reserves_but_nobody_who_is_gone():
    band = tuple(
        man(f"m{place}", "ottoman-empire/azab", 2, leader=place == 1) for place in range(1, 11)
    )
    log = Told(BattleSetup("skirmish", (side("a", "ottoman-empire", *band), SWORDS.sides[1])))
    log.tell("reserves", side="a", fighters=[f"m{place}" for place in range(6, 11)])
    log.tell("turn", turn=1)
    assert (warband_of(log.state, "a").start, warband_of(log.state, "a").strength) == (10, 10)
    log.tell("wound", victim="m1", result="critical", attacker="jussac")
    log.tell("routed", fighter="m2", overruled="For the count.")
    log.tell("wound", victim="m3", result="grievous", attacker="jussac", subdue=True)
    log.tell("wound", victim="m4", result="grievous", attacker="jussac", subdue=True)
    log.tell("captured", fighter="m4", by="jussac")
    warband = warband_of(log.state, "a")
    assert (warband.start, warband.strength) == (10, 6)


def test_allies_test_on_the_morale_of_the_warband():
    band = (man("boss", "conquistadors/veteran", 3, leader=True), man("ally", "aztecs/peasant", 1))
    log = begun(BattleSetup("skirmish", (side("a", "conquistadors", *band), SWORDS.sides[1])))
    assert warband_of(log.state, "a").rating == 8
