"""Going on to another enemy in a log turn by turn: who may, with which counters, and what it has
used up already."""

from typing import Any

from rulebook.ruleset import BattleSetup
from rulebook.systems.en_garde.table.rounds import Split
from tests.rulebook.en_garde.turns.tables import Told, begun, man, side


def heroes() -> BattleSetup:
    """Return a battle of two heroes against four guards."""
    guards = tuple(
        man(f"g{place}", "cardinals-guard/guard", 2, leader=place == 1) for place in (1, 2, 3, 4)
    )
    athos = man("athos", "three-musketeers/athos", 5, leader=True)
    dartagnan = man("dartagnan", "three-musketeers/dartagnan", 5)
    return BattleSetup(
        "skirmish",
        (side("a", "three-musketeers", athos, dartagnan), side("b", "cardinals-guard", *guards)),
    )


def fight(hero: str, *foes: str, counters: tuple[int, int] = (3, 3), **more: Any) -> dict[str, Any]:
    dice = {fighter: [6 - place] for place, fighter in enumerate((hero, *foes))}
    pool = {"a": list(counters), "b": [len(foes), len(foes)]}
    return {
        "fighters": {"a": [hero], "b": list(foes)},
        "counters": pool,
        "initiative": dice,
        **more,
    }


def won(hero: str = "athos", **contacts: list[str]) -> Told:
    """Return a battle in which a hero has killed the first guard, and nobody else has fought."""
    log = begun(heroes(), **{hero: ["g1"], **contacts})
    log.tell("combat", **fight(hero, "g1"))
    log.tell(
        "attack", attacker=hero, target="g1", dice=[6, 6], defence_dice=[1], defence_reroll=None
    )
    return log


def test_who_touches_another_enemy_goes_nowhere():
    onward = fight("athos", "g3", counters=(1, 3), moved_on="athos")
    assert won().errors("combat", **onward) == []
    assert won(athos=["g1", "g2"]).errors("combat", **onward) == ["still-engaged"]


def joined(counters: list[int], **more: Any) -> dict[str, Any]:
    """Return the data of a combat in which Athos joins his friend against a guard."""
    return {
        "fighters": {"a": ["athos", "dartagnan"], "b": ["g2"]},
        "counters": {"a": counters, "b": [1, 1]},
        "initiative": {"athos": [6], "dartagnan": [1], "g2": [1]},
        "moved_on": "athos",
        **more,
    }


def test_joining_fighter_adds_only_own_counters():
    log = won(dartagnan=["g2"])
    assert log.errors("combat", **joined([9, 9])) == ["wrong-pool"]
    assert log.errors("combat", **joined([0, 9])) == ["negative-counters", "wrong-pool"]
    assert log.errors("combat", **joined([1 + 3, 3 + 3])) == []


def test_a_friend_who_has_fought_does_not_fight_again():
    log = begun(heroes(), dartagnan=["g2"], athos=["g1"])
    log.tell("combat", **fight("dartagnan", "g2"))
    for fighter in ("dartagnan", "g2"):
        log.tell("pass", fighter=fighter)
    log.tell("combat", **fight("athos", "g1"))
    log.tell("attack", attacker="athos", target="g1", dice=[6, 6], defence_dice=[1])
    assert log.errors("combat", **joined([4, 6])) == ["fought-already"]


def test_an_enemy_who_has_fought_fights_who_comes_to_it_with_its_full_pool():
    log = begun(heroes(), dartagnan=["g2"], athos=["g1"])
    log.tell("combat", **fight("dartagnan", "g2"))
    for fighter in ("dartagnan", "g2"):
        log.tell("pass", fighter=fighter)
    log.tell("combat", **fight("athos", "g1"))
    log.tell("attack", attacker="athos", target="g1", dice=[6, 6], defence_dice=[1])
    state = log.tell("combat", **fight("athos", "g2", counters=(1, 3), moved_on="athos"))
    assert state.table.fight.pools["b"] == Split(1, 1)


def test_a_riposte_and_the_pass_that_it_costs_follow_to_the_next_combat():
    log = begun(heroes(), athos=["g1"])
    log.tell("combat", **{**fight("athos", "g1"), "initiative": {"athos": [1], "g1": [6]}})
    answer = {"answers": ["riposte"], "dice": [1, 1], "defence_dice": [6, 6]}
    state = log.tell("attack", attacker="g1", target="athos", **answer)
    assert state.combatants["g1"].dead
    onward = {
        **fight("athos", "g2", counters=(2, 2), moved_on="athos"),
        "initiative": {"athos": [1], "g2": [6]},
    }
    state = log.tell("combat", **onward)
    assert state.table.fight.fencer("athos").passes == 1
    assert "riposted" in log.errors("attack", attacker="g2", target="athos", **answer)


