"""Summoned fighters in a log turn by turn: they play in this battle, and are on no roster. Ruling
B32."""

from typing import Any

from rulebook.ruleset import BattleSetup
from rulebook.systems.en_garde.turns.fighters import present
from rulebook.systems.en_garde.turns.nerve import warband_of
from tests.rulebook.en_garde.logs import result
from tests.rulebook.en_garde.turns.tables import GUARD, Told, begun, man, side

COVEN = side("a", "fantastical", man("witch", "fantastical/witch", 5, leader=True))
MAGIC = BattleSetup("skirmish", (COVEN, GUARD), {"fantastical": True})
CALL: dict[str, Any] = {"magician": "witch", "spell": "summon", "inches": 3, "dice": [6, 6]}


def summoned() -> Told:
    log = begun(MAGIC)
    log.tell("spell", **CALL, named="Grim")
    return log


def test_somebody_fearless_with_a_hand_weapon_appears_near_the_magician():
    assert begun(MAGIC).errors("spell", **{**CALL, "inches": 3.5}) == ["out-of-reach"]
    grim = present(summoned().state, "summoned-1")
    assert (grim.name, grim.rank, grim.combat_pool, grim.initiative, grim.fight, grim.shoot) == (
        "Grim",
        1,
        1,
        1,
        1,
        0,
    )
    assert grim.weapons == ("hand-weapon",)
    assert grim.has("fearless")
    assert grim.fantastical


def test_nobody_appears_if_the_spell_is_resisted():
    foes = side("b", "fantastical", man("foe", "fantastical/witch", 5, leader=True))
    log = Told(BattleSetup("skirmish", (COVEN, foes), {"fantastical": True}))
    log.tell("turn", turn=1)
    log.tell("spell", **{**CALL, "dice": [1, 1]}, resisted_by="foe", resisting_dice=[6, 6])
    assert "summoned-1" not in log.state.combatants


def test_the_summoned_move_and_fight_and_their_wounds_earn_nobody_anything():
    log = summoned()
    log.tell("move", fighter="summoned-1", contacts=["guard"])
    log.tell(
        "combat",
        fighters={"a": ["summoned-1"], "b": ["guard"]},
        counters={"a": [1, 0], "b": [1, 1]},
        initiative={"summoned-1": [6], "guard": [1]},
    )
    log.tell("attack", attacker="summoned-1", target="guard", dice=[6, 6], defence_dice=[1])
    sheet = result(MAGIC, log.events)
    assert log.state.combatants["guard"].dead
    assert [
        (record.fighter, record.fate.value) for each in sheet.sides for record in each.records
    ] == [
        ("witch", "fit"),
        ("guard", "dead"),
    ]
    assert sheet.sides[0].deeds == ()


def test_the_summoned_count_for_no_strength_and_are_worth_a_point_when_killed():
    log = summoned()
    assert warband_of(log.state, "a").start == 1
    log.tell("wound", victim="summoned-1", result="critical", attacker="guard")
    warband = warband_of(log.state, "a")
    assert (warband.start, warband.strength, warband.killed) == (1, 1, 0)
    sheet = result(MAGIC, log.events)
    assert [(line.points, line.code) for line in sheet.sides[1].lines] == [(1, "killed")]
    (deed,) = sheet.sides[1].deeds
    assert (deed.fighter, deed.victim, deed.victim_name, deed.victim_rank) == (
        "guard",
        None,
        "Grim",
        1,
    )


def test_a_second_one_has_a_name_and_an_id_of_its_own():
    log = summoned()
    log.tell("turn", turn=2)
    log.tell("spell", **CALL)
    assert log.state.named("summoned-2") == "Summoned 2"


def test_nobody_takes_the_summoned_home():
    log = summoned()
    log.tell("wound", victim="summoned-1", result="grievous", attacker="guard", subdue=True)
    assert log.errors("captured", fighter="summoned-1", by="guard") == ["summoned"]
