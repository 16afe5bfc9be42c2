"""Combats, Morale and Stunned counters in a log turn by turn."""

import pytest

from rulebook.en_garde.catalogue import profile
from rulebook.en_garde.table.morale import Morale
from rulebook.en_garde.table.pools import Split
from rulebook.en_garde.turns.fighters import present
from rulebook.en_garde.wounds import Wound
from rulebook.ruleset import BattleSetup
from tests.rulebook.en_garde.turns.tables import SWORDS, Told, man, side


def met(setup: BattleSetup = SWORDS, **changes) -> Told:
    """Athos against a guard, swords drawn."""
    told = Told(setup)
    told.tell("turn", turn=1)
    told.tell("move", fighter="guard", contacts=["athos"])
    told.tell("combat", **{**opening(), **changes})
    return told


def opening(**changes):
    plain = {
        "fighters": {"a": ["athos"], "b": ["guard"]},
        "counters": {"a": [3, 3], "b": [1, 1]},
        "initiative": {"athos": [6], "guard": [1]},
    }
    return {**plain, **changes}


def test_athos_fights_with_six_counters_and_no_more():
    told = Told()
    told.tell("turn", turn=1)
    assert told.refused("combat", **opening(counters={"a": [4, 3], "b": [1, 1]})) == ["wrong-pool"]
    assert told.tell("combat", **opening()).table.fight.pools == {"a": Split(3, 3), "b": Split(1, 1)}


def test_ties_of_initiative_are_thrown_again():
    told = Told()
    told.tell("turn", turn=1)
    tied = {"athos": [1], "guard": [3]}
    assert told.refused("combat", **opening(initiative=tied)) == ["tied-initiative"]
    state = told.tell("combat", **opening(initiative={"athos": [1, 2], "guard": [3, 5]}))
    assert state.table.fight.next.id == "guard"


def test_a_blow_spends_counters_and_wounds():
    told = met()
    state = told.tell("attack", attacker="athos", target="guard", answers=["parry"], dice=[5, 5], defence_dice=[2, 2])
    assert state.combatants["guard"].dead
    (deed,) = state.deeds
    assert (deed.fighter, deed.killed, deed.means) == ("athos", True, "melee")
    assert state.table.fight.over


def test_the_dead_leave_contact_and_combat():
    told = met()
    told.tell("attack", attacker="athos", target="guard", dice=[6, 6], defence_dice=[1])
    assert told.state.table.of("athos").contacts == ()
    assert told.refused("attack", attacker="athos", target="guard", dice=[6, 6], defence_dice=[1])[0] == "round-over"


def test_blows_are_struck_in_turn():
    told = met()
    assert told.refused("attack", attacker="guard", target="athos", dice=[1, 1], defence_dice=[1]) == ["not-its-turn"]
    told.tell("pass", fighter="athos")
    told.tell("attack", attacker="guard", target="athos", dice=[1, 1], defence_dice=[1])


def test_a_weapon_master_may_throw_again_and_others_may_not():
    told = met()
    strike = {"attacker": "athos", "target": "guard", "dice": [1, 5], "defence_dice": [6], "reroll": 6}
    assert told.tell("attack", **strike).combatants["guard"].wounds.wound is Wound.CRITICAL
    other = met(initiative={"athos": [1, 1], "guard": [6, 1]})
    refused = other.refused("attack", attacker="guard", target="athos", dice=[1, 5], defence_dice=[6], reroll=6)
    assert refused == ["wrong-dice"]


def test_a_riposte_turns_the_blow_and_costs_the_next_opportunity():
    told = met(initiative={"athos": [1], "guard": [6]})
    state = told.tell("attack", attacker="guard", target="athos", answers=["riposte"], dice=[1, 1], defence_dice=[5, 5])
    assert state.combatants["guard"].dead
    (deed,) = state.deeds
    assert (deed.fighter, deed.means) == ("athos", "riposte")


def test_ploys_have_their_conditions_in_the_log_too():
    told = met(initiative={"athos": [1], "guard": [6]})
    strike = {"attacker": "guard", "target": "athos", "dice": [1, 1, 1], "defence_dice": [1], "ploys": ["mighty-blow"]}
    assert told.refused("attack", **strike) == ["no-counter"]
    strike = {"attacker": "guard", "target": "athos", "dice": [1, 1], "defence_dice": [1], "ploys": ["feint"]}
    assert told.refused("attack", **strike) == ["no-weapon-master"]


def test_disengaging_leaves_the_combat_unhurt():
    told = met()
    state = told.tell("attack", attacker="athos", target="guard", ploys=["disengage"], dice=[6, 6], defence_dice=[1])
    assert state.table.of("guard").contacts == ()
    assert not state.deeds
    assert state.table.fight.over


