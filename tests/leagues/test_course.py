"""The course of a campaign: standings after each day of play, strengths, and records."""

from collections.abc import Callable
from datetime import date
from types import SimpleNamespace
from typing import Any
from uuid import uuid4

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from battles.models import Combatant
from campaigns.models import Walkover
from leagues.selectors.dashboard import Dashboard
from leagues.selectors.standings_history import Course, CourseLine, course
from tests.battles.table import Table
from warbands.models import Fighter

pytestmark = pytest.mark.one_database

UNUSED = {"rank": 0, "points": 0, "battles": 0, "fate": "fit", "experience": 0}
DAYS = [date(2030, 1, day) for day in range(1, 6)]


@pytest.fixture
def table(db: None) -> Callable[..., Table]:
    return Table


def course_of(club: Table) -> Course:
    return course(club.campaign, club.read())


def lines_by_name(club: Table) -> dict[str, Any]:
    names = {warband.pk: warband.name for warband in club.warbands}
    return {names[line.warband]: line for line in course_of(club).lines}


def test_course_starts_with_first_battle(table):
    club = table("ABC")
    club.fight(0, 1, 5, 2, fought_on=DAYS[0])
    club.fight(1, 2, 5, 2, fought_on=DAYS[2])
    club.fight(1, 2, 5, 2, fought_on=DAYS[2])
    lines = lines_by_name(club)
    assert course_of(club).days == (DAYS[0], DAYS[2])
    assert lines["A"].positions == (1, 2)
    assert lines["B"].positions == (2, 1)
    assert lines["C"].positions == (None, 3)
    assert (lines["A"].points, lines["B"].points, lines["C"].points) == ((3, 3), (0, 6), (None, 0))


def test_the_last_day_stands_as_the_table_does_with_walkovers(table):
    club = table("ABC", tie_breakers=["head-to-head", "won"])
    club.fight(0, 2, 5, 2, fought_on=DAYS[0])
    club.fight(1, 2, 5, 2, fought_on=DAYS[2])
    club.walkover(0, 1, Walkover.AWAY)
    club.walkover(0, 2, Walkover.HOME)
    lines = lines_by_name(club)
    assert lines["A"].positions == (1, 2) and lines["B"].positions == (None, 1)
    assert club.order()[:2] == [(1, "B"), (2, "A")]


def test_course_leaves_out_friendly_battles(table):
    club = table("AB")
    club.fight(0, 1, 5, 2, fought_on=DAYS[0], friendly=True)
    assert course_of(club) == Course((), course_of(club).lines, ())
    assert all(line.positions == () for line in course_of(club).lines)


def test_records_exist_for_both_sides(table):
    club = table("AB")
    for points in ((5, 2), (5, 2), (1, 4), (3, 3)):
        club.fight(0, 1, *points)
    names = {warband.pk: warband.name for warband in club.warbands}
    results = {
        (names[met.warband], names[met.opponent]): (met.won, met.drawn, met.lost)
        for met in course_of(club).records
    }
    assert results == {("A", "B"): (2, 1, 1), ("B", "A"): (1, 1, 2)}


def test_two_who_lost_together_have_not_beaten_each_other(table):
    club = table("ABC")
    club.brawl({0: (5, "won"), 1: (2, "lost"), 2: (1, "lost")})
    losers = {warband.pk for warband in club.warbands[1:]}
    between = [met for met in course_of(club).records if {met.warband, met.opponent} == losers]
    assert [(met.won, met.drawn, met.lost) for met in between] == [(0, 0, 0), (0, 0, 0)]


def test_strength_is_what_was_brought_on_the_day(table):
    club = table("AB")
    battle = club.fight(0, 1, 5, 2, fought_on=DAYS[0])
    club.fight(0, 1, 5, 2, fought_on=DAYS[1])
    side = battle.sides.get(warband=club.warbands[0])
    for points in (7, 9):
        fighter = Fighter.objects.create(
            warband=club.warbands[0], name="Jan", place=points, state={}, **UNUSED
        )
        Combatant.objects.create(
            side=side, fighter=fighter, name="Jan", points=points, place=points, rank=0, build={}
        )
    assert lines_by_name(club)["A"].strengths == (16, 0)


def test_a_hundred_battles_cost_one_query(table, django_assert_num_queries):
    club = table("ABCD")
    for number in range(100):
        club.fight(number % 4, (number + 1) % 4, number % 7, number % 5, fought_on=DAYS[number % 5])
    read = club.read()
    with django_assert_num_queries(1):
        assert len(course(club.campaign, read).days) == 5


BATTLES = st.tuples(
    st.integers(0, 3),
    st.integers(1, 3),
    st.integers(0, 4),
    st.integers(0, 4),
    st.sampled_from(DAYS),
)
"""Two warbands by their places, the points of both, and the day."""


class TheLastDay(TestCase):
    """After any battles, the last day of the course equals the standings."""

    @settings(max_examples=25, deadline=None)
    @given(st.lists(BATTLES, min_size=1, max_size=14))
    def test_the_last_day_is_the_table(self, battles):
        club = Table("ABCD")
        for first, step, points, against, day in battles:
            club.fight(first, (first + step) % 4, points, against, fought_on=day)
        fought = [row for row in club.read().rows if row.played]
        table = {
            row.warband: (1 + sum(each.position < row.position for each in fought), row.points)
            for row in fought
        }
        last = {
            line.warband: (line.positions[-1], line.points[-1]) for line in course_of(club).lines
        }
        assert {warband: row for warband, row in last.items() if row[0] is not None} == table


@pytest.mark.parametrize(("positions", "shown"), [((1, 1), False), ((1, 2), True)])
def test_charts_are_hidden_for_two_flat_lines(positions: tuple[int, int], shown: bool) -> None:
    lines = tuple(
        CourseLine(uuid4(), places, (0, 3), (1, 1)) for places in (positions, (2, 3 - positions[1]))
    )
    days = (date(2030, 1, 1), date(2030, 1, 8))
    dashboard = SimpleNamespace(course=Course(days, lines))
    assert Dashboard.has_charts.fget(dashboard) is shown  # type: ignore[attr-defined]
