"""Rivers and drowning in a log turn by turn."""

from tests.rulebook.en_garde.turns.tables import Rigged, begun

SWEPT = {"fighter": "guard", "entering": True, "die": 6}


def test_the_river_sweeps_away_stuns_and_may_drown():
    told = begun()
    told.tell("water", fighter="guard", entering=True, die=3)
    assert told.errors("water", **SWEPT) == ["wrong-dice", "wrong-dice"]
    assert told.errors("water", **SWEPT, drowning=5) == ["wrong-dice"]
    state = told.tell("water", **SWEPT, drift=[4, 5], drowning=5)
    assert state.combatants["guard"].wounds.stunned == 1
    assert begun().tell("water", **SWEPT, drift=[1, 1], drowning=6).combatants["guard"].killed_by == "drowning"


def test_nobody_drifts_whom_the_river_leaves_alone():
    told = begun()
    assert told.errors("water", fighter="guard", entering=True, die=5, drift=[1, 2]) == ["wrong-dice"]


def test_only_who_was_stunned_rolls_against_drowning_and_once_for_it():
    told = begun()
    told.tell("move", fighter="guard", in_water=True)
    assert told.errors("water", fighter="guard", drowning=6) == ["not-stunned"]
    told.tell("wound", victim="guard", result="stunned", attacker="athos")
    assert told.state.table.of("guard").undrowned
    told.tell("water", fighter="guard", drowning=5)
    assert not told.state.table.of("guard").undrowned
    assert told.errors("water", fighter="guard", drowning=6) == ["not-stunned"]


def test_a_third_counter_is_one_as_well():
    told = begun()
    told.tell("move", fighter="guard", in_water=True)
    for _ in range(2):
        told.tell("wound", victim="guard", result="stunned", attacker="athos")
        told.tell("water", fighter="guard", drowning=1)
    told.tell("wound", victim="guard", result="stunned", attacker="athos")
    assert told.tell("water", fighter="guard", drowning=6).combatants["guard"].dead


def test_on_dry_ground_nobody_is_in_danger():
    told = begun()
    told.tell("move", fighter="guard", in_water=True)
    told.tell("turn", turn=2)
    told.tell("move", fighter="guard", inches=3)
    told.tell("wound", victim="guard", result="stunned", attacker="athos")
    assert not told.state.table.of("guard").in_water


def test_muster_throws_for_the_drift():
    told = begun()
    told.luck = Rigged(6, 3, 4, 1)
    told.tell("water", fighter="guard", entering=True)
    assert (told.events[-1].data["drift"], told.events[-1].data["drowning"]) == ([3, 4], 1)
