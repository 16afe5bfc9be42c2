"""A log turn by turn: turns, Priority, moves, actions, the shaken, hounds, challenges."""

import pytest

from rulebook.ruleset import BattleSetup
from rulebook.systems.en_garde.table.combatant import Combatant
from rulebook.systems.en_garde.table.morale import Morale
from rulebook.systems.en_garde.table.moving import rout_reach
from tests.rulebook.en_garde.turns.tables import SWORDS, Told, man, side


def begun(setup: BattleSetup = SWORDS) -> Told:
    told = Told(setup)
    told.tell("turn", turn=1)
    return told


def test_nothing_happens_before_a_turn_and_turns_follow_one_another():
    told = Told()
    assert told.errors("action", fighter="guard", what="aim") == ["no-turn"]
    assert told.errors("turn", turn=2) == ["wrong-turn"]
    told.tell("turn", turn=1)
    assert told.errors("action", fighter="guard", what="aim", turn=2) == ["wrong-turn"]


def test_a_lone_tactician_has_priority_without_dice():
    assert begun().tell("priority").table.priority == "a"


def test_ties_of_priority_are_thrown_again():
    without = BattleSetup(
        "skirmish", (SWORDS.sides[1], side("c", "swashbucklers", man("tar", "swashbucklers/seaman", 1, leader=True)))
    )
    told = begun(without)
    assert told.errors("priority", rolls=[{"b": 4, "c": 4}]) == ["tied-priority"]
    assert told.errors("priority", rolls=[{"b": 4}]) == ["wrong-dice"]
    assert told.tell("priority", rolls=[{"b": 4, "c": 4}, {"b": 2, "c": 3}]).table.priority == "c"


def test_a_fighter_acts_once_a_turn_and_again_in_the_next():
    told = begun()
    told.tell("move", fighter="guard", gait="normal", inches=6)
    assert told.errors("move", fighter="guard", gait="normal") == ["acted-already"]
    told.tell("turn", turn=2)
    told.tell("move", fighter="guard", gait="run", inches=9)


def test_a_move_goes_no_further_than_its_rate():
    assert begun().errors("move", fighter="guard", gait="normal", inches=6.5) == ["too-far"]
    assert begun().errors("move", fighter="guard", gait="normal", terrain="difficult", inches=5) == ["too-far"]
    assert begun().errors("move", fighter="guard", gait="run", contacts=["athos"]) == ["runs-into-contact"]


def test_contact_is_kept_on_both_sides_and_broken_by_a_short_move():
    told = begun()
    state = told.tell("move", fighter="guard", contacts=["athos"])
    assert state.table.of("athos").contacts == ("guard",)
    told.tell("turn", turn=2)
    assert told.errors("move", fighter="guard", gait="normal") == ["leaves-too-far"]
    assert told.tell("move", fighter="guard", gait="short").table.of("athos").contacts == ()


def test_rules_may_be_overruled_with_a_reason_which_is_kept():
    told = begun()
    told.tell("move", fighter="guard", inches=8, overruled="The stream had dried up")
    (kept,) = told.overruled
    assert (kept.code, kept.rule, kept.reason) == ("too-far", 'Rule book: "Move"', "The stream had dried up")
    assert told.errors("move", fighter="jussac", inches=3, overruled="Just so") == ["nothing-to-overrule"]


def test_slips_cannot_be_overruled():
    assert begun().errors("move", fighter="nobody", overruled="He was there") == ["unknown-combatant"]


def test_a_wavering_warband_needs_resolve_to_close_in():
    told = begun()
    told.tell("wound", victim="jussac", result="critical", attacker="athos")
    told.tell("turn", turn=2)
    assert told.tell("morale", side="b", dice=[6, 6]).table.morale_of("b") is Morale.WAVERING
    told.tell("turn", turn=3)
    assert told.errors("move", fighter="guard", contacts=["athos"]) == ["wrong-dice"]
    assert told.tell("move", fighter="guard", contacts=["athos"], resolve=4).table.of("guard").contacts == ()
    assert told.tell("move", fighter="milady", contacts=["athos"], resolve=4).table.of("milady").contacts == ("athos",)


def test_aiming_resting_and_hiding_are_remembered():
    told = begun()
    assert told.tell("action", fighter="guard", what="hide").table.of("guard").hidden
    assert told.tell("action", fighter="planchet", what="aim").table.of("planchet").has("aimed")
    assert told.errors("action", fighter="jussac", what="mount") == ["no-mount"]
    assert told.errors("action", fighter="jussac", what="dismount") == ["on-foot"]


