"""Prices of units, against the worked examples, and items without a price."""

import pytest

from rulebook.systems.avant_garde.book import HouseRules
from rulebook.systems.avant_garde.fighters import read_build
from rulebook.systems.avant_garde.points import has_price, price
from tests.rulebook.avant_garde.armies import examples

USUAL = HouseRules()


def lines(build, rules=USUAL, condition=None):
    """Return the lines of a price as shown."""
    return [
        (line.label, line.points) for line in price(read_build(build), rules, condition or {}).lines
    ]


@pytest.mark.parametrize(("build", "points"), examples())
def test_the_worked_examples_cost_what_they_are_said_to(build, points):
    priced = price(read_build(build), USUAL)
    assert priced.points == points == sum(line.points for line in priced.lines)
    assert all(line.label and line.source for line in priced.lines)


def test_each_part_of_a_price_has_its_line():
    rifles = {"profile": "infantry", "grade": "veteran", "skirmishers": 4, "rifles": True}
    assert lines(rifles) == [
        ("24 Veteran at 5", 120),
        ("4 skirmishers at 6", 24),
        ("28 Rifles at 1", 28),
    ]
    lancers = {"profile": "cavalry", "lance": True, "skirmishing": True}
    assert lines(lancers) == [
        ("12 Line at 10", 120),
        ("12 Skirmish capable at 1", 12),
        ("12 Lances at 1", 12),
    ]
    battery = {"profile": "artillery", "grade": "raw", "light": 1, "heavy": 2}
    assert lines(battery) == [
        ("1 Light gun at 40", 40),
        ("2 heavy guns at 80", 160),
        ("3 Raw crews at -5", -15),
    ]


@pytest.mark.parametrize("rating", ["competent", "inspirational", "charismatic"])
def test_a_commander_whose_price_is_lost_is_not_counted_and_says_so(rating):
    build = {"profile": "commander", "rating": rating}
    assert [(label.partition(": ")[2], points) for label, points in lines(build)] == [
        ("not in the source", 0)
    ]
    assert not has_price(read_build(build), USUAL)
    settled = HouseRules(**{f"price_{rating}": 75})
    assert price(read_build(build), settled).points == 75
    assert has_price(read_build(build), settled)


def test_an_uninspiring_commander_costs_forty():
    assert lines({"profile": "commander", "rating": "uninspiring"}) == [("Uninspiring", 40)]


@pytest.mark.parametrize(
    ("build", "condition", "points"),
    [
        ({"profile": "infantry"}, {"lost": 5}, 96 - 20),
        ({"profile": "infantry", "skirmishers": 4}, {"lost": 28}, 0),
        ({"profile": "infantry", "rifles": True}, {"lost": 4}, 120 - 20),
        ({"profile": "cavalry", "mount": "cuirassier"}, {"lost": 12}, 0),
        ({"profile": "artillery", "grade": "veteran", "heavy": 2}, {"lost": 3, "guns": 1}, 85),
    ],
)
def test_what_a_unit_has_lost_costs_nothing(build, condition, points):
    assert price(read_build(build), USUAL, condition).points == points


def test_elite_infantry_costs_what_the_club_says():
    build = read_build({"profile": "infantry", "grade": "elite", "figures": 10})
    assert [price(build, HouseRules(price_elite=each)).points for each in (6, 7)] == [60, 70]
