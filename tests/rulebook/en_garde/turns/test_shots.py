"""Shots in a log turn by turn."""

from rulebook.ruleset import BattleSetup
from rulebook.systems.en_garde.table.wounds import Wound
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


def begun(setup: BattleSetup = ARCHERS) -> Told:
    log = Told(setup)
    log.tell("turn", turn=1)
    return log


def shot(log: Told, dice, **more):
    return log.tell(
        "shot",
        **{
            "shooter": "azab",
            "target": "guard",
            "weapon": "matchlock",
            "inches": 10,
            "dice": dice,
            **more,
        },
    )


def test_a_shot_wounds_and_leaves_the_weapon_empty():
    log = begun()
    state = shot(log, [4, 4])
    assert state.combatants["guard"].wounds.wound is Wound.GRIEVOUS
    assert state.table.of("azab").reload == {"matchlock": 1}
    (deed,) = state.deeds
    assert (deed.fighter, deed.means, deed.result) == ("azab", "shooting", "grievous")


def test_an_empty_weapon_is_loaded_before_it_shoots_again():
    log = begun()
    shot(log, [1, 2])
    log.tell("turn", turn=2)
    assert log.errors(
        "shot", shooter="azab", target="guard", weapon="matchlock", inches=10, dice=[1, 1]
    ) == ["not-loaded"]
    assert log.tell("action", fighter="azab", what="reload", weapon="matchlock").table.of(
        "azab"
    ).reload == {"matchlock": 0}
    assert log.errors("action", fighter="rider", what="reload", weapon="bow") == ["loaded"]


def test_misfire_needs_two_turns_to_clear():
    assert shot(begun(), [1, 1]).table.of("azab").reload == {"matchlock": 2}


def test_aiming_helps_in_the_next_turn_only():
    log = begun()
    log.tell("action", fighter="azab", what="aim")
    log.tell("turn", turn=2)
    assert shot(log, [3, 3]).combatants["guard"].wounds.wound is Wound.LIGHT
    late = begun()
    late.tell("action", fighter="azab", what="aim")
    late.tell("turn", turn=2)
    late.tell("turn", turn=3)
    assert not shot(late, [3, 3]).combatants["guard"].wounds.counters


def test_an_archer_shoots_twice_and_not_three_times():
    log = begun()
    twice = {"shooter": "rider", "weapon": "bow", "twice": True}
    shot(log, [1, 2], **twice)
    shot(log, [1, 2], **twice)
    data = {"target": "guard", "inches": 10, "dice": [1, 2], **twice}
    assert log.errors("shot", **data) == ["acted-already"]


def test_a_hit_on_a_rider_is_drawn_and_a_gravely_hurt_horse_throws_him():
    log = Told(BattleSetup("skirmish", (ARCHERS.sides[1], ARCHERS.sides[0])))
    log.setup = BattleSetup(
        "skirmish",
        (
            side(
                "b",
                "english-civil-war",
                man(
                    "foot",
                    "english-civil-war/militia",
                    1,
                    options={"weapon": ["matchlock"]},
                    leader=True,
                ),
            ),
            ARCHERS.sides[0],
        ),
    )
    log.tell("turn", turn=1)
    fire = {"shooter": "foot", "target": "rider", "weapon": "matchlock", "inches": 3}
    assert log.errors("shot", **fire, dice=[6, 6]) == ["wrong-dice"]
    assert log.errors("shot", **fire, dice=[6, 6], rider_die=2) == ["wrong-dice"]
    state = log.tell("shot", **fire, dice=[6, 6], rider_die=2, die=3)
    assert state.combatants["rider"].thrown
    assert state.combatants["rider"].wounds.stunned == 0  # a Horse Master


def test_shot_uses_weather_and_hour_of_setup():
    rain = BattleSetup("skirmish", ARCHERS.sides, set_up={"weather": "rain", "hour": "night"})
    log = begun(rain)
    data = {
        "shooter": "azab",
        "target": "guard",
        "weapon": "matchlock",
        "inches": 13,
        "dice": [3, 3],
    }
    assert log.errors("shot", **data) == ["beyond-sight", "match-wet"]


def test_a_shot_into_combat_that_goes_wide_may_strike_another():
    log = begun(SWORDS)
    log.tell("move", fighter="guard", contacts=["athos"])
    data = {"shooter": "planchet", "weapon": "matchlock", "inches": 5}
    assert (
        not log.tell("shot", **data, target="guard", dice=[3, 3])
        .combatants["guard"]
        .wounds.counters
    )
    state = log.tell("shot", **data, target="athos", dice=[6, 6], wide_of="guard")
    (deed,) = state.deeds
    assert (deed.victim, deed.friendly) == ("athos", True)


