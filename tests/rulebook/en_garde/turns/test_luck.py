"""Luck in a log turn by turn."""

from tests.rulebook.en_garde.turns.tables import Rigged, met


def test_luck_is_kept_when_all_goes_well():
    told = met()
    told.luck = Rigged(1, 2, 2, 6, 5)  # 1 becomes 2 by mastery; 4 and 5 against 6 and 2 hits by one all the same
    state = told.tell("attack", attacker="athos", target="guard", lucky="athos")
    assert not state.table.of("athos").lucky_used


def test_luck_is_spent_on_what_goes_against_the_lucky():
    told = met(initiative={"athos": [1], "guard": [6]})
    told.luck = Rigged(6, 6, 4, 1)  # 12 and a Fight of 2 against 4 and 5: the first six becomes a one, and misses
    state = told.tell("attack", attacker="guard", target="athos", lucky="athos")
    assert state.table.of("athos").lucky_used
    assert not state.combatants["athos"].wounds.worst
    assert told.events[-1].data["luck"] == 1


def test_nobody_without_luck_throws_a_die_again():
    blow = {"attacker": "athos", "target": "guard", "dice": [3, 3], "defence_dice": [6]}
    assert met().refused("attack", **blow, luck=6) == ["wrong-dice"]