def test_a_feint_is_made_once_a_turn_in_whatever_combat():
    log = begun(heroes(), athos=["g1"])
    log.tell("combat", **fight("athos", "g1"))
    log.tell(
        "attack", attacker="athos", target="g1", ploys=["feint"], dice=[6, 6], defence_dice=[3]
    )
    log.tell("pass", fighter="g1")
    log.tell("attack", attacker="athos", target="g1", dice=[6, 6], defence_dice=[1])
    log.tell("combat", **fight("athos", "g2", counters=(1, 3), moved_on="athos"))
    feint = {
        "attacker": "athos",
        "target": "g2",
        "ploys": ["feint"],
        "dice": [6, 6],
        "defence_dice": [3],
    }
    assert log.errors("attack", **feint) == ["feinted"]


def test_two_blows_in_a_row_come_once_a_turn_in_whatever_combat():
    log = begun(heroes(), dartagnan=["g1"])
    log.tell("combat", **fight("dartagnan", "g1"))
    blow = {"attacker": "dartagnan", "target": "g1"}
    log.tell("attack", **blow, dice=[1, 1], defence_dice=[6], again=True)
    log.tell("attack", **blow, dice=[6, 6], defence_dice=[1])
    log.tell("combat", **fight("dartagnan", "g2", counters=(0, 3), moved_on="dartagnan"))
    assert log.state.table.fight.fencer("dartagnan").doubled


def test_who_comes_from_no_combat_goes_on_where_the_table_agrees():
    log = won()
    onward = {
        **fight("dartagnan", "g3", moved_on="dartagnan"),
        "counters": {"a": [3, 2], "b": [1, 1]},
    }
    assert log.errors("combat", **onward) == ["no-combat"]
    assert (
        log.tell("combat", **onward, overruled="He was close by.")
        .table.fight.fencer("dartagnan")
        .attacks
        == 0
    )


GETS_AWAY = {"ploys": ["disengage"], "dice": [6, 6], "defence_dice": [3]}


def test_who_disengages_goes_on_while_the_old_enemy_stands():
    log = begun(heroes(), athos=["g1"])
    log.tell("combat", **fight("athos", "g1"))
    log.tell("attack", attacker="athos", target="g1", **GETS_AWAY)
    assert log.errors("combat", **fight("athos", "g2", counters=(2, 3), moved_on="athos")) == [
        "wrong-pool"
    ]
    state = log.tell("combat", **fight("athos", "g2", counters=(1, 3), moved_on="athos"))
    assert state.table.fight.fencer("athos").attacks == 1
    assert state.table.of("athos").contacts == ("g2",)


def test_who_goes_on_leaves_friends_of_its_combat_the_counters_that_are_theirs():
    log = begun(heroes(), athos=["g1"], dartagnan=["g1"])
    log.tell(
        "combat",
        fighters={"a": ["athos", "dartagnan"], "b": ["g1"]},
        counters={"a": [12, 0], "b": [1, 1]},
        initiative={"athos": [6], "dartagnan": [1], "g1": [1]},
    )
    log.tell("attack", attacker="athos", target="g1", **GETS_AWAY)
    assert log.state.table.fight.pools["a"] == Split(11, 0)
    assert log.errors("combat", **fight("athos", "g2", counters=(10, 0), moved_on="athos")) == [
        "wrong-pool"
    ]
    state = log.tell("combat", **fight("athos", "g2", counters=(4, 0), moved_on="athos"))
    assert state.table.earlier[0].pools["a"] == Split(6, 0)


def test_going_on_works_from_any_combat_of_the_turn():
    log = begun(heroes(), athos=["g1"], dartagnan=["g2"])
    log.tell("combat", **fight("athos", "g1"))
    log.tell("attack", attacker="athos", target="g1", dice=[6, 6], defence_dice=[1])
    log.tell("combat", **fight("dartagnan", "g2"))
    onward = fight("athos", "g3", counters=(1, 3), moved_on="athos")
    assert log.errors("combat", **onward) == []
    state = log.tell("combat", **onward)
    assert state.table.fight.pools["a"] == Split(1, 3)
    assert log.tell("turn", turn=2).table.earlier == ()


def test_moving_on_happens_once_a_turn():
    log = won()
    log.tell("combat", **fight("athos", "g2", counters=(1, 3), moved_on="athos"))
    log.tell("attack", attacker="athos", target="g2", dice=[6, 6], defence_dice=[1])
    assert "moved-on" in log.errors(
        "combat", **fight("athos", "g3", counters=(-1, 3), moved_on="athos")
    )