def test_nobody_fights_twice_in_a_turn_or_without_a_combat():
    told = met()
    assert "fought-already" in told.refused("combat", **opening())
    assert told.refused("attack", attacker="jussac", target="athos", dice=[1, 1], defence_dice=[1]) == ["no-combat"]


def test_only_one_side_has_several():
    told = Told()
    told.tell("turn", turn=1)
    everybody = opening(
        fighters={"a": ["athos", "planchet"], "b": ["guard", "jussac"]},
        counters={"a": [4, 3], "b": [3, 2]},
        initiative={"athos": [6], "planchet": [1], "guard": [2], "jussac": [5]},
    )
    assert told.refused("combat", **everybody) == ["both-sides-many"]
    simplified = {**everybody, "simplified": True}
    assert told.refused("combat", **simplified) == ["wrong-pool"]
    assert not told.refused("combat", **{**simplified, "counters": {"a": [4, 3], "b": [2, 2]}})
    assert not told.refused("combat", **{**simplified, "counters": {"a": [2, 0], "b": [2, 1]}})


def test_another_weapon_takes_a_counter():
    told = met()
    state = told.tell("switch_weapon", fighter="athos", weapon="dagger")
    assert state.table.grips["athos"] == "dagger"
    assert state.table.fight.pools["a"] == Split(2, 3)
    assert told.refused("switch_weapon", fighter="guard", weapon="pike") == ["not-carried"]


def test_a_free_attack_is_made_once_and_only_in_contact():
    told = Told()
    told.tell("turn", turn=1)
    strike = {"attacker": "athos", "target": "guard", "dice": [6, 6], "defence_dice": [1]}
    assert told.refused("free_attack", **strike) == ["not-in-contact"]
    told.tell("move", fighter="guard", contacts=["athos"])
    assert told.tell("free_attack", **strike).combatants["guard"].killed_by.startswith("ATHOS")


def test_poison_goes_on():
    told = Told()
    told.tell("turn", turn=1)
    told.tell("move", fighter="milady", contacts=["planchet"])
    told.tell(
        "combat",
        fighters={"a": ["planchet"], "b": ["milady"]},
        counters={"a": [0, 1], "b": [2, 0]},
        initiative={"planchet": [1], "milady": [6]},
    )
    state = told.tell("attack", attacker="milady", target="planchet", dice=[2, 3], defence_dice=[4])
    assert state.combatants["planchet"].wounds.wound is Wound.LIGHT
    assert state.combatants["planchet"].wounds.stunned == 0
    assert told.tell("stun_roll", fighter="planchet", die=2).combatants["planchet"].wounds.stunned == 1
    told.tell("turn", turn=2)
    assert told.state.combatants["planchet"].wounds.stunned == 1
    assert told.tell("turn", turn=3).combatants["planchet"].wounds.stunned == 2
    state = told.tell("turn", turn=4)
    assert state.combatants["planchet"].wounds.wound is Wound.GRIEVOUS
    assert len(state.deeds) == 1


def test_a_battle_broken_off_gives_no_last_poison_and_one_played_out_does():
    def poisoned() -> Told:
        told = Told()
        told.tell("turn", turn=1)
        told.tell("move", fighter="milady", contacts=["planchet"])
        told.tell("free_attack", attacker="milady", target="planchet", dice=[3, 3], defence_dice=[6])
        return told

    assert poisoned().tell("ended", turn=1, how="conceded").combatants["planchet"].wounds.stunned == 0
    assert poisoned().tell("ended", turn=1, how="last-turn").combatants["planchet"].wounds.stunned == 1


def test_morale_is_tested_for_the_losses_of_the_turn_before():
    told = met()
    told.tell("attack", attacker="athos", target="guard", dice=[6, 6], defence_dice=[1])
    assert told.refused("morale", side="b", dice=[6, 6]) == ["no-test-needed"]
    told.tell("turn", turn=2)
    assert told.tell("morale", side="b", dice=[6, 6]).table.morale_of("b") is Morale.WAVERING
    assert told.refused("morale", side="b", dice=[1, 1]) == ["tested-already"]
    told.tell("turn", turn=3)
    assert told.tell("morale", side="b", dice=[1, 1]).table.morale_of("b") is Morale.STEADY


def test_by_house_rule_morale_is_tested_at_once():
    told = met(BattleSetup("skirmish", SWORDS.sides, {"morale_timing": "same-turn"}))
    told.tell("attack", attacker="athos", target="guard", dice=[6, 6], defence_dice=[1])
    assert told.tell("morale", side="b", dice=[1, 1]).table.morale_of("b") is Morale.STEADY


