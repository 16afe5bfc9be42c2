"""Setting up. Rule book: "Setting up the game"."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulebook.ruleset import RulesError
from rulebook.systems.en_garde.book.scenarios import find_scenario, scenario_facts
from rulebook.systems.en_garde.table.setting_up import (
    draw_roles,
    force_points,
    placement_order,
    playing_area,
    reserve_waves,
    rising_end,
    set_up,
    table_row,
    terrain_pieces,
)
from tests.rulebook.en_garde.table.cast import rows


@pytest.mark.parametrize(("table", "die", "key"), rows("days.txt"))
def test_every_face_of_every_table(table, die, key):
    assert table_row(table, int(die)).key == key


def test_a_die_of_seven_is_none():
    with pytest.raises(ValueError, match="1 to 6"):
        table_row("weather", 7)


@pytest.mark.parametrize(("points", "d3", "large", "small"), rows("terrain_pieces.txt"))
def test_terrain_by_the_size_of_the_game(points, d3, large, small):
    pieces = terrain_pieces(int(points), int(d3))
    assert (pieces.large, pieces.small, pieces.total) == (
        int(large),
        int(small),
        int(large) + int(small),
    )


def test_terrain_is_placed_three_by_three_in_turn():
    assert placement_order("a", "b", 8) == (("a", 3), ("b", 3), ("a", 2))


def test_the_table_grows_with_the_points_and_is_square_at_the_bridge():
    assert playing_area("skirmish", 100) == (24, 36)
    assert playing_area("skirmish", 101) == (36, 48)
    assert playing_area("hold-the-bridge", 100) == (36, 36)
    assert playing_area("occupy", 300) == (36, 36)


@pytest.mark.parametrize(
    ("fighters", "waves"), [(9, (5, 2, 2)), (8, (4, 2, 2)), (1, (1, 0, 0)), (10, (5, 3, 2))]
)
def test_reserves_come_in_halves_rounded_up(fighters, waves):
    assert reserve_waves(fighters) == waves


def test_the_end_comes_nearer_each_turn_and_turn_ten_is_the_last():
    ways = [[die for die in range(1, 7) if rising_end(turn, 4, die)] for turn in range(3, 10)]
    assert [len(faces) for faces in ways] == [0, 1, 2, 3, 4, 5, 6]


@pytest.mark.parametrize(
    ("scenario", "role", "agreed", "points"),
    [
        ("defence", "defender", 101, 50),
        ("escort", "escort", 100, 50),
        ("raid", "attacker", 101, 121),
        ("skirmish", "warband", 99, 99),
    ],
)
def test_forces_by_role(scenario, role, agreed, points):
    assert force_points(find_scenario(scenario), role, agreed) == points


def test_roles_that_nobody_asked_for_are_drawn_from_those_left():
    facts = find_scenario("defence")
    assert draw_roles(facts, ("a", "b"), {"a": "defender"}, Random(1)) == {
        "a": "defender",
        "b": "attacker",
    }
    drawn = {tuple(draw_roles(facts, ("a", "b"), {}, Random(seed)).values()) for seed in range(20)}
    assert drawn == {("attacker", "defender"), ("defender", "attacker")}


@given(st.sampled_from(scenario_facts()), st.integers(50, 600), st.integers())
def test_every_set_up_is_complete_and_can_be_repeated(facts, points, seed):
    sides = ("a", "b")
    table = set_up(facts.key, points, sides, {}, Random(seed))
    assert table == set_up(facts.key, points, sides, {}, Random(seed))
    assert set(table.roles) == set(sides)
    assert table.terrain.large + table.terrain.small == table.terrain.total
    assert len(set(table.locations)) == len(table.locations)
    assert (table.turns is None) == (facts.rising is not None)
    assert table.turns is None or 7 <= table.turns <= 12


def test_an_unknown_scenario_is_refused_by_name():
    with pytest.raises(RulesError, match="unheard-of"):
        set_up("unheard-of", 100, ("a", "b"), {}, Random(1))


def test_occupy_has_one_piece_of_terrain_in_its_centre():
    table = set_up("occupy", 300, ("a", "b", "c"), {}, Random(1))
    assert (table.terrain.total, table.placing) == (1, ())
