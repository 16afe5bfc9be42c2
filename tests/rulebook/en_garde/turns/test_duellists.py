"""The duellists of a Duel in a log turn by turn: named first, alone for two turns, others at a
price afterwards."""

from rulebook.ruleset import BattleSetup
from tests.rulebook.en_garde.turns.tables import SWORDS, Told, begun, opening

DUEL = BattleSetup("duel", SWORDS.sides)


def duel() -> Told:
    """Return Athos against Jussac in the first turn."""
    log = Told(DUEL)
    log.tell("duellist", fighter="athos")
    log.tell("duellist", fighter="jussac")
    log.tell("turn", turn=1)
    return log


def third_turn() -> Told:
    log = duel()
    log.tell("turn", turn=2)
    log.tell("turn", turn=3)
    return log


def test_nobody_acts_in_a_duel_before_both_sides_have_named_a_duellist():
    log = Told(DUEL)
    log.tell("duellist", fighter="athos")
    log.tell("turn", turn=1)
    assert log.errors("move", fighter="athos", inches=6) == ["no-duellist"]
    log.tell("duellist", fighter="jussac")
    log.tell("move", fighter="athos", inches=6)


def test_other_scenarios_have_no_duellists():
    assert Told().errors("duellist", fighter="athos") == ["kind-not-in-scenario"]
    assert begun().errors("move", fighter="planchet", inches=6) == []


def test_for_two_turns_the_duellists_alone_act_and_nobody_shoots():
    log = duel()
    log.tell("move", fighter="athos", inches=6)
    assert log.errors("move", fighter="planchet", inches=6) == ["duellists-only"]
    assert log.errors("order", commander="jussac", order="move", fighters=["guard"]) == [
        "duellists-only"
    ]
    fire = {
        "shooter": "planchet",
        "target": "jussac",
        "weapon": "matchlock",
        "inches": 10,
        "dice": [1, 2],
    }
    assert log.errors("shot", **fire) == ["duellists-only", "duellists-shoot"]
    assert log.errors("combat", **opening()) == [
        "duellists-only",
        "not-in-contact",
        "not-in-contact",
    ]
    log.tell("turn", turn=2)
    assert log.errors("action", fighter="guard", what="rest") == ["duellists-only"]
    log.tell("turn", turn=3)
    log.tell("action", fighter="guard", what="rest")
    log.tell("shot", **fire)


def test_the_duellists_fight_each_other_at_once():
    log = duel()
    log.tell("move", fighter="jussac", contacts=["athos"])
    fight = opening(fighters={"a": ["athos"], "b": ["jussac"]}, counters={"a": [3, 3], "b": [2, 1]})
    log.tell("combat", **{**fight, "initiative": {"athos": [6], "jussac": [1]}})
    state = log.tell("attack", attacker="athos", target="jussac", dice=[6, 6], defence_dice=[1])
    assert state.offences == {}


def test_a_side_names_another_duellist_only_once_the_first_is_dead():
    log = duel()
    assert log.errors("duellist", fighter="guard") == ["duellist-lives"]
    log.tell("wound", victim="jussac", result="critical", attacker="athos")
    assert log.errors("duellist", fighter="jussac") == ["out-of-action"]
    log.tell("duellist", fighter="guard")
    assert log.errors("move", fighter="guard", inches=6, enters_ground=True) == []
    assert log.errors("move", fighter="milady", inches=6) == ["duellists-only"]


def test_the_first_outsider_to_attack_costs_his_side_points_and_the_second_does_not():
    log = third_turn()
    fire = {
        "shooter": "planchet",
        "target": "jussac",
        "weapon": "matchlock",
        "inches": 10,
        "dice": [1, 2],
    }
    assert log.tell("shot", **fire).offences == {"attack": "a"}
    log.tell("move", fighter="guard", contacts=["athos"])
    log.tell("combat", **opening(initiative={"athos": [1], "guard": [6]}))
    strike = {"attacker": "guard", "target": "athos", "dice": [1, 1], "defence_dice": [6]}
    assert log.tell("attack", **strike).offences == {"attack": "a"}
    assert log.errors("duel_penalty", side="b", which="attack") == ["first-only"]


def test_who_does_not_dare_to_attack_has_not_attacked():
    log = third_turn()
    fire = {
        "shooter": "planchet",
        "target": "milady",
        "weapon": "matchlock",
        "inches": 10,
        "nerve": 6,
    }
    assert log.tell("shot", **fire).offences == {}


def test_the_first_outsider_on_the_duelling_ground_costs_his_side_points():
    log = third_turn()
    assert log.tell("move", fighter="athos", inches=1, enters_ground=True).offences == {}
    assert log.tell("move", fighter="guard", inches=1).offences == {}
    assert log.tell("move", fighter="milady", inches=1, enters_ground=True).offences == {
        "ground": "b"
    }
    assert log.tell("move", fighter="planchet", inches=1, enters_ground=True).offences == {
        "ground": "b"
    }
