"""Rivers and drowning in a log turn by turn."""

from tests.rulebook.en_garde.turns.tables import Rigged, begun

SWEPT = {"fighter": "guard", "entering": True, "die": 6}


def test_the_river_sweeps_away_stuns_and_may_drown():
    log = begun()
    log.tell("water", fighter="guard", entering=True, die=3)
    assert log.errors("water", **SWEPT) == ["wrong-dice", "wrong-dice"]
    assert log.errors("water", **SWEPT, drowning=5) == ["wrong-dice"]
    state = log.tell("water", **SWEPT, drift=[4, 5], drowning=5)
    assert state.combatants["guard"].wounds.stunned == 1
    assert (
        begun().tell("water", **SWEPT, drift=[1, 1], drowning=6).combatants["guard"].killed_by
        == "drowning"
    )


def test_fighter_without_drift_needs_no_drift_dice():
    log = begun()
    assert log.errors("water", fighter="guard", entering=True, die=5, drift=[1, 2]) == [
        "wrong-dice"
    ]


def test_stunned_fighter_rolls_once_against_drowning():
    log = begun()
    log.tell("move", fighter="guard", in_water=True)
    assert log.errors("water", fighter="guard", drowning=6) == ["not-stunned"]
    log.tell("wound", victim="guard", result="stunned", attacker="athos")
    assert log.state.table.of("guard").undrowned
    log.tell("water", fighter="guard", drowning=5)
    assert not log.state.table.of("guard").undrowned
    assert log.errors("water", fighter="guard", drowning=6) == ["not-stunned"]


def test_a_third_counter_is_one_as_well():
    log = begun()
    log.tell("move", fighter="guard", in_water=True)
    for _ in range(2):
        log.tell("wound", victim="guard", result="stunned", attacker="athos")
        log.tell("water", fighter="guard", drowning=1)
    log.tell("wound", victim="guard", result="stunned", attacker="athos")
    assert log.tell("water", fighter="guard", drowning=6).combatants["guard"].dead


def test_on_dry_ground_nobody_is_in_danger():
    log = begun()
    log.tell("move", fighter="guard", in_water=True)
    log.tell("turn", turn=2)
    log.tell("move", fighter="guard", inches=3)
    log.tell("wound", victim="guard", result="stunned", attacker="athos")
    assert not log.state.table.of("guard").in_water


def test_muster_throws_for_the_drift():
    log = begun()
    log.luck = Rigged(6, 3, 4, 1)
    log.tell("water", fighter="guard", entering=True)
    assert (log.events[-1].data["drift"], log.events[-1].data["drowning"]) == ([3, 4], 1)
