"""Shots and spells in a log turn by turn."""

import pytest

from rulebook.en_garde.wounds import Wound
from rulebook.ruleset import BattleSetup
from tests.rulebook.en_garde.turns.tables import SWORDS, Told, man, side

ARCHERS = BattleSetup(
    "skirmish",
    (
        side(
            "a",
            "ottoman-empire",
            man("rider", "ottoman-empire/akinci", 2, leader=True),
            man("azab", "ottoman-empire/azab", 2, options={"weapon": ["matchlock"]}),
        ),
        side("b", "cardinals-guard", man("guard", "cardinals-guard/guard", 2, leader=True)),
    ),
)
MAGIC = BattleSetup(
    "skirmish",
    (
        side(
            "a", "fantastical", man("witch", "fantastical/witch", 5, leader=True), man("beast", "fantastical/beast", 4)
        ),
        side("b", "cardinals-guard", man("guard", "cardinals-guard/guard", 2, leader=True)),
    ),
    {"fantastical": True},
)


def begun(setup: BattleSetup = ARCHERS) -> Told:
    told = Told(setup)
    told.tell("turn", turn=1)
    return told


def shot(told: Told, dice, **more):
    return told.tell(
        "shot", **{"shooter": "azab", "target": "guard", "weapon": "matchlock", "inches": 10, "dice": dice, **more}
    )


def test_a_shot_wounds_and_leaves_the_weapon_empty():
    told = begun()
    state = shot(told, [4, 4])
    assert state.combatants["guard"].wounds.wound is Wound.GRIEVOUS
    assert state.table.of("azab").reload == {"matchlock": 1}
    (deed,) = state.deeds
    assert (deed.fighter, deed.means, deed.result) == ("azab", "shooting", "grievous")


def test_an_empty_weapon_is_loaded_before_it_shoots_again():
    told = begun()
    shot(told, [1, 2])
    told.tell("turn", turn=2)
    assert told.refused("shot", shooter="azab", target="guard", weapon="matchlock", inches=10, dice=[1, 1]) == [
        "not-loaded"
    ]
    assert told.tell("action", fighter="azab", what="reload", weapon="matchlock").table.of("azab").reload == {
        "matchlock": 0
    }
    assert told.refused("action", fighter="rider", what="reload", weapon="bow") == ["loaded"]


def test_a_misfire_takes_two_turns_to_mend():
    assert shot(begun(), [1, 1]).table.of("azab").reload == {"matchlock": 2}


def test_aiming_helps_in_the_next_turn_only():
    told = begun()
    told.tell("action", fighter="azab", what="aim")
    told.tell("turn", turn=2)
    assert shot(told, [3, 3]).combatants["guard"].wounds.wound is Wound.LIGHT
    late = begun()
    late.tell("action", fighter="azab", what="aim")
    late.tell("turn", turn=2)
    late.tell("turn", turn=3)
    assert not shot(late, [3, 3]).combatants["guard"].wounds.counters


def test_an_archer_shoots_twice_and_not_three_times():
    told = begun()
    twice = {"shooter": "rider", "weapon": "bow", "twice": True}
    shot(told, [1, 2], **twice)
    shot(told, [1, 2], **twice)
    data = {"target": "guard", "inches": 10, "dice": [1, 2], **twice}
    assert told.refused("shot", **data) == ["acted-already"]


def test_a_hit_on_a_rider_is_drawn_and_a_gravely_hurt_horse_throws_him():
    told = Told(BattleSetup("skirmish", (ARCHERS.sides[1], ARCHERS.sides[0])))
    told.setup = BattleSetup(
        "skirmish",
        (
            side(
                "b",
                "english-civil-war",
                man("foot", "english-civil-war/militia", 1, options={"weapon": ["matchlock"]}, leader=True),
            ),
            ARCHERS.sides[0],
        ),
    )
    told.tell("turn", turn=1)
    fire = {"shooter": "foot", "target": "rider", "weapon": "matchlock", "inches": 3}
    assert told.refused("shot", **fire, dice=[6, 6]) == ["wrong-dice"]
    assert told.refused("shot", **fire, dice=[6, 6], rider_die=2) == ["wrong-dice"]
    state = told.tell("shot", **fire, dice=[6, 6], rider_die=2, die=3)
    assert state.combatants["rider"].thrown
    assert state.combatants["rider"].wounds.stunned == 0  # a Horse Master


