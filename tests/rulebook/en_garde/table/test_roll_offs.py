"""Roll-offs for the first move during setup, ties, and the requirements of each scenario."""

from itertools import pairwise
from random import Random

import pytest
from msgspec import to_builtins

from rulebook.ruleset import BattleSetup, FieldedSide, RulesError
from rulebook.systems.en_garde.book.scenarios import scenario_facts
from rulebook.systems.en_garde.table.set_up_forms import set_up_lines, with_typed
from rulebook.systems.en_garde.table.setting_up import Roller, roll_off, set_up


class Typed:
    """A generator that returns typed dice."""

    def __init__(self, *dice: int) -> None:
        self.dice = list(dice)

    def randint(self, least: int, most: int) -> int:
        return self.dice.pop(0)


def laid(scenario: str, seed: int = 1, *sides: str) -> dict:
    sides = sides or ("a", "b")
    return to_builtins(set_up(scenario, 300, sides, {}, Random(seed)))


def test_the_highest_die_goes_first():
    assert roll_off("edge", ("a", "b", "c"), Roller(Typed(2, 6, 4))) == ("b", "c", "a")


def test_those_who_tie_throw_again_among_themselves():
    roller = Roller(Typed(5, 5, 1, 2, 3))
    assert roll_off("edge", ("a", "b", "c"), roller) == ("b", "a", "c")
    assert [each.total for each in roller.kept] == [5, 5, 1, 2, 3]


def test_a_side_alone_throws_nothing():
    assert roll_off("edge", ("a",), Roller(Typed())) == ("a",)


@pytest.mark.parametrize(
    ("scenario", "expected"),
    [
        ("skirmish", {"placing", "decides", "chooses"}),
        ("capture", {"placing", "chooses"}),
        ("duel", {"placing", "chooses"}),
        ("defence", {"placing", "chooses"}),
        ("escort", {"placing", "chooses"}),
        ("hold-the-bridge", {"chooses", "downstream"}),
        ("occupy", {"chooses"}),
        ("raid", {"placing", "chooses"}),
    ],
)
def test_each_scenario_asks_for_its_own(scenario: str, expected: set[str]):
    table = laid(scenario)
    assert {
        key for key in ("placing", "decides", "chooses", "downstream") if table[key]
    } == expected


@pytest.mark.parametrize("scenario", ["defence", "hold-the-bridge", "raid"])
def test_the_defender_chooses_first_without_a_die(scenario: str):
    table = laid(scenario)
    assert table["roles"][table["chooses"][0]] == "defender"
    assert "who chooses where first" not in [each["what"] for each in table["rolls"]]


def test_terrain_is_placed_by_threes_in_turn():
    table = laid("skirmish")
    sides = [side for side, _ in table["placing"]]
    assert sum(pieces for _, pieces in table["placing"]) == table["terrain"]["total"]
    assert all(first != other for first, other in pairwise(sides))
    assert max(pieces for _, pieces in table["placing"]) <= 3


def test_up_to_four_sides_choose_their_edge_at_occupy():
    assert sorted(laid("occupy", 3, "a", "b", "c", "d")["chooses"]) == ["a", "b", "c", "d"]


@pytest.mark.parametrize("seed", range(6))
def test_a_die_says_where_the_river_flows(seed: int):
    table = laid("hold-the-bridge", seed)
    die = next(each["total"] for each in table["rolls"] if each["what"] == "downstream")
    assert table["downstream"] == ("left" if die <= 3 else "right")


def test_typed_terrain_is_placed_in_the_order_that_was_rolled():
    rolled = laid("skirmish")
    table = with_typed(rolled, {"terrain": {"large": 1, "small": 3}})
    assert [pieces for _, pieces in table["placing"]] == [3, 1]
    assert table["placing"][0][0] == rolled["placing"][0][0]


@pytest.mark.parametrize(
    ("scenario", "typed"),
    [
        ("skirmish", {"placing": [["a", 99]]}),
        ("skirmish", {"placing": [["nobody", 5]]}),
        ("skirmish", {"decides": "nobody"}),
        ("skirmish", {"chooses": ["a", "a"]}),
        ("skirmish", {"downstream": "left"}),
        ("hold-the-bridge", {"downstream": "up"}),
    ],
    ids=["too-many", "stranger", "decider", "twice", "no-river", "uphill"],
)
def test_nonsense_is_refused_by_field(scenario: str, typed: dict):
    with pytest.raises(RulesError) as errors:
        with_typed(laid(scenario), typed)
    assert [problem.field for problem in errors.value.problems] == list(typed)


@pytest.mark.parametrize("facts", scenario_facts(), ids=lambda facts: facts.key)
def test_people_read_names_and_dice(facts):
    sides = tuple(FieldedSide(key, key.upper() * 3, "", "landsknechts", ()) for key in "ab")
    lines = set_up_lines(BattleSetup(facts.key, sides, {}, laid(facts.key)))
    chosen = next(line for line in lines if line.label == "Places are chosen by")
    assert chosen.value in ("AAA, then BBB", "BBB, then AAA")
    assert chosen.how == "by the rules" or chosen.how.startswith("rolled")