def test_a_beguiling_target_asks_for_nerve_first():
    log = begun(SWORDS)
    data = {"shooter": "planchet", "target": "milady", "weapon": "matchlock", "inches": 5}
    assert log.errors("shot", **data, dice=[6, 6]) == ["wrong-dice"]
    state = log.tell("shot", **data, nerve=1)
    assert not state.combatants["milady"].wounds.counters
    assert state.table.of("planchet").has("acted")


def test_luck_is_used_once_and_only_by_the_lucky():
    log = begun(SWORDS)
    data = {
        "shooter": "planchet",
        "target": "guard",
        "weapon": "matchlock",
        "inches": 5,
        "dice": [1, 2],
    }
    assert log.errors("shot", **data, lucky="planchet") == ["no-luck"]


def test_what_nobody_carries_cannot_shoot():
    data = {"shooter": "guard", "target": "azab", "weapon": "longbow", "inches": 5, "dice": [1, 2]}
    assert begun().errors("shot", **data) == ["not-carried"]
    assert begun().errors("shot", **{**data, "weapon": "slingshot"}) == ["unknown-weapon"]


def test_the_second_target_of_a_wide_shot_is_engaged_too():
    log = begun(SWORDS)
    log.tell("move", fighter="guard", contacts=["athos"])
    data = {"shooter": "planchet", "weapon": "matchlock", "inches": 5}
    log.tell("shot", **data, target="guard", dice=[3, 3])
    assert log.errors("shot", **data, target="jussac", dice=[6, 6], wide_of="guard") == ["not-wide"]
    assert not log.tell("shot", **data, target="athos", dice=[4, 4], wide_of="guard").deeds
    assert log.errors("shot", **data, target="athos", dice=[6, 6], wide_of="guard") == ["not-wide"]


def test_nothing_goes_wide_that_has_hit_or_missed_somebody_alone():
    log = begun(SWORDS)
    data = {"shooter": "planchet", "weapon": "matchlock", "inches": 5}
    log.tell("shot", **data, target="guard", dice=[1, 2])
    assert log.errors("shot", **data, target="jussac", dice=[6, 6], wide_of="guard") == ["not-wide"]


def grenadier(weapon: str) -> Told:
    thrower = man("thrower", "custom/rank-3", 3, leader=True, equipment=[weapon])
    foes = tuple(
        man(each, "cardinals-guard/guard", 2, leader=each == "one")
        for each in ("one", "two", "three")
    )
    return begun(
        BattleSetup("skirmish", (side("a", "custom", thrower), side("b", "cardinals-guard", *foes)))
    )


def test_a_blast_strikes_everybody_near_by_the_same_dice():
    log = grenadier("grenade")
    data = {"shooter": "thrower", "weapon": "grenade", "inches": 6}
    log.tell("shot", **data, target="one", dice=[3, 4])
    state = log.tell("shot", **data, target="two", beside="one")
    assert state.combatants["one"].wounds == state.combatants["two"].wounds
    assert state.combatants["two"].wounds.wound is Wound.LIGHT
    assert log.errors("shot", **data, target="two", beside="one") == ["no-spread"]
    assert log.errors("shot", **data, target="three", beside="one", dice=[6, 6]) == ["wrong-dice"]


def test_a_blast_that_misses_misses_everybody():
    log = grenadier("grenade")
    data = {"shooter": "thrower", "weapon": "grenade", "inches": 6}
    log.tell("shot", **data, target="one", dice=[1, 2])
    assert log.errors("shot", **data, target="two", beside="one") == ["no-spread"]


def test_a_spray_rolls_for_each_fighter_under_it():
    log = grenadier("blunderbuss")
    data = {"shooter": "thrower", "weapon": "blunderbuss", "inches": 6}
    log.tell("shot", **data, target="one", dice=[1, 2])
    state = log.tell("shot", **data, target="two", beside="one", dice=[6, 6])
    assert state.combatants["one"].wounds.stunned == 1
    assert state.combatants["two"].dead
    assert log.errors("shot", **data, target="three", dice=[6, 6]) == ["acted-already"]


def test_a_short_move_goes_before_a_shot_and_spoils_it():
    log = begun()
    log.tell("move", fighter="azab", gait="short", inches=3)
    assert not shot(log, [2, 4]).combatants["guard"].wounds.stunned
    assert "acted-already" in log.errors("move", fighter="azab", gait="short", inches=3)
    walked = begun()
    walked.tell("move", fighter="azab", gait="normal", inches=6)
    data = {
        "shooter": "azab",
        "target": "guard",
        "weapon": "matchlock",
        "inches": 10,
        "dice": [1, 2],
    }
    assert walked.errors("shot", **data) == ["acted-already"]


def test_who_dismounts_may_make_a_short_move():
    log = begun()
    log.tell("action", fighter="rider", what="dismount")
    assert log.errors("move", fighter="rider", gait="normal") == ["acted-already"]
    log.tell("move", fighter="rider", gait="short", inches=3)