def test_who_is_engaged_neither_aims_nor_hides():
    told = begun()
    told.tell("move", fighter="guard", contacts=["athos"])
    assert told.errors("action", fighter="athos", what="aim") == ["engaged"]
    assert told.errors("action", fighter="athos", what="hide", cover="light") == ["engaged"]


def test_who_does_nothing_while_engaged_has_not_rested():
    told = begun()
    told.tell("move", fighter="guard", contacts=["athos"])
    assert not told.tell("action", fighter="athos", what="rest").table.of("athos").has("rested")
    assert told.state.table.of("athos").has("acted")


def test_an_accepted_challenge_keeps_others_out():
    told = begun()
    assert told.errors("challenge", challenger="guard", challenged="athos", inches=6) == ["too-low-to-challenge"]
    told.tell("challenge", challenger="jussac", challenged="athos", inches=6, accepted=True)
    told.tell("move", fighter="guard", contacts=["athos"])
    errors = told.errors(
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
    """Side b has failed two tests and Routs from turn 4."""
    told = Told()
    told.tell("turn", turn=1)
    told.tell("wound", victim="jussac", result="critical", attacker="athos")
    for turn in (2, 3):
        told.tell("turn", turn=turn)
        told.tell("morale", side="b", dice=[6, 6])
    told.tell("turn", turn=4)
    return told


def test_the_routing_roll_before_they_do_anything():
    told = routing()
    assert told.errors("action", fighter="guard", what="rest") == ["wrong-dice"]
    assert told.tell("action", fighter="guard", what="rest", resolve=5).table.of("guard").has("rested")


def test_the_routing_who_fail_run_instead():
    told = routing()
    state = told.tell("action", fighter="guard", what="rest", resolve=4)
    assert state.table.of("guard").done == ("acted", "resolved")
    assert "acted-already" in told.errors("action", fighter="guard", what="rest")


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
    told = Told(BattleSetup("skirmish", (pack, SWORDS.sides[1])))
    told.tell("turn", turn=1)
    return told


def test_a_hound_near_its_handler_simply_moves():
    assert hounds().errors("move", fighter="dog", inches=8, leash=4) == ["wrong-dice"]
    hounds().tell("move", fighter="dog", inches=8, contacts=["guard"])


def test_a_hound_without_its_handler_moves_on_four_or_more():
    away = {"fighter": "dog", "handler_away": True, "contacts": ["guard"]}
    assert hounds().errors("move", **away) == ["wrong-dice"]
    assert hounds().tell("move", **away, leash=4).table.of("dog").contacts == ("guard",)
    assert hounds().tell("move", **away, leash=3).table.of("dog").contacts == ()


def test_hounds_whose_last_handler_is_dead_or_carries_optional_arms_have_none():
    told = hounds()
    told.tell("wound", victim="handler", result="critical", attacker="guard")
    assert told.errors("move", fighter="dog", inches=8) == ["wrong-dice"]
    assert hounds(options={"weapon": ["pike"]}).errors("move", fighter="dog", inches=8) == ["wrong-dice"]


def test_waverer_that_fails_may_do_something_else():
    told = begun()
    told.tell("wound", victim="jussac", result="critical", attacker="athos")
    told.tell("turn", turn=2)
    told.tell("morale", side="b", dice=[6, 6])
    told.tell("turn", turn=3)
    told.tell("move", fighter="guard", contacts=["athos"], resolve=4)
    assert told.errors("move", fighter="guard", contacts=["athos"], resolve=6) == ["wavered"]
    assert told.tell("action", fighter="guard", what="rest").table.of("guard").has("rested")


def test_terrifying_enemy_takes_nerve_to_walk_up_to():
    beast = side("b", "fantastical", man("beast", "fantastical/beast", 4, leader=True))
    told = begun(BattleSetup("skirmish", (SWORDS.sides[0], beast), {"fantastical": True}))
    assert told.errors("move", fighter="athos", contacts=["beast"]) == ["wrong-dice"]
    assert told.tell("move", fighter="athos", contacts=["beast"], nerve=5).table.of("athos").contacts == ()
    again = begun(told.setup)
    assert again.tell("move", fighter="athos", contacts=["beast"], nerve=4).table.of("athos").contacts == ("beast",)