def test_weather_and_hour_are_those_of_the_set_up():
    rain = BattleSetup("skirmish", ARCHERS.sides, set_up={"weather": "rain", "hour": "night"})
    told = begun(rain)
    data = {"shooter": "azab", "target": "guard", "weapon": "matchlock", "inches": 13, "dice": [3, 3]}
    assert told.refused("shot", **data) == ["beyond-sight", "match-wet"]


def test_a_shot_into_combat_that_goes_wide_may_strike_another():
    told = begun(SWORDS)
    told.tell("move", fighter="guard", contacts=["athos"])
    data = {"shooter": "planchet", "weapon": "matchlock", "inches": 5}
    assert not told.tell("shot", **data, target="guard", dice=[3, 3]).combatants["guard"].wounds.counters
    state = told.tell("shot", **data, target="athos", dice=[6, 6], wide_of="guard")
    (deed,) = state.deeds
    assert (deed.victim, deed.friendly) == ("athos", True)


def test_a_beguiling_target_asks_for_nerve_first():
    told = begun(SWORDS)
    data = {"shooter": "planchet", "target": "milady", "weapon": "matchlock", "inches": 5}
    assert told.refused("shot", **data, dice=[6, 6]) == ["wrong-dice"]
    state = told.tell("shot", **data, nerve=1)
    assert not state.combatants["milady"].wounds.counters
    assert state.table.of("planchet").acted == 1


def test_luck_is_used_once_and_only_by_the_lucky():
    told = begun(SWORDS)
    data = {"shooter": "planchet", "target": "guard", "weapon": "matchlock", "inches": 5, "dice": [1, 2]}
    assert told.refused("shot", **data, lucky="planchet") == ["no-luck"]


def test_what_nobody_carries_cannot_shoot():
    data = {"shooter": "guard", "target": "azab", "weapon": "longbow", "inches": 5, "dice": [1, 2]}
    assert begun().refused("shot", **data) == ["not-carried"]
    assert begun().refused("shot", **{**data, "weapon": "slingshot"}) == ["unknown-weapon"]


def test_a_power_blast_hurts_and_costs_magic():
    told = begun(MAGIC)
    cast = {"magician": "witch", "target": "guard", "inches": 10}
    state = told.tell("spell", spell="power-blast", **cast, dice=[3, 3], blast_dice=[6, 6])
    assert state.combatants["guard"].dead
    assert state.table.of("witch").magic == 2


def test_a_resisted_spell_costs_as_much_and_does_nothing():
    told = begun(MAGIC)
    data = {"magician": "witch", "spell": "drain-life", "target": "guard", "inches": 3, "resisted_by": "guard"}
    state = told.tell("spell", **data, dice=[1, 1], resisting_dice=[6, 6])
    assert not state.combatants["guard"].wounds.counters
    assert told.refused("spell", **data, dice=[1, 1], resisting_dice=[1, 1]) == ["cast-already"]


def test_stun_reaches_friends_too_and_armour_and_mist_last_until_the_next_turn():
    told = begun(MAGIC)
    state = told.tell("spell", magician="witch", spell="stun", dice=[6, 6], victims=["beast", "guard"], counters=[1, 2])
    assert [state.combatants[each].wounds.stunned for each in ("beast", "guard")] == [1, 2]
    told.tell("turn", turn=2)
    told.tell("spell", magician="witch", spell="armour", target="witch", dice=[6, 6])
    shoot = told.state
    assert shoot.table.of("witch").armoured_until == 3


@pytest.mark.parametrize(
    ("data", "code"),
    [
        ({"magician": "guard", "spell": "stun", "dice": [6, 6], "victims": [], "counters": []}, "no-magician"),
        ({"magician": "witch", "spell": "heal", "target": "beast", "dice": [6, 6]}, "unknown-spell"),
        ({"magician": "witch", "spell": "drain-life", "dice": [6, 6]}, "target-needed"),
        ({"magician": "witch", "spell": "fireball", "dice": [6, 6]}, "unknown-spell"),
        (
            {"magician": "witch", "spell": "stun", "dice": [6, 6], "resisted_by": "beast", "resisting_dice": [1, 1]},
            "may-not-resist",
        ),
    ],
)
def test_what_forbids_a_spell(data, code):
    assert begun(MAGIC).refused("spell", **data) == [code]
