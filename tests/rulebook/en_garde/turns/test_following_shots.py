"""Shots that follow from others in a log: aim, misfires, and everybody under a blast."""

from typing import Any

from rulebook.ruleset import BattleSetup
from rulebook.systems.en_garde.table.wounds import Wound
from tests.rulebook.en_garde.turns.tables import Told, begun, man, side
from tests.rulebook.en_garde.turns.test_shots import ARCHERS

CHARACTERISTICS = {"combat_pool": 2, "initiative": 1, "fight": 2, "shoot": 0}


def plain(identity: str, *equipment: str, **more: Any) -> dict[str, Any]:
    return {"characteristics": CHARACTERISTICS, "equipment": ["hand-weapon", *equipment], **more}


def thrower() -> Told:
    """Return a grenadier against three: a plain one, one who dodges, and one in hiding."""
    foes = (
        man("one", "custom/rank-2", 2, **plain("one"), leader=True),
        man("nimble", "custom/rank-2", 2, **plain("nimble", kept={"attributes": ["dodge"]})),
        man("rider", "custom/rank-2", 2, **plain("rider", "horse")),
    )
    first = side(
        "a",
        "custom",
        man("thrower", "custom/rank-2", 2, **plain("thrower", "grenade"), leader=True),
    )
    return begun(BattleSetup("skirmish", (first, side("b", "custom", *foes))))


GRENADE = {"shooter": "thrower", "weapon": "grenade", "inches": 8}


def test_an_aim_helps_with_the_next_roll_alone():
    log = begun(ARCHERS)
    log.tell("action", fighter="rider", what="aim")
    log.tell("turn", turn=2)
    bow = {
        "shooter": "rider",
        "target": "guard",
        "weapon": "bow",
        "inches": 10,
        "twice": True,
        "dice": [3, 3],
    }
    first = log.tell("shot", **bow).table.of("rider").last_shot
    second = log.tell("shot", **bow).table.of("rider").last_shot
    assert first is not None
    assert second is not None
    assert first.hit_score - second.hit_score == 1


def test_two_ones_on_the_second_shot_into_a_combat_jam_the_weapon():
    log = begun()
    log.tell("move", fighter="guard", contacts=["athos"])
    data = {"shooter": "planchet", "weapon": "matchlock", "inches": 5}
    log.tell("shot", **data, target="guard", dice=[2, 3])
    assert log.state.table.of("planchet").reload == {"matchlock": 1}
    state = log.tell("shot", **data, target="athos", dice=[1, 1], wide_of="guard")
    assert state.table.of("planchet").reload == {"matchlock": 2}


def test_everybody_under_a_blast_is_struck_by_the_score_of_the_shot_however_far_off_or_nimble():
    log = thrower()
    log.tell("shot", **GRENADE, target="one", dice=[4, 4])
    assert log.state.combatants["one"].wounds.wound is Wound.LIGHT
    beyond = {**GRENADE, "inches": 10.5, "beside": "one", "cover": "heavy"}
    assert (
        log.tell("shot", **beyond, target="nimble").combatants["nimble"].wounds.wound is Wound.LIGHT
    )


def test_blast_hits_hidden_fighter_near_target():
    log = thrower()
    log.tell("action", fighter="nimble", what="hide")
    log.tell("shot", **GRENADE, target="one", dice=[4, 4])
    log.tell("shot", **GRENADE, target="nimble", beside="one")


def test_a_blast_at_a_point_rolls_against_the_point_and_asks_for_no_line_to_the_fighter():
    log = thrower()
    log.tell("action", fighter="nimble", what="hide")
    assert log.errors("shot", **GRENADE, target="nimble", dice=[4, 4]) == ["target-hidden"]
    state = log.tell("shot", **GRENADE, target="nimble", dice=[4, 4], at_point=True, cover="heavy")
    assert state.combatants["nimble"].wounds.wound is Wound.LIGHT
