"""The unconscious in a log turn by turn: they do nothing, engage nobody, and may be struck."""

from rulebook.systems.en_garde.table.rounds import Split
from tests.rulebook.en_garde.turns.tables import Told, begun, met

SUBDUE = {
    "attacker": "athos",
    "target": "guard",
    "ploys": ["subdue"],
    "dice": [5, 5],
    "defence_dice": [4],
}


def knocked_out() -> Told:
    log = met()
    state = log.tell("attack", **SUBDUE)
    assert state.combatants["guard"].wounds.unconscious
    return log


def test_an_unconscious_fighter_is_struck_without_defence():
    log = knocked_out()
    assert log.state.table.fight.next.id == "athos"
    blow = {"attacker": "athos", "target": "guard", "dice": [1, 1]}
    assert log.errors("attack", **blow, defence_dice=[1]) == ["wrong-dice"]
    assert log.tell("attack", **blow).combatants["guard"].dead


def test_an_unconscious_fighter_neither_strikes_nor_moves():
    log = knocked_out()
    log.tell("pass", fighter="athos")
    assert log.state.table.fight.over
    log.tell("turn", turn=2)
    assert log.errors("move", fighter="guard", inches=1) == ["out-of-action"]


def test_nobody_is_engaged_by_the_unconscious():
    log = knocked_out()
    assert log.state.table.of("athos").contacts == ()
    log.tell("turn", turn=2)
    log.tell("move", fighter="athos", gait="run", inches=9)


def test_a_move_up_to_the_unconscious_engages_nobody():
    log = begun()
    log.tell("wound", victim="guard", result="grievous", attacker="athos", subdue=True)
    log.tell("move", fighter="athos", contacts=["guard", "jussac"])
    assert log.state.table.of("athos").contacts == ("jussac",)
    assert log.state.table.of("guard").contacts == ()
    log.tell("move", fighter="planchet", contacts=["guard"])
    assert not log.state.table.engaged("planchet")


def test_who_is_unconscious_is_finished_off_in_a_later_combat():
    log = begun()
    log.tell("wound", victim="guard", result="grievous", attacker="athos", subdue=True)
    log.tell(
        "combat",
        fighters={"a": ["athos"], "b": ["guard"]},
        counters={"a": [6, 0], "b": [0, 0]},
        initiative={"athos": [6], "guard": [1]},
    )
    assert log.state.table.of("athos").contacts == ()
    assert (
        log.tell("attack", attacker="athos", target="guard", dice=[1, 1]).combatants["guard"].dead
    )


def test_who_has_knocked_its_enemy_out_goes_on_to_another():
    log = knocked_out()
    onward = {
        "fighters": {"a": ["athos"], "b": ["jussac"]},
        "counters": {"a": [1, 3], "b": [2, 1]},
        "initiative": {"athos": [6], "jussac": [1]},
    }
    assert log.tell("combat", **onward, moved_on="athos").table.fight.pools["a"] == Split(1, 3)
