"""The condition that a fighter carries from battle to battle: kept by the replay, used by the
rules, changed by a correction."""

from typing import Any

from rulebook.chronicle.facts import (
    AnyFact,
    Corrected,
    Equipped,
    Fought,
    Mustered,
    Recruit,
    Recruited,
    decode,
    encode,
)
from rulebook.chronicle.replay import replay_chronicle
from rulebook.chronicle.states import FighterState
from rulebook.ruleset import Fate, Record
from tests.full_toy import TOY, WORN_TOY, find_toy, find_worn_toy

BUILD = {"profile": "veteran", "options": []}
BEGUN: list[AnyFact] = [
    Mustered(ruleset="toy", edition="1", faction="reds", name="The Worn"),
    Recruited(recruits=(Recruit("f1", "Tom", BUILD),)),
]


def fought(condition: dict[str, Any] | None = None, **more: Any) -> Fought:
    return Fought(records=(Record("f1", 2, Fate.FIT, condition=condition or {}),), **more)


def tom(*history: AnyFact) -> FighterState:
    return replay_chronicle([*BEGUN, *history], find_worn_toy).state.fighters["f1"]


def test_a_fighter_is_what_its_last_battle_has_left_of_it() -> None:
    assert (tom().condition, tom().points) == ({}, 10)
    hurt = tom(fought({"strength": 2}))
    assert (hurt.condition, hurt.points) == ({"strength": 2}, 8)
    assert tom(fought({"strength": 2}), fought({"strength": 1})).points == 7


def test_a_battle_that_leaves_nothing_behind_makes_it_as_recruited() -> None:
    healed = tom(fought({"strength": 2}), fought())
    assert (healed.condition, healed.points) == ({}, 10)


def test_another_build_is_worth_what_its_condition_leaves() -> None:
    armed = Equipped(fighter="f1", build={"profile": "veteran", "options": ["sword"]})
    assert tom(fought({"strength": 3}), armed).points == 10


def test_a_friendly_battle_leaves_its_condition_alone() -> None:
    assert tom(fought({"strength": 2}), fought({"strength": 1}, friendly=True)).condition == {
        "strength": 2
    }


def test_correcting_a_battle_corrects_the_condition_that_it_left() -> None:
    lesser = Corrected(target=3, replacement=fought({"strength": 3}))
    assert (
        tom(fought({"strength": 1}), lesser).condition,
        tom(fought({"strength": 1}), lesser).points,
    ) == (
        {"strength": 3},
        9,
    )
    assert tom(fought({"strength": 1}), Corrected(target=3)).condition == {}


def test_the_roster_tells_the_rules_the_condition_of_each() -> None:
    state = replay_chronicle([*BEGUN, fought({"strength": 1})], find_worn_toy).state
    assert state.roster.fighters[0].condition == {"strength": 1}
    assert WORN_TOY.roster_totals(state.roster).points == 7


def test_a_fact_without_a_condition_reads_and_is_written_as_ever() -> None:
    stored = {
        "kind": "fought",
        "version": 1,
        "records": [{"fighter": "f1", "rank": 2, "fate": "fit", "survived": True, "wounds": ""}],
    }
    fact = decode(stored)
    assert isinstance(fact, Fought)
    assert fact.records[0].condition == {}
    assert encode(fact)["records"][0].keys() >= stored["records"][0].keys()  # type: ignore[index]


def test_where_nothing_is_carried_there_is_nothing_to_say_and_no_price_changes() -> None:
    state = replay_chronicle([*BEGUN, fought({"strength": 1})], find_toy).state
    fighter = state.fighters["f1"]
    assert TOY.condition_lines(fighter.build, state.terms, fighter.condition) == ()
    assert fighter.points == 10


def test_condition_uses_words_of_rule_system() -> None:
    state = replay_chronicle([*BEGUN, fought({"strength": 1})], find_worn_toy).state
    (line,) = WORN_TOY.condition_lines(BUILD, state.terms, state.fighters["f1"].condition)
    assert (line.label, line.value, line.rule) == ("Strength", "1 of 4", 'Toy rules: "Wear"')