def test_the_stunned_roll_once_a_turn():
    told = Told()
    told.tell("turn", turn=1)
    assert told.refused("stun_roll", fighter="guard", die=6) == ["not-stunned"]
    told.tell("wound", victim="guard", result="stunned", attacker="athos")
    assert told.tell("stun_roll", fighter="guard", die=5).combatants["guard"].wounds.stunned == 0
    told.tell("wound", victim="guard", result="stunned", attacker="athos")
    assert told.refused("stun_roll", fighter="guard", die=5) == ["rolled-already"]


GUARD = side("b", "cardinals-guard", man("guard", "cardinals-guard/guard", 2, leader=True))


@pytest.fixture
def charge() -> Told:
    mount = next(option.key for option in profile("conquistadors/knight").options if "warhorse" in option.items)
    rider = man("knight", "conquistadors/knight", 3, leader=True, options={mount: ["warhorse"]})
    told = Told(BattleSetup("skirmish", (side("a", "conquistadors", rider), GUARD)))
    told.tell("turn", turn=1)
    told.tell("move", fighter="knight", contacts=["guard"])
    told.tell(
        "combat",
        fighters={"a": ["knight"], "b": ["guard"]},
        counters={"a": [2, 1], "b": [1, 1]},
        initiative={"knight": [6], "guard": [1]},
    )
    return told


def test_a_warhorse_strikes_once_of_its_own(charge: Told):
    bite = {"attacker": "knight", "target": "guard", "by_mount": True, "dice": [6, 6], "defence_dice": [6]}
    assert charge.tell("attack", **bite).deeds[0].means == "mount"
    assert charge.refused("attack", **bite) == ["mount-fought"]


def test_a_fighter_on_foot_strikes_rider_or_horse(charge: Told):
    charge.passes_until("guard")
    strike = {"attacker": "guard", "target": "knight", "at_mount": True, "dice": [6, 6], "defence_dice": [1]}
    assert charge.refused("attack", **strike) == ["wrong-dice"]
    state = charge.tell("attack", **strike, die=5)
    assert state.combatants["knight"].thrown


def test_who_does_not_dare_strike_the_beguiling_keeps_the_counter():
    told = Told()
    told.tell("turn", turn=1)
    told.tell("move", fighter="milady", contacts=["athos"])
    told.tell(
        "combat",
        fighters={"a": ["athos"], "b": ["milady"]},
        counters={"a": [3, 3], "b": [1, 1]},
        initiative={"athos": [6], "milady": [1]},
    )
    state = told.tell("attack", attacker="athos", target="milady", nerve=5)
    assert state.table.fight.pools["a"] == Split(3, 3)
    assert state.table.fight.next.id == "milady"


def test_the_musketeers_keep_everybody_fearless_while_one_of_them_is_on_the_table():
    told = Told()
    told.tell("turn", turn=1)
    told.tell("wound", victim="planchet", result="critical", attacker="guard")
    told.tell("turn", turn=2)
    assert told.refused("morale", side="a", dice=[6, 6]) == ["no-test-needed"]
    assert present(told.state, "planchet").has("fearless")
    told.tell("left", fighter="athos")
    assert not present(told.state, "planchet").has("fearless")


def test_a_death_counts_for_morale_in_the_turn_of_the_death():
    told = Told()
    told.tell("turn", turn=1)
    told.tell("wound", victim="jussac", result="grievous", attacker="athos", subdue=True)
    told.tell("turn", turn=2)
    assert told.refused("morale", side="b", dice=[6, 6]) == ["no-test-needed"]
    told.tell("wound", victim="jussac", result="critical", attacker="athos")
    told.tell("turn", turn=3)
    assert told.tell("morale", side="b", dice=[6, 6]).table.morale_of("b") is Morale.WAVERING


def test_a_horse_master_is_thrown_without_a_stunned_counter():
    rider = man("rider", "ottoman-empire/akinci", 2, leader=True)
    told = Told(BattleSetup("skirmish", (side("a", "ottoman-empire", rider), GUARD)))
    told.tell("turn", turn=1)
    state = told.tell("wound", victim="rider", result="critical", die=6, on_mount=True, attacker="guard")
    assert state.combatants["rider"].thrown
    assert state.combatants["rider"].wounds.stunned == 0


def riders() -> Told:
    knight = man("knight", "conquistadors/knight", 3, leader=True)
    told = Told(BattleSetup("skirmish", (side("a", "conquistadors", knight), GUARD)))
    told.tell("turn", turn=1)
    return told


