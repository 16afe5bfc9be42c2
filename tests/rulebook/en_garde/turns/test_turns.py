"""A log turn by turn: turns, Priority, moves, actions, the shaken, hounds, challenges."""

import pytest

from rulebook.ruleset import BattleSetup
from rulebook.systems.en_garde.table.combatant import Combatant
from rulebook.systems.en_garde.table.morale import Morale
from rulebook.systems.en_garde.table.moving import rout_reach
from tests.rulebook.en_garde.turns.tables import SWORDS, Told, man, side


def begun(setup: BattleSetup = SWORDS) -> Told:
    log = Told(setup)
    log.tell("turn", turn=1)
    return log


def test_nothing_happens_before_a_turn_and_turns_follow_one_another():
    log = Told()
    assert log.errors("action", fighter="guard", what="aim") == ["no-turn"]
    assert log.errors("turn", turn=2) == ["wrong-turn"]
    log.tell("turn", turn=1)
    assert log.errors("action", fighter="guard", what="aim", turn=2) == ["wrong-turn"]


def test_a_lone_tactician_has_priority_without_dice():
    assert begun().tell("priority").table.priority == "a"


def test_ties_of_priority_are_thrown_again():
    without = BattleSetup(
        "skirmish",
        (
            SWORDS.sides[1],
            side("c", "swashbucklers", man("tar", "swashbucklers/seaman", 1, leader=True)),
        ),
    )
    log = begun(without)
    assert log.errors("priority", rolls=[{"b": 4, "c": 4}]) == ["tied-priority"]
    assert log.errors("priority", rolls=[{"b": 4}]) == ["wrong-dice"]
    assert log.tell("priority", rolls=[{"b": 4, "c": 4}, {"b": 2, "c": 3}]).table.priority == "c"


def test_a_fighter_acts_once_a_turn_and_again_in_the_next():
    log = begun()
    log.tell("move", fighter="guard", gait="normal", inches=6)
    assert log.errors("move", fighter="guard", gait="normal") == ["acted-already"]
    log.tell("turn", turn=2)
    log.tell("move", fighter="guard", gait="run", inches=9)


def test_a_move_goes_no_further_than_its_rate():
    assert begun().errors("move", fighter="guard", gait="normal", inches=6.5) == ["too-far"]
    assert begun().errors(
        "move", fighter="guard", gait="normal", terrain="difficult", inches=5
    ) == ["too-far"]
    assert begun().errors("move", fighter="guard", gait="run", contacts=["athos"]) == [
        "runs-into-contact"
    ]


def test_contact_is_kept_on_both_sides_and_broken_by_a_short_move():
    log = begun()
    state = log.tell("move", fighter="guard", contacts=["athos"])
    assert state.table.of("athos").contacts == ("guard",)
    log.tell("turn", turn=2)
    assert log.errors("move", fighter="guard", gait="normal") == ["leaves-too-far"]
    assert log.tell("move", fighter="guard", gait="short").table.of("athos").contacts == ()


def test_rules_may_be_overruled_with_a_reason_which_is_kept():
    log = begun()
    log.tell("move", fighter="guard", inches=8, overruled="The stream had dried up")
    (kept,) = log.overruled
    assert (kept.code, kept.rule, kept.reason) == (
        "too-far",
        'Rule book: "Move"',
        "The stream had dried up",
    )
    assert log.errors("move", fighter="jussac", inches=3, overruled="Just so") == [
        "nothing-to-overrule"
    ]


def test_slips_cannot_be_overruled():
    assert begun().errors("move", fighter="nobody", overruled="He was there") == [
        "unknown-combatant"
    ]


def test_a_wavering_warband_needs_resolve_to_close_in():
    log = begun()
    log.tell("wound", victim="jussac", result="critical", attacker="athos")
    log.tell("turn", turn=2)
    assert log.tell("morale", side="b", dice=[6, 6]).table.morale_of("b") is Morale.WAVERING
    log.tell("turn", turn=3)
    assert log.errors("move", fighter="guard", contacts=["athos"]) == ["wrong-dice"]
    assert (
        log.tell("move", fighter="guard", contacts=["athos"], resolve=4).table.of("guard").contacts
        == ()
    )
    assert log.tell("move", fighter="milady", contacts=["athos"], resolve=4).table.of(
        "milady"
    ).contacts == ("athos",)


def test_aiming_resting_and_hiding_are_remembered():
    log = begun()
    assert log.tell("action", fighter="guard", what="hide").table.of("guard").hidden
    assert log.tell("action", fighter="planchet", what="aim").table.of("planchet").has("aimed")
    assert log.errors("action", fighter="jussac", what="mount") == ["no-mount"]
    assert log.errors("action", fighter="jussac", what="dismount") == ["on-foot"]


def test_who_is_engaged_neither_aims_nor_hides():
    log = begun()
    log.tell("move", fighter="guard", contacts=["athos"])
    assert log.errors("action", fighter="athos", what="aim") == ["engaged"]
    assert log.errors("action", fighter="athos", what="hide", cover="light") == ["engaged"]


def test_who_does_nothing_while_engaged_has_not_rested():
    log = begun()
    log.tell("move", fighter="guard", contacts=["athos"])
    assert not log.tell("action", fighter="athos", what="rest").table.of("athos").has("rested")
    assert log.state.table.of("athos").has("acted")