def test_an_archer_ordered_to_shoot_shoots_twice_in_every_turn():
    archers = side(
        "a",
        "ottoman-empire",
        man("chief", "ottoman-empire/boluk-bashi", 4, leader=True),
        man("rider", "ottoman-empire/akinci", 2),
    )
    log = begun(BattleSetup("skirmish", (archers, ARCHERS.sides[1])))
    for turn in (2, 3):
        log.tell("turn", turn=turn)
        log.tell("order", commander="chief", order="shoot", fighters=["rider"], target="guard")
        for _ in range(2):
            shot(log, [1, 2], shooter="rider", weapon="bow", twice=True)


def test_on_a_shoot_order_only_the_nominated_and_those_near_it_are_shot_at():
    band = side(
        "a",
        "ottoman-empire",
        man("chief", "ottoman-empire/boluk-bashi", 4, leader=True),
        man("azab", "ottoman-empire/azab", 2, options={"weapon": ["matchlock"]}),
    )
    foes = tuple(
        man(each, "cardinals-guard/guard", 2, leader=each == "guard")
        for each in ("guard", "near", "far")
    )
    log = begun(BattleSetup("skirmish", (band, side("b", "cardinals-guard", *foes))))
    log.tell(
        "order", commander="chief", order="shoot", fighters=["azab"], target="guard", near=["near"]
    )
    data = {"shooter": "azab", "weapon": "matchlock", "inches": 10, "dice": [1, 2]}
    assert log.errors("shot", **data, target="far") == ["not-nominated"]
    log.tell("shot", **data, target="near")


def test_the_second_of_two_shots_comes_only_after_a_first_that_was_one_of_two():
    log = begun()
    shot(log, [1, 2], shooter="rider", weapon="bow")
    data = {
        "shooter": "rider",
        "target": "guard",
        "weapon": "bow",
        "inches": 10,
        "dice": [1, 2],
        "twice": True,
    }
    assert log.errors("shot", **data) == ["acted-already"]


def grenade_among_friends() -> Told:
    """Return a battle in which a friend of the thrower is in contact with the second of two
    guards.
    """
    friends = (
        man("thrower", "custom/rank-3", 3, leader=True, equipment=["grenade"]),
        man("mate", "custom/rank-3", 3),
    )
    foes = tuple(
        man(each, "cardinals-guard/guard", 2, leader=each == "one") for each in ("one", "two")
    )
    log = begun(
        BattleSetup(
            "skirmish", (side("a", "custom", *friends), side("b", "cardinals-guard", *foes))
        )
    )
    log.tell("move", fighter="mate", contacts=["two"])
    return log


GRENADE = {"shooter": "thrower", "weapon": "grenade", "inches": 6}


def test_blast_hits_neighbours_by_same_roll():
    log = grenade_among_friends()
    log.tell("shot", **GRENADE, target="one", dice=[3, 3])
    state = log.tell("shot", **GRENADE, target="two", beside="one")
    assert state.combatants["one"].wounds.worst == state.combatants["two"].wounds.worst == "light"


def test_a_blast_at_a_point_near_a_combat_is_no_harder():
    for at_point, worst in ((False, ""), (True, "light")):
        state = grenade_among_friends().tell(
            "shot", **GRENADE, target="two", dice=[3, 3], at_point=at_point
        )
        assert state.combatants["two"].wounds.worst == worst


def test_only_a_blast_is_meant_for_a_point():
    data = {
        "shooter": "azab",
        "target": "guard",
        "weapon": "matchlock",
        "inches": 5,
        "dice": [1, 2],
    }
    assert begun().errors("shot", **data, at_point=True) == ["no-blast"]


def test_nobody_aims_at_his_own_side_or_at_himself():
    log = begun(SWORDS)
    shot = {"shooter": "planchet", "weapon": "matchlock", "inches": 6, "dice": [1, 1]}
    assert "shoots-own-side" in log.errors("shot", **shot, target="athos")
    assert "shoots-own-side" in log.errors("shot", **shot, target="planchet")
    assert "shoots-own-side" not in log.errors("shot", **shot, target="guard")
    assert log.errors("wound", victim="guard", result="light", attacker="guard", friendly=True) == [
        "wounds-itself"
    ]


def test_grenade_is_thrown_once_in_a_game():
    log = grenadier("grenade")
    log.tell("shot", shooter="thrower", weapon="grenade", inches=6, target="one", dice=[1, 2])
    log.tell("turn", turn=2)
    again = {
        "shooter": "thrower",
        "weapon": "grenade",
        "inches": 6,
        "target": "one",
        "dice": [1, 2],
    }
    assert log.errors("shot", **again) == ["used-up"]


def test_blast_strikes_friends_as_well():
    log = grenade_among_friends()
    log.tell("shot", **GRENADE, target="one", dice=[3, 3])
    state = log.tell("shot", **GRENADE, target="mate", beside="one")
    assert state.combatants["mate"].wounds.worst == "light"
