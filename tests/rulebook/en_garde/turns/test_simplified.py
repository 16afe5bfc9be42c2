"""The simplified procedure for large combats in a log turn by turn."""

from typing import Any

import pytest

from rulebook.ruleset import BattleSetup
from rulebook.systems.en_garde.table.rounds import Split
from rulebook.systems.en_garde.turns.attacks import Attacked
from tests.rulebook.en_garde.turns.tables import GUARD, SWORDS, Rigged, Told, begun, man, side


def melee(log: Told | None = None, **changes: Any) -> dict[str, Any]:
    """Return the data of a combat of Athos and Planchet against a guard and Jussac."""
    plain = {
        "fighters": {"a": ["athos", "planchet"], "b": ["guard", "jussac"]},
        "counters": {"a": [4, 3], "b": [3, 0]},
        "initiative": {"athos": [6], "jussac": [1]},
        "simplified": True,
    }
    return {**plain, **changes}


def closed() -> Told:
    """Return a battle in which all of them are in contact."""
    return begun(guard=["athos", "planchet"], jussac=["athos", "planchet"])


@pytest.mark.parametrize(
    ("counters", "expected"),
    [
        ({"a": [4, 3], "b": [2, 2]}, []),
        ({"a": [2, 0], "b": [2, 1]}, []),
        ({"a": [4, 4], "b": [2, 2]}, ["wrong-pool"]),
        ({"a": [4, 3], "b": [3, 2]}, ["wrong-pool"]),
        ({"a": [8, -1], "b": [2, 2]}, ["negative-counters"]),
    ],
)
def test_a_side_draws_one_pool_and_a_counter_for_each_other(counters, expected):
    assert closed().errors("combat", **melee(counters=counters)) == expected


def test_the_gravely_wounded_add_no_counter():
    log = closed()
    log.tell("wound", victim="guard", result="grievous", attacker="athos")
    assert log.errors("combat", **melee(counters={"a": [4, 3], "b": [3, 1]})) == ["wrong-pool"]
    assert log.errors("combat", **melee(counters={"a": [4, 3], "b": [3, 0]})) == []


def test_the_gravely_wounded_are_not_the_one_whose_pool_counts():
    log = closed()
    log.tell("wound", victim="athos", result="grievous", attacker="guard")
    assert log.errors("combat", **melee(counters={"a": [4, 2], "b": [2, 2]})) == ["wrong-pool"]
    assert log.errors("combat", **melee(counters={"a": [1, 0], "b": [2, 2]})) == []


def test_where_all_are_gravely_wounded_one_of_them_still_brings_a_pool():
    log = closed()
    for victim in ("athos", "planchet"):
        log.tell("wound", victim=victim, result="grievous", attacker="guard")
    assert log.errors("combat", **melee(counters={"a": [4, 2], "b": [2, 2]})) == []


def test_three_against_three_are_outnumbered_only_where_three_reach_one():
    trios = (
        side(
            key,
            "cardinals-guard",
            *(
                man(f"{key}{place}", "cardinals-guard/guard", 2, leader=place == 1)
                for place in (1, 2, 3)
            ),
        )
        for key in "ab"
    )
    log = begun(BattleSetup("skirmish", tuple(trios)), a1=["b1"], a2=["b2"], a3=["b3"])
    fight = {
        "fighters": {"a": ["a1", "a2", "a3"], "b": ["b1", "b2", "b3"]},
        "counters": {"a": [4, 0], "b": [4, 0]},
        "initiative": {"a1": [6], "b1": [1]},
        "simplified": True,
    }
    state = log.tell("combat", **fight)
    blow = Attacked(attacker="a1", target="b1", dice=(3, 3), defence_dice=(6,))
    assert [stance.enemies for stance in blow.stances(state)] == [1, 1]


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, []),
        ({"initiative": {"athos": [6], "planchet": [2], "jussac": [1]}}, ["wrong-dice"]),
        ({"initiative": {"athos": [6]}}, ["wrong-dice"]),
        ({"initiative_by": ["planchet", "guard"]}, ["wrong-dice"]),
        (
            {"initiative_by": ["planchet", "guard"], "initiative": {"planchet": [5], "guard": [2]}},
            [],
        ),
        ({"initiative_by": ["milady"]}, ["not-in-combat"]),
    ],
)
def test_one_fighter_of_each_side_rolls_initiative(changes, expected):
    assert closed().errors("combat", **melee(**changes)) == expected


