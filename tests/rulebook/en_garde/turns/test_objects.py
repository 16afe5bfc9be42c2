"""Things picked up, handed on and dropped in a log turn by turn."""

from rulebook.ruleset import BattleSetup
from tests.rulebook.en_garde.turns.tables import GUARD, Told, begun, man, side


def test_heavy_things_slow_their_bearer_and_take_an_action():
    log = begun()
    log.tell("object", fighter="guard", what="chest", heavy=True)
    assert log.errors("move", fighter="guard") == ["acted-already"]
    log.tell("turn", turn=2)
    assert log.errors("move", fighter="guard", inches=5) == ["too-far"]
    assert (
        log.tell("object", fighter="guard", what="chest", how="dropped").table.of("guard").carries
        == {}
    )
    assert log.errors("object", fighter="jussac", what="chest", how="dropped") == ["not-carried"]


def test_a_friend_hands_a_thing_on_and_an_enemy_keeps_it():
    log = begun()
    log.tell("object", fighter="guard", what="letter")
    assert log.errors("object", fighter="athos", what="letter") == ["carried-by-enemy"]
    state = log.tell("object", fighter="jussac", what="letter")
    assert (state.table.of("guard").carries, state.table.of("jussac").carries) == (
        {},
        {"letter": False},
    )


def test_what_the_dead_carried_may_be_picked_up():
    log = begun()
    log.tell("object", fighter="guard", what="letter")
    log.tell("wound", victim="guard", result="critical", attacker="athos")
    assert log.tell("object", fighter="athos", what="letter").table.of("athos").carries == {
        "letter": False
    }


def rider() -> Told:
    knight = man("knight", "conquistadors/knight", 3, leader=True)
    return begun(BattleSetup("skirmish", (side("a", "conquistadors", knight), GUARD)))


def test_what_is_heavy_comes_off_a_mount_by_an_action_and_what_is_light_at_once():
    log = rider()
    log.tell("object", fighter="knight", what="chest", heavy=True)
    assert log.errors("object", fighter="knight", what="chest", how="dropped") == ["acted-already"]
    log.tell("turn", turn=2)
    log.tell("object", fighter="knight", what="chest", how="dropped")
    assert log.errors("move", fighter="knight", inches=1) == ["acted-already"]
    log.tell("object", fighter="knight", what="letter")
    log.tell("object", fighter="knight", what="letter", how="dropped")


def test_a_rider_keeps_a_heavy_thing_when_engaged():
    log = rider()
    log.tell("object", fighter="knight", what="chest", heavy=True)
    assert log.tell("move", fighter="guard", contacts=["knight"]).table.of("knight").carries == {
        "chest": True
    }
