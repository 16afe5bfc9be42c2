"""The End Phase in a log turn by turn: Morale, Stunned counters; and what fighting undoes."""

from rulebook.ruleset import BattleSetup
from rulebook.systems.en_garde.table.morale import Morale
from rulebook.systems.en_garde.turns.fighters import present
from rulebook.systems.en_garde.turns.nerve import warband_of
from tests.rulebook.en_garde.turns.tables import SWORDS, Told, begun, man, met, opening, side


def test_morale_is_tested_for_the_losses_of_the_turn_before():
    told = met()
    told.tell("attack", attacker="athos", target="guard", dice=[6, 6], defence_dice=[1])
    assert told.errors("morale", side="b", dice=[6, 6]) == ["no-test-needed"]
    told.tell("turn", turn=2)
    assert told.tell("morale", side="b", dice=[6, 6]).table.morale_of("b") is Morale.WAVERING
    assert told.errors("morale", side="b", dice=[1, 1]) == ["tested-already"]
    told.tell("turn", turn=3)
    assert told.tell("morale", side="b", dice=[1, 1]).table.morale_of("b") is Morale.STEADY


def test_by_house_rule_morale_is_tested_at_once():
    told = met(BattleSetup("skirmish", SWORDS.sides, {"morale_timing": "same-turn"}))
    told.tell("attack", attacker="athos", target="guard", dice=[6, 6], defence_dice=[1])
    assert told.tell("morale", side="b", dice=[1, 1]).table.morale_of("b") is Morale.STEADY


def test_the_musketeers_keep_everybody_fearless_while_one_of_them_is_on_the_table():
    told = Told()
    told.tell("turn", turn=1)
    told.tell("wound", victim="planchet", result="critical", attacker="guard")
    told.tell("turn", turn=2)
    assert told.errors("morale", side="a", dice=[6, 6]) == ["no-test-needed"]
    assert present(told.state, "planchet").has("fearless")
    told.tell("left", fighter="athos")
    assert not present(told.state, "planchet").has("fearless")


def test_a_death_counts_for_morale_in_the_turn_of_the_death():
    told = Told()
    told.tell("turn", turn=1)
    told.tell("wound", victim="jussac", result="grievous", attacker="athos", subdue=True)
    told.tell("turn", turn=2)
    assert told.errors("morale", side="b", dice=[6, 6]) == ["no-test-needed"]
    told.tell("wound", victim="jussac", result="critical", attacker="athos")
    told.tell("turn", turn=3)
    assert told.tell("morale", side="b", dice=[6, 6]).table.morale_of("b") is Morale.WAVERING


def test_the_stunned_roll_once_a_turn():
    told = Told()
    told.tell("turn", turn=1)
    assert told.errors("stun_roll", fighter="guard", die=6) == ["not-stunned"]
    told.tell("wound", victim="guard", result="stunned", attacker="athos")
    assert told.tell("stun_roll", fighter="guard", die=5).combatants["guard"].wounds.stunned == 0
    told.tell("wound", victim="guard", result="stunned", attacker="athos")
    assert told.errors("stun_roll", fighter="guard", die=5) == ["rolled-already"]


def test_who_rested_and_then_fought_has_not_rested():
    told = Told()
    told.tell("turn", turn=1)
    told.tell("wound", victim="guard", result="stunned", attacker="athos")
    told.tell("action", fighter="guard", what="rest")
    told.tell("move", fighter="athos", contacts=["guard"])
    told.tell("combat", **opening())
    told.tell("left", fighter="athos")
    assert told.tell("stun_roll", fighter="guard", die=4).combatants["guard"].wounds.stunned == 1


def test_who_aimed_and_then_fought_shoots_no_better():
    told = Told()
    told.tell("turn", turn=1)
    told.tell("action", fighter="planchet", what="aim")
    told.tell("move", fighter="guard", contacts=["planchet"])
    told.tell(
        "combat",
        fighters={"a": ["planchet"], "b": ["guard"]},
        counters={"a": [0, 1], "b": [1, 1]},
        initiative={"planchet": [1], "guard": [6]},
    )
    told.tell("left", fighter="guard")
    told.tell("turn", turn=2)
    fire = {"shooter": "planchet", "target": "jussac", "weapon": "matchlock", "inches": 10}
    assert not told.tell("shot", **fire, dice=[3, 3]).deeds


def test_a_heavy_thing_is_dropped_on_contact_and_a_light_one_kept():
    told = Told()
    told.tell("turn", turn=1)
    told.tell("object", fighter="guard", what="chest", heavy=True)
    told.tell("object", fighter="guard", what="letter")
    assert told.tell("move", fighter="athos", contacts=["guard"]).table.of("guard").carries == {"letter": False}


def test_strength_counts_reserves_but_nobody_who_is_gone():
    band = tuple(man(f"m{place}", "ottoman-empire/azab", 2, leader=place == 1) for place in range(1, 11))
    told = Told(BattleSetup("skirmish", (side("a", "ottoman-empire", *band), SWORDS.sides[1])))
    told.tell("reserves", side="a", fighters=[f"m{place}" for place in range(6, 11)])
    told.tell("turn", turn=1)
    assert (warband_of(told.state, "a").start, warband_of(told.state, "a").strength) == (10, 10)
    told.tell("wound", victim="m1", result="critical", attacker="jussac")
    told.tell("routed", fighter="m2", overruled="For the count.")
    told.tell("wound", victim="m3", result="grievous", attacker="jussac", subdue=True)
    told.tell("wound", victim="m4", result="grievous", attacker="jussac", subdue=True)
    told.tell("captured", fighter="m4", by="jussac")
    warband = warband_of(told.state, "a")
    assert (warband.start, warband.strength) == (10, 6)


def test_allies_test_on_the_morale_of_the_warband():
    band = (man("boss", "conquistadors/veteran", 3, leader=True), man("ally", "aztecs/peasant", 1))
    told = begun(BattleSetup("skirmish", (side("a", "conquistadors", *band), SWORDS.sides[1])))
    assert warband_of(told.state, "a").rating == 8