def test_who_won_initiative_strikes_first_then_the_sides_take_turns():
    log = closed()
    log.tell("combat", **melee())
    miss = {"dice": [1, 1], "defence_dice": [6]}
    assert log.errors("attack", attacker="planchet", target="guard", **miss) == ["first-strike"]
    assert log.errors("attack", attacker="guard", target="athos", **miss) == ["not-its-turn"]
    log.tell("attack", attacker="athos", target="guard", **miss)
    assert log.errors("attack", attacker="planchet", target="guard", **miss) == ["not-its-turn"]
    log.tell("attack", attacker="guard", target="athos", **miss)
    assert log.errors("attack", attacker="athos", target="guard", **miss) == ["no-attack-left"]
    log.tell("attack", attacker="planchet", target="guard", **miss)


def test_a_side_whose_counters_are_gone_waits_while_the_other_strikes():
    log = closed()
    log.tell("combat", **melee(counters={"a": [1, 1], "b": [2, 1]}))
    miss = {"dice": [1, 1], "defence_dice": [6]}
    log.tell("attack", attacker="athos", target="guard", **miss)
    log.tell("attack", attacker="guard", target="athos", **miss)
    log.tell("attack", attacker="jussac", target="athos", **miss)
    assert log.state.table.fight.over


def test_the_round_is_over_when_both_sides_have_passed():
    log = closed()
    log.tell("combat", **melee())
    log.tell("pass", fighter="planchet")
    assert log.errors("pass", fighter="athos") == ["not-its-turn"]
    assert log.tell("pass", fighter="jussac").table.fight.over


def test_fighter_attacks_only_contacts():
    log = begun()
    log.tell("move", fighter="guard", contacts=["athos"])
    log.tell("move", fighter="jussac", contacts=["planchet"])
    log.tell("combat", **melee())
    blow = {"attacker": "athos", "dice": [1, 1], "defence_dice": [6]}
    assert log.errors("attack", **blow, target="jussac") == ["out-of-reach"]
    assert log.errors("attack", **blow, target="guard") == []


def pikes() -> Told:
    front = man("front", "conquistadors/veteran", 3, leader=True, options={"weapon": ["pike"]})
    rear = man("rear", "conquistadors/veteran", 3, options={"weapon": ["pike"]})
    sword = man("sword", "conquistadors/veteran", 3)
    return begun(BattleSetup("skirmish", (side("a", "conquistadors", front, rear, sword), GUARD)))


def ranks(rear: str) -> dict[str, Any]:
    return {
        "fighters": {"a": ["front", rear], "b": ["guard"]},
        "counters": {"a": [4, 0], "b": [1, 1]},
        "initiative": {"front": [6], "guard": [1]},
        "behind": {rear: "front"},
        "simplified": True,
    }


def test_a_pike_strikes_from_behind_a_friend_and_is_out_of_reach_itself():
    log = pikes()
    log.tell("move", fighter="front", contacts=["guard"])
    assert log.errors("combat", **ranks("sword")) == ["not-in-contact"]
    state = log.tell("combat", **ranks("rear"))
    assert (state.table.of("guard").contacts, state.table.of("rear").contacts) == (("front",), ())
    miss = {"dice": [1, 1], "defence_dice": [6]}
    log.tell("attack", attacker="front", target="guard", **miss)
    assert log.errors("attack", attacker="guard", target="rear", **miss) == ["out-of-reach"]
    log.tell("attack", attacker="guard", target="front", **miss)
    assert log.errors("attack", attacker="rear", target="guard", **miss) == []


def test_muster_throws_for_one_fighter_of_each_side():
    log = closed()
    log.luck = Rigged(3, 4)
    log.tell("combat", **{**melee(), "initiative": {}})
    assert log.events[-1].data["initiative"] == {"athos": [3], "guard": [4]}


def cavalry() -> Told:
    knight = man("knight", "conquistadors/knight", 3, leader=True)
    return begun(BattleSetup("skirmish", (side("a", "conquistadors", knight), SWORDS.sides[1])))


