"""The state of play as JSON, dice thrown for events, and set-ups through the protocol."""

import json
from random import Random

import pytest

from rulebook.dice.committed import CommittedDice, die
from rulebook.ruleset import BattleSetup, LoggedEvent
from rulebook.systems.en_garde.table.set_up_forms import laid_table
from scripts.demo.referees.en_garde import referee
from tests.rulebook.en_garde.logs import event_problems, play_state, result, throw_dice
from tests.rulebook.en_garde.turns.tables import SWORDS
from tests.rulebook.en_garde.turns.test_referee import random_battle


@pytest.mark.parametrize("seed", range(8))
def test_the_state_is_json_at_every_event_and_ends_in_the_result(seed):
    setup = random_battle(seed)
    events = referee(setup, Random(seed))
    for place in range(0, len(events) + 1, 25):
        json.dumps(play_state(setup, events[:place]))
    shown = {side["key"]: side["victory_points"] for side in play_state(setup, events)["sides"]}
    assert shown == {side.side: side.victory_points for side in result(setup, events).sides}


def test_the_state_tells_counters_and_whose_opportunity_it_is():
    events = (
        LoggedEvent(1, "turn", {}, 1),
        LoggedEvent(2, "move", {"fighter": "guard", "contacts": ["athos"]}),
        LoggedEvent(
            3,
            "combat",
            {
                "fighters": {"a": ["athos"], "b": ["guard"]},
                "counters": {"a": [3, 3], "b": [1, 1]},
                "initiative": {"athos": [6], "guard": [1]},
            },
        ),
    )
    state = play_state(SWORDS, events)
    assert (state["next"], state["counters"]) == ("athos", {"a": [3, 3], "b": [1, 1]})
    guard = next(each for each in state["fighters"] if each["fighter"] == "guard")
    assert (guard["contacts"], guard["acted"], guard["weapon"]) == (["athos"], True, "hand-weapon")


def test_dice_are_thrown_only_where_they_are_wanted_and_kept_in_order():
    events = (LoggedEvent(1, "turn", {}, 1),)
    shot = LoggedEvent(
        2, "shot", {"shooter": "planchet", "target": "guard", "weapon": "matchlock", "inches": 8}
    )
    thrown = throw_dice(SWORDS, events, shot, CommittedDice("seed", "battle", used=4))
    assert thrown.dice == (die("seed", "battle", 5), die("seed", "battle", 6))
    assert (tuple(thrown.data["dice"]), thrown.data["thrown"]) == (thrown.dice, "app")
    typed = LoggedEvent(2, "shot", {**shot.data, "dice": [3, 4]})
    assert throw_dice(SWORDS, events, typed, Random(1)).data == {**typed.data, "thrown": "table"}
    bragged = LoggedEvent(2, "shot", {**typed.data, "thrown": "app"})
    assert throw_dice(SWORDS, events, bragged, Random(1)).data["thrown"] == "table"


def test_the_house_rule_says_whose_dice_count():
    events = (LoggedEvent(1, "turn", {}, 1),)
    data = {"shooter": "planchet", "target": "guard", "weapon": "matchlock", "inches": 8}
    theirs = BattleSetup("skirmish", SWORDS.sides, {"dice": "table"})
    assert throw_dice(theirs, events, LoggedEvent(2, "shot", data), Random(1)).dice == ()
    ours = BattleSetup("skirmish", SWORDS.sides, {"dice": "app"})
    typed = LoggedEvent(2, "shot", {**data, "dice": [3, 4], "thrown": "table"})
    assert [problem.code for problem in event_problems(ours, events, typed)] == ["typed-dice"]
    thrown = throw_dice(ours, events, LoggedEvent(2, "shot", data), Random(1))
    assert event_problems(ours, events, LoggedEvent(2, "shot", thrown.data)) == ()


def test_an_event_that_names_nobody_is_left_to_the_checks():
    shot = LoggedEvent(
        2, "shot", {"shooter": "nobody", "target": "guard", "weapon": "bow", "inches": 8}
    )
    assert throw_dice(SWORDS, (LoggedEvent(1, "turn", {}, 1),), shot, Random(1)).data == shot.data


def test_what_was_typed_in_for_the_table_stays():
    rolled = laid_table(
        BattleSetup("skirmish", SWORDS.sides, set_up={"weather": "rain"}), Random(3)
    )
    assert rolled["weather"] == "rain"
    assert rolled["terrain"]["total"] >= 4
    assert rolled["rolls"]
    json.dumps(rolled)
