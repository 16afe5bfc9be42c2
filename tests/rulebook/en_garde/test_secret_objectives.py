"""Minor objectives that Muster throws, openly or in secret. Rule book: "Skirmish". Ruling S4."""

from random import Random
from typing import Any

import pytest

from rulebook.dice.committed import CommittedDice, die
from rulebook.ruleset import BattleSetup, LoggedEvent, RulesError
from rulebook.systems.en_garde.book.scenarios import minor_objective
from rulebook.systems.en_garde.play.scenario_events import private_roll
from rulebook.systems.en_garde.table.set_up_forms import laid_table
from tests.rulebook.en_garde.logs import event_problems, replay, throw_dice
from tests.rulebook.en_garde.turns.tables import SWORDS

ENDED = (LoggedEvent(1, "ended", {"how": "last-turn"}),)


def skirmish(set_up: dict[str, Any] | None = None, **settings: Any) -> BattleSetup:
    return BattleSetup("skirmish", SWORDS.sides, settings, set_up or {})


def thrown(
    setup: BattleSetup, before: tuple[LoggedEvent, ...], dice: Any, **data: Any
) -> tuple[LoggedEvent, Any]:
    event = LoggedEvent(len(before) + 1, "minor_objective", {"side": "a", **data})
    throw = throw_dice(setup, before, event, dice)
    return LoggedEvent(event.sequence, event.kind, throw.data), throw.dice


def codes(setup: BattleSetup, before: tuple[LoggedEvent, ...], **data: Any) -> list[str]:
    event = LoggedEvent(len(before) + 1, "minor_objective", {"side": "a", **data})
    return [problem.code for problem in event_problems(setup, before, event)]


def test_an_open_one_is_the_battles_next_die():
    dice = CommittedDice("seed", "battle", used=4)
    event, shown = thrown(skirmish(), (), dice)
    assert shown == (die("seed", "battle", 5),)
    assert event.data == {"side": "a", "rolled": shown[0], "thrown": "app"}
    assert event_problems(skirmish(), (), event) == ()


def test_a_secret_one_is_a_die_apart_that_its_side_may_learn_before_the_end():
    setup = skirmish(minor_objectives="secret")
    expected = die("seed", "battle objective a", 1)
    secret = private_roll(setup, "a", CommittedDice("seed", "battle", used=7))
    assert secret is not None
    assert (secret.die, secret.sentence) == (expected, minor_objective(expected).sentence)
    dice = CommittedDice("seed", "battle", used=9)
    event, shown = thrown(setup, ENDED, dice)
    assert (event.data["rolled"], event.data["thrown"], shown, dice.used) == (
        expected,
        "app",
        (),
        9,
    )
    assert replay(setup, (*ENDED, event)).rolled["a"].rolled == expected


def test_each_side_has_a_secret_of_its_own():
    dice = CommittedDice("seed", "battle")
    setup = skirmish(minor_objectives="secret")
    secrets = [private_roll(setup, side, dice) for side in "ab"]
    assert [secret and secret.die for secret in secrets] == [
        die("seed", f"battle objective {side}", 1) for side in "ab"
    ]


def test_nothing_of_a_secret_comes_into_the_log_before_the_end():
    assert codes(skirmish(minor_objectives="secret"), (), rolled=3) == ["kept-secret"]


@pytest.mark.parametrize(
    ("scenario", "rules"),
    [
        ("skirmish", {}),
        ("skirmish", {"minor_objectives": "secret", "dice": "table"}),
        ("capture", {"minor_objectives": "secret"}),
    ],
)
def test_there_is_no_secret_where_none_is_kept_or_muster_does_not_throw(scenario, rules):
    assert private_roll(BattleSetup(scenario, SWORDS.sides, rules), "a", Random(1)) is None


def test_a_side_for_which_muster_has_thrown_in_secret_brings_no_die_of_its_own():
    drawn = skirmish({"secrets_drawn": ["a"]}, minor_objectives="secret")
    assert codes(drawn, ENDED, rolled=3) == ["typed-dice"]
    assert codes(skirmish(minor_objectives="secret"), ENDED, rolled=3) == []
    event, _ = thrown(drawn, ENDED, CommittedDice("seed", "battle"))
    assert event_problems(drawn, ENDED, event) == ()


def test_who_brags_that_muster_threw_is_not_believed():
    event, _ = thrown(skirmish(dice="app"), (), Random(1), rolled=6, thrown="app")
    assert event.data["thrown"] == "table"
    assert codes(skirmish(dice="app"), (), rolled=6, thrown="table") == ["typed-dice"]


def test_a_die_is_needed_where_the_table_throws():
    event, shown = thrown(skirmish(dice="table"), (), Random(1))
    assert (event.data, shown) == ({"side": "a"}, ())
    assert codes(skirmish(dice="table"), ()) == ["wrong-dice"]


def test_what_was_rolled_stays_when_it_is_said_to_be_achieved():
    first = LoggedEvent(1, "minor_objective", {"side": "a", "rolled": 2, "thrown": "app"})
    event, shown = thrown(skirmish(), (first,), Random(1), achieved=True)
    assert (event.data["rolled"], shown) == (2, ())
    assert event_problems(skirmish(), (first,), event) == ()


def test_a_set_up_keeps_what_is_neither_rolled_nor_typed():
    brought = {"secrets_drawn": ["a"], "wounds": {"athos": "light"}}
    rolled = laid_table(skirmish(brought), Random(1))
    assert {key: rolled[key] for key in brought} == brought
    with pytest.raises(RulesError):
        laid_table(skirmish({"moon": "full"}), Random(1))