RIDE_BY = {
    "fighters": {"a": ["knight"], "b": ["guard"]},
    "counters": {"a": [1, 1], "b": [0, 1]},
    "initiative": {"knight": [1], "guard": [2]},
    "ride_by": True,
}


def test_a_rider_strikes_in_passing_with_half_the_pool_and_rides_on():
    told = riders()
    state = told.tell("combat", **RIDE_BY)
    assert state.table.fight.next.id == "knight"  # 1, his Initiative of 1, and 1 for riding by
    assert "leaves-too-far" in told.refused("move", fighter="knight", inches=9)
    told.tell("attack", attacker="knight", target="guard", dice=[1, 1], defence_dice=[6])
    for fighter in ("guard", "knight"):
        if told.state.table.fight.next is not None:
            told.tell("pass", fighter=fighter)
    assert told.refused("move", fighter="knight", inches=10) == ["too-far"]
    assert told.refused("move", fighter="knight", inches=9, contacts=["guard"]) == ["rides-into-contact"]
    assert told.tell("move", fighter="knight", inches=9).table.of("guard").contacts == ()
    assert "acted-already" in told.refused("move", fighter="knight", inches=9)


def test_who_has_moved_or_is_engaged_or_on_foot_rides_by_nobody():
    ride_by = {**RIDE_BY, "initiative": {"knight": [6], "guard": [1]}}
    moved = riders()
    moved.tell("move", fighter="knight", inches=12)
    assert moved.refused("combat", **ride_by) == ["no-rider"]
    caught = riders()
    caught.tell("move", fighter="guard", contacts=["knight"])
    assert caught.refused("combat", **ride_by) == ["no-rider"]


def crowd(number: int, target: str) -> Told:
    """So many guards against one fighter: codes of what forbids it."""
    guards = tuple(man(f"g{each}", "cardinals-guard/guard", 2, leader=each == 0) for each in range(number))
    foe = man("foe", target, 3, leader=True)
    told = Told(BattleSetup("skirmish", (side("a", "conquistadors", foe), side("b", "cardinals-guard", *guards))))
    told.tell("turn", turn=1)
    return told


@pytest.mark.parametrize(
    ("number", "target", "found"),
    [
        (4, "conquistadors/veteran", []),
        (5, "conquistadors/veteran", ["too-many"]),
        (6, "conquistadors/knight", []),
        (7, "conquistadors/knight", ["too-many"]),
    ],
)
def test_four_fight_one_of_their_size_and_six_a_larger_one(number, target, found):
    told = crowd(number, target)
    names = [f"g{each}" for each in range(number)]
    fight = {
        "fighters": {"a": ["foe"], "b": names},
        "counters": {"a": [2, 1], "b": [number, number]},
        "initiative": {"foe": [6, 6], **{name: [1, place + 1] for place, name in enumerate(names[:6])}},
    }
    if number == 7:
        fight["initiative"]["g6"] = [2]
    assert told.refused("combat", **fight) == found


def test_only_two_riders_find_room_around_one_on_foot():
    knights = tuple(man(f"k{each}", "conquistadors/knight", 3, leader=each == 0) for each in range(3))
    told = Told(BattleSetup("skirmish", (side("a", "conquistadors", *knights), GUARD)))
    told.tell("turn", turn=1)
    fight = {
        "fighters": {"a": ["k0", "k1", "k2"], "b": ["guard"]},
        "counters": {"a": [9, 0], "b": [1, 1]},
        "initiative": {"k0": [1], "k1": [2], "k2": [3], "guard": [6]},
    }
    assert told.refused("combat", **fight) == ["too-many"]


def test_nobody_joins_in_a_duel():
    told = Told()
    told.tell("turn", turn=1)
    told.tell("challenge", challenger="jussac", challenged="athos", inches=3, accepted=True)
    alone = opening(
        fighters={"a": ["athos"], "b": ["jussac"]},
        counters={"a": [3, 3], "b": [2, 1]},
        initiative={"athos": [6], "jussac": [1]},
    )
    helped = opening(
        fighters={"a": ["athos"], "b": ["jussac", "guard"]},
        counters={"a": [3, 3], "b": [3, 2]},
        initiative={"athos": [6], "jussac": [1], "guard": [1]},
    )
    assert set(told.refused("combat", **helped)) == {"in-a-duel"}
    assert told.refused("combat", **alone) == []


