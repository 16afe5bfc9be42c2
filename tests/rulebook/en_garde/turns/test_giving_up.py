"""Routing off the table, giving up and the end of a battle in a log turn by turn."""

import pytest

from rulebook.ruleset import BattleSetup
from tests.rulebook.en_garde.turns.tables import SWORDS, Told, begun, man, met, side


def shaken() -> Told:
    """Return a battle in which side b Routs."""
    log = begun()
    log.tell("wound", victim="jussac", result="critical", attacker="athos")
    for turn in (2, 3):
        log.tell("turn", turn=turn)
        log.tell("morale", side="b", dice=[6, 6])
    return log


def test_only_fighters_of_a_routing_warband_rout_off_the_table():
    assert begun().errors("routed", fighter="guard") == ["not-routing"]
    log = shaken()
    assert log.state.table.morale_of("b").value == "routing"
    assert log.tell("routed", fighter="guard").combatants["guard"].routed


def test_who_is_engaged_does_not_rout_off_the_table():
    log = shaken()
    log.tell("turn", turn=4)
    log.tell("move", fighter="athos", contacts=["guard"])
    assert log.errors("routed", fighter="guard") == ["engaged"]


def test_a_rout_may_be_overruled_and_the_reason_is_kept():
    log = begun()
    state = log.tell("routed", fighter="guard", overruled="We forgot the second test.")
    assert state.combatants["guard"].routed
    assert [(each.code, each.reason) for each in log.overruled] == [
        ("not-routing", "We forgot the second test.")
    ]


def test_rout_is_accepted_on_sheet_without_turns():
    assert Told(SWORDS).tell("routed", fighter="guard").combatants["guard"].routed


@pytest.mark.parametrize(
    ("kind", "data"),
    [
        ("wound", {"victim": "guard", "result": "critical", "attacker": "athos"}),
        ("removed_stun", {"fighter": "guard"}),
        ("routed", {"fighter": "guard"}),
        ("left", {"fighter": "guard"}),
    ],
)
def test_nobody_is_hurt_or_leaves_once_a_battle_of_turns_has_ended(kind, data):
    log = begun()
    log.tell("ended", how="agreed")
    assert log.errors(kind, **data) == ["ended-already"]


def test_wounds_are_accepted_on_sheet_after_end():
    log = Told(SWORDS)
    log.tell("ended", how="agreed")
    log.tell("wound", victim="guard", result="critical", attacker="athos")


@pytest.mark.parametrize("how", ["conceded", "withdrew"])
def test_a_side_that_has_given_up_does_nothing_more(how):
    log = begun()
    log.tell(how, side="b")
    assert log.errors("move", fighter="guard", inches=3) == ["side-gone"]
    assert log.errors("action", fighter="guard", what="rest") == ["side-gone"]
    assert log.errors("turn", turn=2) == ["one-side-left"]
    log.tell("move", fighter="guard", inches=3, overruled="They left in good order.")


def test_conceded_side_cannot_attack():
    log = met()
    log.tell("conceded", side="a")
    assert "side-gone" in log.errors(
        "attack", attacker="athos", target="guard", dice=[1, 1], defence_dice=[1]
    )


def test_in_a_game_of_three_the_others_go_on():
    third = side("c", "cardinals-guard", man("third", "cardinals-guard/guard", 2, leader=True))
    log = begun(BattleSetup("occupy", (*SWORDS.sides, third)))
    log.tell("conceded", side="b")
    log.tell("turn", turn=2)
