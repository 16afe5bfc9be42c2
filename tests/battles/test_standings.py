"""A campaign's table: points, positions, each tie-breaker, and that the order of the battles does
not matter."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

import pytest
from django.utils import timezone
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from battles.models import BattleState
from battles.selectors.standings import HeadToHead, StandingsRow, placed
from campaigns.models import Walkover
from campaigns.scoring import Scoring, TieBreaker
from tests.battles.table import Table
from tests.soak import made_up
from warbands.models import Warband

pytestmark = pytest.mark.one_database

Result = tuple[int, int, int, int]
"""Two warbands by their numbers, and the victory points of each."""


@pytest.fixture
def table(db: None) -> Callable[..., Table]:
    return Table


def test_a_row_counts_battles_victory_points_and_points(table: Callable[..., Table]) -> None:
    club = table("ABC")
    club.fight(0, 1, 5, 2)
    club.fight(0, 2, 1, 1)
    club.fight(2, 0, 4, 3)
    row = next(row for row in club.read().rows if row.name == "A")
    assert (row.played, row.won, row.drawn, row.lost) == (3, 1, 1, 1)
    assert (row.victory_points, row.victory_points_against, row.difference, row.points) == (
        9,
        7,
        2,
        4,
    )
    assert (row.player_name, row.colour, row.faction, row.withdrawn) == (
        "Alice",
        "#123456",
        "reds",
        False,
    )


def test_points_make_the_order(table: Callable[..., Table]) -> None:
    club = table("ABC")
    club.fight(2, 0, 5, 2)
    club.fight(1, 0, 1, 1)
    assert club.order() == [(1, "C"), (2, "B"), (3, "A")]


def test_standings_include_warband_without_battles(table: Callable[..., Table]) -> None:
    assert table("BA").order() == [(1, "A"), (1, "B")]


def test_the_settings_of_the_campaign_count(table: Callable[..., Table]) -> None:
    club = table("AB", win=2, draw=1, loss=1, margin=3, clear_win=1)
    club.fight(0, 1, 5, 2)
    club.fight(0, 1, 5, 3)
    assert {row.name: row.points for row in club.read().rows} == {"A": 5, "B": 2}


def test_the_tables_rules_are_printed_with_it(table: Callable[..., Table]) -> None:
    club = table("AB", tie_breakers=["won"])
    assert club.read().tie_rule == Scoring(tie_breakers=(TieBreaker.WON,)).tie_rule
    assert club.read().rule == Scoring().rule


@pytest.mark.parametrize(
    "state", [state for state in BattleState if state != BattleState.CONFIRMED]
)
def test_only_confirmed_battles_count(table: Callable[..., Table], state: str) -> None:
    club = table("AB")
    club.fight(0, 1, 5, 2, state=state)
    assert [row.played for row in club.read().rows] == [0, 0]


def test_friendly_battles_and_those_of_other_campaigns_do_not_count(
    table: Callable[..., Table],
) -> None:
    club, other = table("AB"), table("AB")
    club.fight(0, 1, 5, 2, friendly=True)
    club.fight(0, 1, 5, 2, campaign=other.campaign)
    club.fight(0, 1, 5, 2, campaign=None)
    assert [row.played for row in club.read().rows] == [0, 0]


def test_equals_share_a_position_and_the_next_one_is_left_out(table: Callable[..., Table]) -> None:
    club = table("ABCD")
    club.fight(0, 2, 3, 1)
    club.fight(1, 3, 3, 1)
    rows = club.read().rows
    assert [(row.position, row.shared, row.name) for row in rows] == [
        (1, True, "A"),
        (1, True, "B"),
        (3, True, "C"),
        (3, True, "D"),
    ]


def test_victory_point_difference_breaks_a_tie(table: Callable[..., Table]) -> None:
    club = table("ABCD", tie_breakers=["difference"])
    club.fight(0, 2, 3, 1)
    club.fight(1, 3, 9, 1)
    assert club.order() == [(1, "B"), (2, "A"), (3, "C"), (4, "D")]


def test_victory_points_scored_break_a_tie(table: Callable[..., Table]) -> None:
    club = table("ABCD", tie_breakers=["victory-points"])
    club.fight(0, 2, 3, 1)
    club.fight(1, 3, 5, 3)
    assert club.order() == [(1, "B"), (2, "A"), (3, "D"), (4, "C")]


def test_battles_won_break_a_tie(table: Callable[..., Table]) -> None:
    club = table("ABC", win=2, draw=1, tie_breakers=["won"])
    club.fight(0, 2, 1, 0)
    club.fight(1, 2, 1, 1)
    club.fight(1, 2, 1, 1)
    assert club.order()[:2] == [(1, "A"), (2, "B")]


@pytest.mark.parametrize(
    ("tie_breaker", "order"),
    [
        ("buchholz", [(1, "A"), (1, "C"), (3, "B"), (4, "D")]),
        ("sonneborn-berger", [(1, "A"), (2, "B"), (2, "C"), (4, "D")]),
    ],
)
def test_strength_of_opponents_breaks_a_tie(
    table: Callable[..., Table], tie_breaker: str, order: list[tuple[int, str]]
) -> None:
    club = table("ABCD", tie_breakers=[tie_breaker])
    club.fight(0, 2, 1, 0)
    club.fight(1, 3, 1, 0)
    club.fight(2, 3, 1, 0)
    assert club.order() == order, "A beat C, who has points; B and C beat D, who has none"


def test_experience_breaks_a_tie(table: Callable[..., Table]) -> None:
    club = table("AB", tie_breakers=["experience"])
    Warband.objects.filter(pk=club.warbands[1].pk).update(experience=7)
    assert club.order() == [(1, "B"), (2, "A")]


def test_battles_between_the_equals_break_a_tie(table: Callable[..., Table]) -> None:
    club = table("ABC", tie_breakers=["head-to-head"])
    club.fight(1, 0, 1, 0)
    club.fight(0, 2, 9, 0)
    club.fight(2, 1, 1, 0)
    club.fight(0, 2, 9, 0)
    club.fight(1, 2, 1, 0)
    assert club.order() == [(1, "B"), (2, "A"), (3, "C")]


def test_battles_against_others_do_not_count_head_to_head(table: Callable[..., Table]) -> None:
    club = table("ABCD", tie_breakers=["head-to-head"])
    club.fight(0, 2, 9, 0)
    club.fight(1, 3, 1, 0)
    assert club.order()[:2] == [(1, "A"), (1, "B")]


def test_a_clear_win_counts_as_such_between_the_equals(table: Callable[..., Table]) -> None:
    club = table("ABCD", win=3, margin=5, clear_win=1, tie_breakers=["head-to-head"])
    club.fight(0, 1, 9, 1)
    club.fight(1, 2, 2, 1)
    club.fight(2, 0, 2, 1)
    club.fight(1, 3, 9, 1)
    club.fight(2, 3, 9, 1)
    club.fight(0, 3, 2, 1)
    rows = {row.name: row.points for row in club.read().rows}
    assert rows == {"A": 7, "B": 7, "C": 7, "D": 0}
    assert club.order() == [(1, "A"), (2, "B"), (2, "C"), (4, "D")], (
        "A's win over B was a clear one"
    )


def test_walkovers_between_the_equals_break_a_tie(table: Callable[..., Table]) -> None:
    club = table("ABC", tie_breakers=["head-to-head"])
    club.walkover(0, 1, Walkover.AWAY)
    club.fight(0, 2, 9, 0)
    club.fight(2, 1, 1, 0)
    assert club.order() == [(1, "A"), (1, "B"), (1, "C")], (
        "A beat C, C beat B, B has the walkover over A"
    )


def test_who_forfeit_against_each_other_both_lost_head_to_head(table: Callable[..., Table]) -> None:
    club = table("ABC", win=2, draw=1, loss=1, tie_breakers=["head-to-head"])
    club.walkover(0, 1, Walkover.NOBODY)
    club.walkover(0, 1, Walkover.NOBODY)
    club.fight(2, 0, 1, 0)
    club.fight(2, 1, 1, 0)
    assert {row.name: row.points for row in club.read().rows} == {"A": 3, "B": 3, "C": 4}
    assert club.order() == [(1, "C"), (2, "A"), (2, "B")]


def test_a_walkover_counts_among_the_wins_that_break_a_tie(table: Callable[..., Table]) -> None:
    club = table("ABC", win=2, draw=1, tie_breakers=["won"])
    club.walkover(2, 0, Walkover.AWAY)
    club.fight(1, 2, 1, 1)
    club.fight(1, 2, 1, 1)
    assert club.order()[:2] == [(1, "A"), (2, "B")]


def test_a_tie_broken_by_a_walkover_names_what_decided(table: Callable[..., Table]) -> None:
    club = table("ABC", tie_breakers=["head-to-head"])
    club.walkover(0, 1, Walkover.HOME)
    club.fight(1, 2, 1, 0)
    read = club.read()
    assert (read.rows[0].name, read.parted_by) == ("A", TieBreaker.HEAD_TO_HEAD)
    assert "also in tie-breakers" in read.rule


def test_a_circle_of_three_is_left_to_the_next_tie_breaker(table: Callable[..., Table]) -> None:
    club = table("ABC", tie_breakers=["head-to-head", "difference"])
    club.fight(0, 1, 2, 1)
    club.fight(1, 2, 9, 1)
    club.fight(2, 0, 3, 1)
    assert club.order() == [(1, "B"), (2, "A"), (3, "C")]


def test_tie_breakers_are_taken_in_their_order(table: Callable[..., Table]) -> None:
    for order, best in (
        (["difference", "head-to-head"], "A"),
        (["head-to-head", "difference"], "B"),
    ):
        club = table("ABC", tie_breakers=order)
        club.fight(1, 0, 1, 0)
        club.fight(0, 2, 9, 0)
        assert club.order()[0] == (1, best)


def test_in_a_battle_of_several_sides_the_better_outcome_meets_the_worse(
    table: Callable[..., Table],
) -> None:
    club = table("ABC", win=3, draw=1, loss=1, tie_breakers=["head-to-head"])
    club.brawl({0: (5, "drew"), 1: (5, "drew"), 2: (1, "lost")})
    assert club.order() == [(1, "A"), (1, "B"), (3, "C")]


def test_two_who_lost_the_same_battle_are_still_equal(table: Callable[..., Table]) -> None:
    club = table("ABC", loss=1, tie_breakers=["head-to-head"])
    club.brawl({0: (5, "won"), 1: (2, "lost"), 2: (1, "lost")})
    assert club.order() == [(1, "A"), (2, "B"), (2, "C")]


def test_a_corrected_battle_shows_at_once(table: Callable[..., Table]) -> None:
    club = table("AB")
    battle = club.fight(0, 1, 5, 2)
    for side, outcome in zip(battle.sides.order_by("place"), ("lost", "won"), strict=True):
        side.outcome = outcome
        side.save()
    assert club.order() == [(1, "B"), (2, "A")]


def test_who_withdrew_stays_in_the_table_only_after_a_battle(table: Callable[..., Table]) -> None:
    club = table("ABC")
    club.fight(0, 1, 5, 2)
    club.campaign.enrolments.exclude(warband__name="A").update(left_at=timezone.now())
    assert [(row.name, row.withdrawn) for row in club.read().rows] == [("A", False), ("B", True)]


def test_at_a_campaigns_end_nobody_has_withdrawn(table: Callable[..., Table]) -> None:
    club = table("ABC")
    club.campaign.state, club.campaign.finished_at = "finished", timezone.now()
    club.campaign.enrolments.update(left_at=club.campaign.finished_at)
    assert [row.withdrawn for row in club.read().rows] == [False, False, False]


def test_a_hundred_battles_cost_three_queries(
    table: Callable[..., Table], django_assert_num_queries
) -> None:
    club = table("ABCD")
    for number in range(100):
        club.fight(number % 4, (number + 1) % 4, number % 7, number % 5)
    with django_assert_num_queries(3):
        assert sum(row.played for row in club.read().rows) == 200


RESULTS = st.lists(
    st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(0, 9), st.integers(0, 9)).filter(
        lambda r: r[0] != r[1]
    ),
    max_size=12,
)


class TestAnyHistory(TestCase):
    @settings(max_examples=25, deadline=None)
    @given(results=RESULTS, data=st.data())
    def test_the_order_of_the_battles_does_not_matter(
        self, results: list[Result], data: st.DataObject
    ) -> None:
        club, other = Table("ABCD"), Table("ABCD")
        for result in results:
            club.fight(*result)
        for result in data.draw(st.permutations(results)):
            other.fight(*result)
        assert [_figures(row) for row in club.read().rows] == [
            _figures(row) for row in other.read().rows
        ]

    @settings(max_examples=25, deadline=None)
    @given(results=RESULTS)
    def test_what_is_scored_is_conceded_and_every_battle_is_counted_twice(
        self, results: list[Result]
    ) -> None:
        club = Table("ABCD")
        for result in results:
            club.fight(*result)
        rows = club.read().rows
        assert sum(row.victory_points for row in rows) == sum(
            row.victory_points_against for row in rows
        )
        assert sum(row.played for row in rows) == 2 * len(results)
        assert sum(row.won for row in rows) == sum(row.lost for row in rows)


def _figures(row: StandingsRow) -> tuple[Any, ...]:
    return (
        row.position,
        row.shared,
        row.name,
        row.won,
        row.drawn,
        row.lost,
        row.points,
        row.difference,
    )


NUMBERS = st.integers(0, 3)
KEYS = [UUID(int=number) for number in range(6)]


def _plain_row(key: UUID, won: int, points: int) -> StandingsRow:
    return StandingsRow(
        key, key, f"W{key.int}", "", "", key, "P", False, won=won, victory_points=points, points=won
    )


@made_up("standings from random figures", 100, sample=30)
@given(
    figures=st.lists(st.tuples(NUMBERS, NUMBERS), min_size=1, max_size=6),
    pairs=st.lists(
        st.tuples(
            st.sampled_from(KEYS), st.sampled_from(KEYS), st.sampled_from(["won", "drew", "lost"])
        )
    ),
    data=st.data(),
)
def test_positions_depend_on_nothing_but_the_figures(
    figures: Any, pairs: Any, data: st.DataObject
) -> None:
    rows = [_plain_row(KEYS[place], *figure) for place, figure in enumerate(figures)]
    mirrored = {"won": "lost", "lost": "won", "drew": "drew"}
    met = [
        HeadToHead(first, second, outcome, mirrored[outcome], 0, 1)
        for first, second, outcome in pairs
    ]
    table = placed(rows, met, Scoring())
    assert table == placed(
        data.draw(st.permutations(rows)), data.draw(st.permutations(met)), Scoring()
    )
    assert [row.points for row in table] == sorted((row.points for row in table), reverse=True)
    for place, row in enumerate(table, start=1):
        assert row.position <= place
        assert row.shared == ([other.position for other in table].count(row.position) > 1)
