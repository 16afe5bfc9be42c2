"""Rounds of hand-to-hand combat: order of opportunities, spent ones, who can continue, and valid
targets."""

import pytest

from rulebook.systems.en_garde.table.blows import (
    Ploy,
)
from rulebook.systems.en_garde.table.combatant import Grip
from rulebook.systems.en_garde.table.orders import challenge_violations
from rulebook.systems.en_garde.table.rounds import (
    Split,
    fallen,
    moved_on,
    needs_nerve,
    nerve_holds,
    new_combat_violations,
    open_round,
    passed,
    strike_violations,
    struck,
)
from tests.rulebook.en_garde.table.cast import LIGHT, somebody

SWORD = Grip("sword")
NONE: frozenset[Ploy] = frozenset()
MASTER = {"weapon-master": ("sword",), "duellist": ()}
SWORDSMAN = somebody(
    id="s", rank=3, combat_pool=4, initiative=1, fight=3, worn=1, attributes=MASTER
)
FIRST = somebody(id="r1")
SECOND = somebody(id="r2", weapons=("great-weapon",))


def example_round():
    return open_round(
        ((SWORDSMAN, "a", 5), (FIRST, "b", 6), (SECOND, "b", 1)),
        {"a": Split(2, 2), "b": Split(3, 1)},
    )


def test_the_round_of_the_example_goes_as_the_rule_book_tells_it():
    fight = example_round()
    assert fight.next.id == "r1"
    fight = struck(fight, "r1", "s", NONE, frozenset({Ploy.PARRY}))
    assert fight.next.id == "s"
    fight = struck(fight, "s", "r2", frozenset({Ploy.MIGHTY_BLOW}), frozenset({Ploy.PARRY}))
    assert fight.next.id == "r2"
    fight = struck(fight, "r2", "s", NONE, frozenset({Ploy.RIPOSTE}))
    assert fight.pools == {"a": Split(0, 0), "b": Split(1, 0)}
    fight = fallen(fight, "r2")
    assert fight.next.id == "r1"
    assert struck(fight, "r1", "s", NONE, NONE).over


def test_strike_needs_turn_counter_and_enemy():
    fight = example_round()
    assert [violation.code for violation in strike_violations(fight, "s", "r1")] == ["not-its-turn"]
    assert [violation.code for violation in strike_violations(fight, "r1", "r2")] == ["own-side"]
    for _ in range(2):
        fight = struck(fight, "r1", "s", NONE, NONE)
        fight = passed(passed(fight))
    assert "no-attack-left" in [violation.code for violation in strike_violations(fight, "r1", "s")]


def test_a_riposte_makes_its_fencer_pass_once():
    fight = struck(example_round(), "r1", "s", NONE, frozenset({Ploy.RIPOSTE}))
    assert [violation.code for violation in strike_violations(fight, "s", "r1")] == ["must-pass"]
    assert passed(fight).fencer("s").passes == 0


def test_a_round_ends_when_everybody_has_passed_in_turn():
    fight = example_round()
    for _ in range(3):
        assert not fight.over
        fight = passed(fight)
    assert fight.over


def test_a_fast_fencer_strikes_twice_running_once_a_turn():
    quick = somebody(id="q", combat_pool=3, attributes={"fast": ()})
    fight = open_round(((quick, "a", 6), (FIRST, "b", 3)), {"a": Split(3, 0), "b": Split(2, 0)})
    fight = struck(fight, "q", "r1", NONE, NONE, again=True)
    assert fight.next.id == "q"
    assert struck(fight, "q", "r1", NONE, NONE, again=True).next.id == "r1"


def test_a_landed_feint_gives_its_counter_back():
    fight = open_round(((SWORDSMAN, "a", 6), (FIRST, "b", 3)), {"a": Split(2, 2), "b": Split(2, 0)})
    after = struck(fight, "s", "r1", frozenset({Ploy.FEINT}), NONE, feint_landed=True)
    assert after.pools["a"] == Split(2, 2)
    assert after.fencer("s").feinted


def test_tied_initiative_is_rolled_off_first():
    with pytest.raises(ValueError, match="roll again"):
        open_round(((FIRST, "a", 3), (SECOND, "b", 3)), {"a": Split(1, 1), "b": Split(1, 1)})


def test_in_the_simplified_procedure_everybody_strikes_before_anybody_strikes_again():
    pools = {"a": Split(5, 0), "b": Split(2, 0)}
    fight = open_round(
        ((FIRST, "a", 5), (SECOND, "a", 4), (SWORDSMAN, "b", 3)), pools, simplified=True
    )
    fight = struck(fight, "r1", "s", NONE, NONE)
    assert fight.next is not None and fight.next.side == "b"
    fight = passed(fight)
    assert "no-attack-left" in [violation.code for violation in strike_violations(fight, "r1", "s")]
    assert strike_violations(fight, "r2", "s") == ()


def test_a_new_combat_takes_freedom_and_a_counter():
    fight = open_round(((SWORDSMAN, "a", 6), (FIRST, "b", 3)), {"a": Split(2, 1), "b": Split(2, 0)})
    assert [violation.code for violation in new_combat_violations(fight, "s")] == ["still-engaged"]
    free = fallen(fight, "r1")
    assert new_combat_violations(free, "s") == ()
    assert moved_on(free, "s") == Split(1, 1)


def test_challenges_are_for_rank_three_and_the_unhurt_nearby():
    high = somebody(rank=3)
    assert challenge_violations(high, somebody(rank=3), 6) == ()
    codes = [
        violation.code
        for violation in challenge_violations(
            somebody(), somebody(rank=1, wounds=LIGHT), 7, engaged=True
        )
    ]
    assert codes == [
        "too-low-to-challenge",
        "beneath-challenge",
        "out-of-earshot",
        "engaged",
        "hurt",
    ]


def test_the_beguiling_and_the_terrifying_ask_for_nerve():
    charmer, monster = (
        somebody(attributes={"beguiling": ()}),
        somebody(attributes={"terrifying": ()}),
    )
    assert needs_nerve(charmer) == "beguiling"
    assert needs_nerve(charmer, struck_by_target=True) == ""
    assert needs_nerve(monster) == "terrifying"
    assert [die for die in range(1, 7) if nerve_holds(3, die)] == [1, 2]
    assert [die for die in range(1, 7) if nerve_holds(3, die, equal_will_do=True)] == [1, 2, 3]
