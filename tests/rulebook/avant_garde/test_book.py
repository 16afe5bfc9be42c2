"""The tables of Avant-garde against the text, row by row."""

from pathlib import Path

import pytest

from rulebook.systems.avant_garde.book import HouseRules, book
from rulebook.systems.avant_garde.fighters import Fighter, grade_of, rating_of

TABLES = Path(__file__).parent / "data" / "tables.txt"
CHECKS = {"any": 0, "10%": 10, "25%": 25}


def printed():
    """Yield each row with its table, columns and cells."""
    for part in TABLES.read_text(encoding="utf-8").split("\n\n")[1:]:
        head, *rows = part.strip().splitlines()
        table, columns = head.split(":")
        for row in rows:
            key, *cells = row.split()
            yield pytest.param(table, columns.split(), key, cells, id=f"{table}-{key}")


def as_printed(value):
    """Return a cell as in the text."""
    if value is None:
        return "-"
    return f"{value[0]}-{value[1]}" if isinstance(value, tuple) else str(value)


@pytest.mark.parametrize(("table", "columns", "key", "cells"), [*printed()])
def test_every_row_is_as_printed(table, columns, key, cells):
    row = getattr(book(), table)[key]
    if "test" in columns:
        cost, morale, check, *skills = cells
        assert (row.cost, row.morale, row.percent) == (int(cost), int(morale), CHECKS[check])
        assert (row.raw, row.drilled, row.stubborn) == tuple(
            s in skills for s in ("raw", "drilled", "stubborn")
        )
    else:
        assert [as_printed(getattr(row, column)) for column in columns] == cells


def test_what_a_club_settles_takes_the_place_of_what_is_lost():
    rules = HouseRules(
        price_charismatic=90, charismatic_leadership=10, uninspiring_radius=6, guard_morale="stats"
    )
    lost, poor = (Fighter("commander", rating=key) for key in ("charismatic", "uninspiring"))
    assert (rating_of(lost, rules).cost, rating_of(lost, rules).leadership) == (90, 10)
    assert rating_of(lost).cost is rating_of(lost).leadership is None
    assert (rating_of(poor).radius, rating_of(poor, rules).radius) == (7, 6)
    guard = Fighter(grade="guard")
    assert (grade_of(guard).morale, grade_of(guard, rules).morale) == (10, 11)


def test_a_battery_has_four_of_crew_for_each_gun():
    assert Fighter(arm="artillery", light=2, howitzer=1).strength == 12
    assert Fighter(figures=24, skirmishers=4).strength == 28