def charge(**changes: Any) -> dict[str, Any]:
    plain = {
        "fighters": {"a": ["knight"], "b": ["guard"]},
        "counters": {"a": [2, 1], "b": [1, 1]},
        "initiative": {"knight": [6], "guard": [1]},
    }
    return {**plain, **changes}


def withdrawing(simplified: bool) -> Told:
    log = cavalry()
    log.tell("move", fighter="knight", contacts=["guard"])
    log.tell("combat", **charge(simplified=simplified))
    log.tell("turn", turn=2)
    return log


STRIKE = {"attacker": "guard", "target": "knight", "dice": [6, 6], "defence_dice": [1]}


def test_riders_withdraw_freely_in_the_simplified_procedure_alone():
    assert withdrawing(simplified=True).errors("free_attack", **STRIKE) == ["rider-withdraws"]
    assert withdrawing(simplified=False).errors("free_attack", **STRIKE) == []


def test_there_are_no_ride_by_attacks_in_the_simplified_procedure():
    assert cavalry().errors("combat", **charge(ride_by=True, simplified=True)) == ["no-ride-by"]


def test_who_was_engaged_closes_up_to_a_friend_without_acting():
    log = begun()
    log.tell("move", fighter="athos", contacts=["guard"])
    assert log.errors("move", fighter="jussac", closes_up=True) == ["not-engaged"]
    assert log.errors("move", fighter="guard", closes_up=True) == ["keeps-contact"]
    state = log.tell("move", fighter="guard", closes_up=True, contacts=["athos"])
    assert not state.table.of("guard").has("acted")
    assert log.errors("move", fighter="athos", closes_up=True, contacts=["guard"]) == [
        "acted-already"
    ]


def test_a_warhorse_strikes_for_its_side_with_one_of_its_counters():
    rider = man(
        "knight", "conquistadors/knight", 3, leader=True, options={"upgrade-horse": ["warhorse"]}
    )
    log = begun(BattleSetup("skirmish", (side("a", "conquistadors", rider), GUARD)))
    log.tell("move", fighter="knight", contacts=["guard"])
    log.tell("combat", **charge(simplified=True, counters={"a": [3, 1], "b": [1, 1]}))
    bite = {
        "attacker": "knight",
        "target": "guard",
        "by_mount": True,
        "dice": [1, 1],
        "defence_dice": [6],
    }
    log.tell("attack", attacker="knight", target="guard", dice=[1, 1], defence_dice=[6])
    assert log.errors("attack", **bite) == ["not-its-turn"]
    log.tell("pass", fighter="guard")
    assert log.tell("attack", **bite).table.fight.pools["a"] == Split(1, 1)


def test_a_warhorse_strikes_for_nobody_without_a_counter():
    rider = man(
        "knight", "conquistadors/knight", 3, leader=True, options={"upgrade-horse": ["warhorse"]}
    )
    log = begun(BattleSetup("skirmish", (side("a", "conquistadors", rider), GUARD)))
    log.tell("move", fighter="knight", contacts=["guard"])
    log.tell("combat", **charge(simplified=True, counters={"a": [1, 3], "b": [1, 1]}))
    log.tell("attack", attacker="knight", target="guard", dice=[1, 1], defence_dice=[6])
    log.tell("pass", fighter="guard")
    bite = {
        "attacker": "knight",
        "target": "guard",
        "by_mount": True,
        "dice": [1, 1],
        "defence_dice": [6],
    }
    assert log.errors("attack", **bite) == ["not-its-turn"]


def test_a_warhorse_whose_side_has_won_initiative_strikes_with_a_counter_alone():
    rider = man(
        "knight", "conquistadors/knight", 3, leader=True, options={"upgrade-horse": ["warhorse"]}
    )
    log = begun(BattleSetup("skirmish", (side("a", "conquistadors", rider), GUARD)))
    log.tell("move", fighter="knight", contacts=["guard"])
    state = log.tell("combat", **charge(simplified=True, counters={"a": [0, 4], "b": [1, 1]}))
    assert state.table.fight.next.id == "knight"
    bite = {
        "attacker": "knight",
        "target": "guard",
        "by_mount": True,
        "dice": [1, 1],
        "defence_dice": [6],
    }
    assert log.errors("attack", **bite) == ["not-its-turn"]