def test_an_accepted_challenge_keeps_others_out():
    log = begun()
    assert log.errors("challenge", challenger="guard", challenged="athos", inches=6) == [
        "too-low-to-challenge"
    ]
    log.tell("challenge", challenger="jussac", challenged="athos", inches=6, accepted=True)
    log.tell("move", fighter="guard", contacts=["athos"])
    errors = log.errors(
        "combat",
        fighters={"a": ["athos"], "b": ["guard"]},
        counters={"a": [3, 3], "b": [1, 1]},
        initiative={"athos": [6], "guard": [1]},
    )
    assert errors == ["in-a-duel"]


@pytest.mark.parametrize(
    ("kind", "data"),
    [
        ("move", {"fighter": "guard", "gait": "hop"}),
        ("shot", {"shooter": "guard", "target": "athos", "weapon": "bow", "inches": -1}),
        ("priority", {"rolls": [{"a": 7}]}),
        ("morale", {"side": "a", "dice": [0, 1]}),
        ("combat", {"fighters": {"a": "athos"}, "counters": {}}),
    ],
)
def test_what_cannot_be_read_is_refused_as_such(kind, data):
    assert begun().errors(kind, **data) == ["unreadable-event"]


def routing() -> Told:
    """Return a battle in which side b has failed two tests and Routs from turn 4."""
    log = Told()
    log.tell("turn", turn=1)
    log.tell("wound", victim="jussac", result="critical", attacker="athos")
    for turn in (2, 3):
        log.tell("turn", turn=turn)
        log.tell("morale", side="b", dice=[6, 6])
    log.tell("turn", turn=4)
    return log


def test_the_routing_roll_before_they_do_anything():
    log = routing()
    assert log.errors("action", fighter="guard", what="rest") == ["wrong-dice"]
    assert (
        log.tell("action", fighter="guard", what="rest", resolve=5).table.of("guard").has("rested")
    )


def test_the_routing_who_fail_run_instead():
    log = routing()
    state = log.tell("action", fighter="guard", what="rest", resolve=4)
    assert state.table.of("guard").done == ("acted", "resolved")
    assert "acted-already" in log.errors("action", fighter="guard", what="rest")


def test_a_router_runs_and_one_in_heavy_armour_walks():
    assert rout_reach(Combatant(id="a", name="A", rank=1)).inches == 9
    assert rout_reach(Combatant(id="a", name="A", rank=1, heavy_armour=True)).inches == 6


def hounds(**handler) -> Told:
    pack = side(
        "a",
        "conquistadors",
        man("boss", "conquistadors/veteran", 3, leader=True, options={"weapon": ["pike"]}),
        man("handler", "conquistadors/militia", 1, **handler),
        man("dog", "conquistadors/warhound", 1),
    )
    log = Told(BattleSetup("skirmish", (pack, SWORDS.sides[1])))
    log.tell("turn", turn=1)
    return log


def test_a_hound_near_its_handler_simply_moves():
    assert hounds().errors("move", fighter="dog", inches=8, leash=4) == ["wrong-dice"]
    hounds().tell("move", fighter="dog", inches=8, contacts=["guard"])


def test_a_hound_without_its_handler_moves_on_four_or_more():
    away = {"fighter": "dog", "handler_away": True, "contacts": ["guard"]}
    assert hounds().errors("move", **away) == ["wrong-dice"]
    assert hounds().tell("move", **away, leash=4).table.of("dog").contacts == ("guard",)
    assert hounds().tell("move", **away, leash=3).table.of("dog").contacts == ()


def test_hounds_whose_last_handler_is_dead_or_carries_optional_arms_have_none():
    log = hounds()
    log.tell("wound", victim="handler", result="critical", attacker="guard")
    assert log.errors("move", fighter="dog", inches=8) == ["wrong-dice"]
    assert hounds(options={"weapon": ["pike"]}).errors("move", fighter="dog", inches=8) == [
        "wrong-dice"
    ]


def test_waverer_that_fails_may_do_something_else():
    log = begun()
    log.tell("wound", victim="jussac", result="critical", attacker="athos")
    log.tell("turn", turn=2)
    log.tell("morale", side="b", dice=[6, 6])
    log.tell("turn", turn=3)
    log.tell("move", fighter="guard", contacts=["athos"], resolve=4)
    assert log.errors("move", fighter="guard", contacts=["athos"], resolve=6) == ["wavered"]
    assert log.tell("action", fighter="guard", what="rest").table.of("guard").has("rested")


def test_terrifying_enemy_takes_nerve_to_walk_up_to():
    beast = side("b", "fantastical", man("beast", "fantastical/beast", 4, leader=True))
    log = begun(BattleSetup("skirmish", (SWORDS.sides[0], beast), {"fantastical": True}))
    assert log.errors("move", fighter="athos", contacts=["beast"]) == ["wrong-dice"]
    assert (
        log.tell("move", fighter="athos", contacts=["beast"], nerve=5).table.of("athos").contacts
        == ()
    )
    again = begun(log.setup)
    assert again.tell("move", fighter="athos", contacts=["beast"], nerve=4).table.of(
        "athos"
    ).contacts == ("beast",)
