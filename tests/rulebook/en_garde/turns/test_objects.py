"""Things picked up, handed on and dropped in a log turn by turn."""

from rulebook.ruleset import BattleSetup
from tests.rulebook.en_garde.turns.tables import GUARD, Told, begun, man, side


def test_heavy_things_slow_their_bearer_and_take_an_action():
    told = begun()
    told.tell("object", fighter="guard", what="chest", heavy=True)
    assert told.errors("move", fighter="guard") == ["acted-already"]
    told.tell("turn", turn=2)
    assert told.errors("move", fighter="guard", inches=5) == ["too-far"]
    assert told.tell("object", fighter="guard", what="chest", how="dropped").table.of("guard").carries == {}
    assert told.errors("object", fighter="jussac", what="chest", how="dropped") == ["not-carried"]


def test_a_friend_hands_a_thing_on_and_an_enemy_keeps_it():
    told = begun()
    told.tell("object", fighter="guard", what="letter")
    assert told.errors("object", fighter="athos", what="letter") == ["carried-by-enemy"]
    state = told.tell("object", fighter="jussac", what="letter")
    assert (state.table.of("guard").carries, state.table.of("jussac").carries) == ({}, {"letter": False})


def test_what_the_dead_carried_may_be_picked_up():
    told = begun()
    told.tell("object", fighter="guard", what="letter")
    told.tell("wound", victim="guard", result="critical", attacker="athos")
    assert told.tell("object", fighter="athos", what="letter").table.of("athos").carries == {"letter": False}


def rider() -> Told:
    knight = man("knight", "conquistadors/knight", 3, leader=True)
    return begun(BattleSetup("skirmish", (side("a", "conquistadors", knight), GUARD)))


def test_what_is_heavy_comes_off_a_mount_by_an_action_and_what_is_light_at_once():
    told = rider()
    told.tell("object", fighter="knight", what="chest", heavy=True)
    assert told.errors("object", fighter="knight", what="chest", how="dropped") == ["acted-already"]
    told.tell("turn", turn=2)
    told.tell("object", fighter="knight", what="chest", how="dropped")
    assert told.errors("move", fighter="knight", inches=1) == ["acted-already"]
    told.tell("object", fighter="knight", what="letter")
    told.tell("object", fighter="knight", what="letter", how="dropped")


def test_a_rider_keeps_a_heavy_thing_when_engaged():
    told = rider()
    told.tell("object", fighter="knight", what="chest", heavy=True)
    assert told.tell("move", fighter="guard", contacts=["knight"]).table.of("knight").carries == {"chest": True}