def test_the_river_costs_initiative():
    dice = {"athos": [2], "guard": [3, 6]}  # 2 and his Initiative of 2 against 3, or the same score in the water
    assert met(initiative=dice).state.table.fight.next.id == "athos"
    wet = met(initiative={**dice, "athos": [2, 1]}, in_river=["athos"])
    assert wet.state.table.fight.next.id == "guard"


def test_who_is_free_goes_on_to_another_with_one_counter_less():
    told = met()
    told.tell("attack", attacker="athos", target="guard", dice=[6, 6], defence_dice=[1])
    onward = opening(
        fighters={"a": ["athos"], "b": ["jussac"]},
        counters={"a": [1, 3], "b": [2, 1]},
        initiative={"athos": [6], "jussac": [1]},
    )
    assert told.refused("combat", **onward) == ["wrong-pool", "fought-already"]
    assert told.refused("combat", **{**onward, "counters": {"a": [2, 3], "b": [2, 1]}}, moved_on="athos") == [
        "wrong-pool"
    ]
    state = told.tell("combat", **onward, moved_on="athos")
    assert state.table.fight.pools == {"a": Split(1, 3), "b": Split(2, 1)}
    told.tell("attack", attacker="athos", target="jussac", dice=[6, 6], defence_dice=[1])
    again = opening(
        fighters={"a": ["athos"], "b": ["milady"]},
        counters={"a": [0, 3], "b": [1, 1]},
        initiative={"athos": [6], "milady": [1]},
    )
    assert "moved-on" in told.refused("combat", **again, moved_on="athos")


def test_who_is_still_engaged_goes_nowhere():
    onward = opening(
        fighters={"a": ["athos"], "b": ["jussac"]},
        counters={"a": [2, 3], "b": [2, 1]},
        initiative={"athos": [6], "jussac": [1]},
    )
    assert met().refused("combat", **onward, moved_on="athos") == ["still-engaged"]


def test_the_relentless_do_not_parry_with_a_friends_counter():
    horrors = side(
        "a", "fantastical", man("dead", "fantastical/revenant", 1), man("witch", "fantastical/witch", 5, leader=True)
    )
    told = Told(BattleSetup("skirmish", (horrors, GUARD), {"fantastical": True}))
    told.tell("turn", turn=1)
    told.tell(
        "combat",
        fighters={"a": ["dead", "witch"], "b": ["guard"]},
        counters={"a": [2, 3], "b": [2, 0]},
        initiative={"dead": [1], "witch": [1], "guard": [6]},
    )
    blow = {"attacker": "guard", "answers": ["parry"], "dice": [1, 1], "defence_dice": [1, 1]}
    assert told.refused("attack", **blow, target="dead") == ["never-defends"]
    assert told.refused("attack", **blow, target="witch") == []


def test_who_aimed_and_then_fought_shoots_no_better():
    told = Told()
    told.tell("turn", turn=1)
    told.tell("action", fighter="planchet", what="aim")
    told.tell(
        "combat",
        fighters={"a": ["planchet"], "b": ["guard"]},
        counters={"a": [0, 1], "b": [1, 1]},
        initiative={"planchet": [1], "guard": [6]},
    )
    told.tell("left", fighter="guard")
    told.tell("turn", turn=2)
    fire = {"shooter": "planchet", "target": "jussac", "weapon": "matchlock", "inches": 10}
    assert not told.tell("shot", **fire, dice=[3, 3]).deeds


def test_who_rested_and_then_fought_has_not_rested():
    told = Told()
    told.tell("turn", turn=1)
    told.tell("wound", victim="guard", result="stunned", attacker="athos")
    told.tell("action", fighter="guard", what="rest")
    told.tell("combat", **opening())
    told.tell("left", fighter="athos")
    assert told.tell("stun_roll", fighter="guard", die=4).combatants["guard"].wounds.stunned == 1


def test_a_mount_shakes_off_one_stunned_counter_a_turn():
    told = riders()
    for _ in range(2):
        told.tell("wound", victim="knight", result="stunned", on_mount=True, attacker="guard")
    assert told.tell("turn", turn=2).combatants["knight"].mount.stunned == 1


def test_a_heavy_thing_is_dropped_on_contact_and_a_light_one_kept():
    told = Told()
    told.tell("turn", turn=1)
    told.tell("object", fighter="guard", what="chest", heavy=True)
    told.tell("object", fighter="guard", what="letter")
    assert told.tell("move", fighter="athos", contacts=["guard"]).table.of("guard").carries == {"letter": False}


class Rigged:
    """A generator that throws what it is told."""

    def __init__(self, *dice: int) -> None:
        self.dice = list(dice)

    def randint(self, low: int, high: int) -> int:
        """The next die."""
        return self.dice.pop(0)


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
