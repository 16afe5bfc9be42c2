"""Rounds of hand-to-hand combat in a log turn by turn: who fights, counters, Initiative,
opportunities, going on."""

import pytest

from rulebook.ruleset import BattleSetup
from rulebook.systems.en_garde.table.rounds import Split
from tests.rulebook.en_garde.turns.tables import GUARD, Told, begun, man, met, opening, side


def test_athos_has_exactly_six_counters():
    log = begun(guard=["athos"])
    assert log.errors("combat", **opening(counters={"a": [4, 3], "b": [1, 1]})) == ["wrong-pool"]
    assert log.tell("combat", **opening()).table.fight.pools == {"a": Split(3, 3), "b": Split(1, 1)}


def test_ties_of_initiative_are_thrown_again():
    log = begun(guard=["athos"])
    tied = {"athos": [1], "guard": [3]}
    assert log.errors("combat", **opening(initiative=tied)) == ["tied-initiative"]
    state = log.tell("combat", **opening(initiative={"athos": [1, 2], "guard": [3, 5]}))
    assert state.table.fight.next.id == "guard"


def test_nobody_fights_twice_in_a_turn_or_without_a_combat():
    log = met()
    assert "fought-already" in log.errors("combat", **opening())
    assert log.errors(
        "attack", attacker="jussac", target="athos", dice=[1, 1], defence_dice=[1]
    ) == ["no-combat"]


def test_only_one_side_has_several():
    log = begun(guard=["athos"], jussac=["planchet"])
    everybody = opening(
        fighters={"a": ["athos", "planchet"], "b": ["guard", "jussac"]},
        counters={"a": [4, 3], "b": [3, 2]},
        initiative={"athos": [6], "planchet": [1], "guard": [2], "jussac": [5]},
    )
    assert log.errors("combat", **everybody) == ["both-sides-many"]


def crowd(number: int, target: str) -> Told:
    """Return a battle of this number of guards against one fighter."""
    guards = tuple(
        man(f"g{each}", "cardinals-guard/guard", 2, leader=each == 0) for each in range(number)
    )
    foe = man("foe", target, 3, leader=True)
    setup = BattleSetup(
        "skirmish", (side("a", "conquistadors", foe), side("b", "cardinals-guard", *guards))
    )
    return begun(setup, foe=[guard.id for guard in guards])


@pytest.mark.parametrize(
    ("number", "target", "expected"),
    [
        (4, "conquistadors/veteran", []),
        (5, "conquistadors/veteran", ["too-many"]),
        (6, "conquistadors/knight", []),
        (7, "conquistadors/knight", ["too-many"]),
    ],
)
def test_four_fight_one_of_their_size_and_six_a_larger_one(number, target, expected):
    log = crowd(number, target)
    names = [f"g{each}" for each in range(number)]
    fight = {
        "fighters": {"a": ["foe"], "b": names},
        "counters": {"a": [2, 1], "b": [number, number]},
        "initiative": {
            "foe": [6, 6],
            **{name: [1, place + 1] for place, name in enumerate(names[:6])},
        },
    }
    if number == 7:
        fight["initiative"]["g6"] = [2]
    assert log.errors("combat", **fight) == expected


def test_only_two_riders_find_room_around_one_on_foot():
    knights = tuple(
        man(f"k{each}", "conquistadors/knight", 3, leader=each == 0) for each in range(3)
    )
    log = begun(
        BattleSetup("skirmish", (side("a", "conquistadors", *knights), GUARD)),
        guard=[each.id for each in knights],
    )
    fight = {
        "fighters": {"a": ["k0", "k1", "k2"], "b": ["guard"]},
        "counters": {"a": [9, 0], "b": [1, 1]},
        "initiative": {"k0": [1], "k1": [2], "k2": [3], "guard": [6]},
    }
    assert log.errors("combat", **fight) == ["too-many"]


def test_nobody_joins_in_a_duel():
    log = Told()
    log.tell("turn", turn=1)
    log.tell("challenge", challenger="jussac", challenged="athos", inches=3, accepted=True)
    log.tell("move", fighter="athos", contacts=["jussac", "guard"])
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
    assert set(log.errors("combat", **helped)) == {"in-a-duel"}
    assert log.errors("combat", **alone) == []


def test_the_river_costs_initiative():
    dice = {
        "athos": [2],
        "guard": [3, 6],
    }  # 2 and his Initiative of 2 against 3, or the same score in the water
    assert met(initiative=dice).state.table.fight.next.id == "athos"
    wet = met(initiative={**dice, "athos": [2, 1]}, in_river=["athos"])
    assert wet.state.table.fight.next.id == "guard"


def test_who_is_free_goes_on_to_another_with_one_counter_less():
    log = met()
    log.tell("attack", attacker="athos", target="guard", dice=[6, 6], defence_dice=[1])
    onward = opening(
        fighters={"a": ["athos"], "b": ["jussac"]},
        counters={"a": [1, 3], "b": [2, 1]},
        initiative={"athos": [6], "jussac": [1]},
    )
    assert log.errors("combat", **onward) == [
        "not-in-contact",
        "not-in-contact",
        "wrong-pool",
        "fought-already",
    ]
    assert log.errors(
        "combat", **{**onward, "counters": {"a": [2, 3], "b": [2, 1]}}, moved_on="athos"
    ) == ["wrong-pool"]
    state = log.tell("combat", **onward, moved_on="athos")
    assert state.table.fight.pools == {"a": Split(1, 3), "b": Split(2, 1)}
    log.tell("attack", attacker="athos", target="jussac", dice=[6, 6], defence_dice=[1])
    again = opening(
        fighters={"a": ["athos"], "b": ["milady"]},
        counters={"a": [0, 3], "b": [1, 1]},
        initiative={"athos": [6], "milady": [1]},
    )
    assert "moved-on" in log.errors("combat", **again, moved_on="athos")


def test_who_is_still_engaged_goes_nowhere():
    onward = opening(
        fighters={"a": ["athos"], "b": ["jussac"]},
        counters={"a": [2, 3], "b": [2, 1]},
        initiative={"athos": [6], "jussac": [1]},
    )
    assert met().errors("combat", **onward, moved_on="athos") == ["still-engaged"]


def test_another_weapon_takes_a_counter():
    log = met()
    state = log.tell("switch_weapon", fighter="athos", weapon="dagger")
    assert state.table.grips["athos"] == "dagger"
    assert state.table.fight.pools["a"] == Split(2, 3)
    assert log.errors("switch_weapon", fighter="guard", weapon="pike") == ["not-carried"]


def test_pike_is_quick_in_the_first_round_and_slow_in_later_ones():
    pikeman = man("pikeman", "landsknechts/landsknecht", 2, leader=True)
    log = begun(
        BattleSetup("skirmish", (side("a", "landsknechts", pikeman), GUARD)), pikeman=["guard"]
    )
    fight = {
        "fighters": {"a": ["pikeman"], "b": ["guard"]},
        "counters": {"a": [1, 1], "b": [1, 1]},
        "weapons": {"pikeman": "pike"},
    }
    scores = []
    for turn in (2, 3):
        log.tell("combat", **fight, initiative={"pikeman": [5], "guard": [6]})
        scores.append(log.state.table.fight.fencer("pikeman").score)
        log.tell("turn", turn=turn)
    assert scores == [5 + 3, 5 - 3]
