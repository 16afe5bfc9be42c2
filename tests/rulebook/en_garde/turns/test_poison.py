"""Poison in a log turn by turn."""

from rulebook.systems.en_garde.table.wounds import Wound
from tests.rulebook.en_garde.turns.tables import Told, begun


def test_poison_goes_on():
    log = Told()
    log.tell("turn", turn=1)
    log.tell("move", fighter="milady", contacts=["planchet"])
    log.tell(
        "combat",
        fighters={"a": ["planchet"], "b": ["milady"]},
        counters={"a": [0, 1], "b": [2, 0]},
        initiative={"planchet": [1], "milady": [6]},
    )
    state = log.tell("attack", attacker="milady", target="planchet", dice=[2, 3], defence_dice=[4])
    assert state.combatants["planchet"].wounds.wound is Wound.LIGHT
    assert state.combatants["planchet"].wounds.stunned == 0
    assert (
        log.tell("stun_roll", fighter="planchet", die=2).combatants["planchet"].wounds.stunned == 1
    )
    log.tell("turn", turn=2)
    assert log.state.combatants["planchet"].wounds.stunned == 1
    assert log.tell("turn", turn=3).combatants["planchet"].wounds.stunned == 2
    state = log.tell("turn", turn=4)
    assert state.combatants["planchet"].wounds.wound is Wound.GRIEVOUS
    assert len(state.deeds) == 1


def test_a_battle_broken_off_gives_no_last_poison_and_one_played_out_does():
    def poisoned() -> Told:
        log = Told()
        log.tell("turn", turn=1)
        log.tell("move", fighter="milady", contacts=["planchet"])
        log.tell("free_attack", attacker="milady", target="planchet", dice=[3, 3], defence_dice=[6])
        return log

    assert (
        poisoned()
        .tell("ended", turn=1, how="conceded", side="a")
        .combatants["planchet"]
        .wounds.stunned
        == 0
    )
    assert (
        poisoned().tell("ended", turn=1, how="last-turn").combatants["planchet"].wounds.stunned == 1
    )


def test_a_plain_wound_by_a_poisoned_weapon_goes_on_to_stun():
    def ticked(**wound: str) -> int:
        log = begun()
        log.tell("wound", victim="planchet", attacker="milady", **{"result": "light", **wound})
        return log.tell("turn", turn=2).combatants["planchet"].wounds.stunned

    assert ticked(weapon="Dagger") == 1
    assert ticked() == 1  # the weapon in her hand
    assert ticked(weapon="sword") == 0
    assert ticked(means="spell") == 0
    assert ticked(result="scratch") == 0
    assert ticked(result="stunned", weapon="dagger") == 1  # the blow's own counter


def test_a_plain_wound_by_an_honest_weapon_does_not():
    log = begun()
    log.tell("wound", victim="planchet", attacker="jussac", result="light")
    assert log.tell("turn", turn=2).combatants["planchet"].wounds.stunned == 0
