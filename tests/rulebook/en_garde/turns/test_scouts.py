"""Scouts before the game in a log turn by turn."""

from rulebook.ruleset import BattleSetup
from tests.rulebook.en_garde.turns.tables import GUARD, Told, man, side


def scouts() -> Told:
    scout = man("scout", "custom/rank-3", 3, leader=True, kept={"attributes": ["scout"]})
    shooter = man("shooter", "custom/rank-3", 3, equipment=["bow"])
    return Told(BattleSetup("skirmish", (side("a", "custom", scout, shooter), GUARD)))


def test_scouts_go_ahead_before_the_first_turn_and_no_further_than_twelve_inches():
    log = scouts()
    assert log.errors("scout", fighter="guard", inches=6) == ["no-scout"]
    assert log.errors("scout", fighter="scout", inches=12.5) == ["too-far"]
    log.tell("scout", fighter="scout", inches=12)
    assert log.errors("scout", fighter="scout", inches=1) == ["scouted-already"]
    late = scouts()
    late.tell("turn", turn=1)
    assert late.errors("scout", fighter="scout", inches=6) == ["battle-begun"]


def test_a_scout_may_begin_hidden_and_stays_so_until_it_acts():
    foes = side("b", "custom", man("archer", "custom/rank-3", 3, leader=True, equipment=["bow"]))
    log = Told(BattleSetup("skirmish", (scouts().setup.sides[0], foes)))
    log.tell("scout", fighter="scout", hidden=True)
    log.tell("turn", turn=1)
    fire = {"shooter": "archer", "target": "scout", "weapon": "bow", "inches": 10, "dice": [3, 3]}
    assert log.errors("shot", **fire) == ["target-hidden"]
    log.tell("move", fighter="scout", inches=3)
    assert log.errors("shot", **fire) == []


def test_a_scout_that_only_moved_is_seen():
    log = scouts()
    assert not log.tell("scout", fighter="scout", inches=6).table.of("scout").hidden
