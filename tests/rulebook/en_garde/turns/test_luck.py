"""Luck in a log turn by turn."""

from typing import Any

from rulebook.ruleset import BattleSetup
from tests.rulebook.en_garde.turns.tables import Rigged, begun, man, met, side


def test_luck_is_kept_when_all_goes_well():
    log = met()
    log.luck = Rigged(
        1, 2, 2, 6, 5
    )  # 1 becomes 2 by mastery; 4 and 5 against 6 and 2 hits by one all the same
    state = log.tell("attack", attacker="athos", target="guard", lucky="athos")
    assert not state.table.of("athos").lucky_used


def test_luck_is_spent_on_what_goes_against_the_lucky():
    log = met(initiative={"athos": [1], "guard": [6]})
    log.luck = Rigged(
        6, 6, 4, 1
    )  # 12 and a Fight of 2 against 4 and 5: the first six becomes a one, and misses
    state = log.tell("attack", attacker="guard", target="athos", lucky="athos")
    assert state.table.of("athos").lucky_used
    assert not state.combatants["athos"].wounds.worst
    assert log.events[-1].data["luck"] == 1


def test_nobody_without_luck_throws_a_die_again():
    blow = {"attacker": "athos", "target": "guard", "dice": [3, 3], "defence_dice": [6]}
    assert met().errors("attack", **blow, luck=6) == ["wrong-dice"]


HEROES = BattleSetup(
    "skirmish",
    (
        side(
            "a",
            "custom",
            man(
                "hero",
                "custom/rank-5",
                5,
                leader=True,
                equipment=["sword", "bow"],
                kept={"attributes": ["lucky"]},
            ),
        ),
        side(
            "b", "custom", man("foe", "custom/rank-5", 5, leader=True, equipment=["sword", "bow"])
        ),
    ),
)
FIRE: dict[str, Any] = {"weapon": "bow", "inches": 10}


def test_luck_turns_enemy_and_own_shots():
    log = begun(HEROES)
    log.luck = Rigged(6, 2, 1)
    state = log.tell("shot", shooter="foe", target="hero", lucky="hero", **FIRE)
    assert state.table.of("hero").lucky_used
    assert not state.combatants["hero"].wounds.worst
    own = begun(HEROES)
    own.luck = Rigged(1, 2, 6)
    assert (
        own.tell("shot", shooter="hero", target="foe", lucky="hero", **FIRE)
        .combatants["foe"]
        .wounds.worst
    )


def test_a_shot_that_goes_well_leaves_the_luck_unspent():
    log = begun(HEROES)
    log.luck = Rigged(6, 6)
    assert (
        not log.tell("shot", shooter="hero", target="foe", lucky="hero", **FIRE)
        .table.of("hero")
        .lucky_used
    )


def test_luck_is_spent_once_a_battle_and_only_by_those_concerned():
    log = begun(HEROES)
    assert log.errors("shot", shooter="hero", target="foe", dice=[1, 2], lucky="foe", **FIRE) == [
        "no-luck"
    ]
    log.tell("shot", shooter="hero", target="foe", dice=[3, 4], lucky="hero", **FIRE)
    log.tell("turn", turn=2)
    assert log.errors("shot", shooter="hero", target="foe", dice=[1, 2], lucky="hero", **FIRE) == [
        "no-luck"
    ]


def test_luck_serves_in_a_free_attack():
    log = begun(HEROES)
    log.tell("move", fighter="hero", contacts=["foe"])
    log.luck = Rigged(1, 1, 6, 6)
    log.tell("turn", turn=2)
    assert (
        log.tell("free_attack", attacker="hero", target="foe", lucky="hero")
        .table.of("hero")
        .lucky_used
    )


def duel(**more: Any) -> dict[str, Any]:
    return {
        "fighters": {"a": ["hero"], "b": ["foe"]},
        "counters": {"a": [3, 2], "b": [3, 2]},
        **more,
    }


def test_luck_rerolls_initiative_unless_already_first():
    log = begun(HEROES, hero=["foe"])
    log.luck = Rigged(1, 5, 6)
    state = log.tell("combat", **duel(lucky="hero"))
    assert (state.table.fight.next.id, state.table.of("hero").lucky_used) == ("hero", True)
    first = begun(HEROES, hero=["foe"])
    first.luck = Rigged(6, 1)
    assert not first.tell("combat", **duel(lucky="hero")).table.of("hero").lucky_used


def test_luck_with_typed_dice_of_initiative_is_spent_on_what_was_typed():
    log = begun(HEROES, hero=["foe"])
    dice = {"hero": [6], "foe": [1]}
    assert log.errors("combat", **duel(lucky="foe", initiative=dice)) == ["no-luck"]
    assert log.tell("combat", **duel(lucky="hero", initiative=dice)).table.of("hero").lucky_used


def test_luck_spares_the_own_defence_die_and_names_its_ruling():
    log = met(initiative={"athos": [1], "guard": [6]})
    log.luck = Rigged(6, 6, 4, 1)
    log.tell("attack", attacker="guard", target="athos", lucky="athos")
    assert log.events[-1].data["defence_dice"] == [4]
    assert 'Rule book: "Lucky"; Ruling B37' in log.outcome.rules
    assert log.outcome.sums[0].lines[0].reason == "Dice 1 and 6"


def test_luck_throws_the_lowest_of_the_own_attack_dice_again_and_the_highest_of_the_enemys():
    own = met()
    blow = {"attacker": "athos", "target": "guard", "dice": [3, 5], "defence_dice": [6]}
    own.tell("attack", **blow, lucky="athos", luck=4)
    assert own.outcome.sums[0].lines[0].reason == "Dice 4 and 5"
    enemy = met(initiative={"athos": [1], "guard": [6]})
    blow = {"attacker": "guard", "target": "athos", "dice": [3, 5], "defence_dice": [6]}
    enemy.tell("attack", **blow, lucky="athos", luck=4)
    assert enemy.outcome.sums[0].lines[0].reason == "Dice 3 and 4"
