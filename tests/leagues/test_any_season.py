"""Random seasons: warbands leave, return or come late, whatever is decided, voided or
corrected, it fits."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from campaigns.models import Method
from tests.leagues.season import PlayedSeason, Season
from tests.soak import made_up

pytestmark = pytest.mark.one_database

ANY = (
    "more_rounds", "play", "play", "correct", "void", "decide", "leave", "come_back", "come_late", "make_fixtures",
    "add", "swap", "delete",
)  # fmt: skip
NUMBERS = st.integers(0, 11)


def any_season(method: Method, *more: str) -> Any:
    """Return the test of a method: a season is sound after each random event."""
    happenings = st.lists(
        st.tuples(st.sampled_from((*ANY, *more)), NUMBERS, NUMBERS), min_size=4, max_size=16
    )

    @made_up(
        "seasons with people who come and go, sound after each happening",
        60,
        sample=5,
        deadline=None,
    )
    @given(entrants=st.integers(4, 7), happenings=happenings)
    def season_is_sound(
        self: TestCase, entrants: int, happenings: list[tuple[str, int, int]]
    ) -> None:
        season = Season(method, entrants)
        season.expect_sound()
        for what, number, other in happenings:
            season.happen(what, number, other)
            season.expect_sound()

    return season_is_sound


PLAYED = tuple(what for what in ANY if what != "correct")


@made_up("seasons played by the services, sound after each happening", 25, sample=2, deadline=None)
@given(
    method=st.sampled_from(Method),
    happenings=st.lists(
        st.tuples(st.sampled_from(PLAYED), NUMBERS, NUMBERS), min_size=6, max_size=12
    ),
)
def season_by_services_is_sound(
    self: TestCase, method: Method, happenings: list[tuple[str, int, int]]
) -> None:
    season = PlayedSeason(method, 4)
    for what, number, other in happenings:
        season.happen(what, number, other)
        season.expect_sound()


class TestAnySeason(TestCase):
    test_a_round_robin_is_sound = any_season(Method.ROUND_ROBIN)
    test_a_group_stage_is_sound = any_season(Method.GROUPS)
    test_a_swiss_is_sound = any_season(Method.SWISS)
    test_a_knockout_is_sound = any_season(Method.KNOCKOUT)
    test_a_ladder_is_sound = any_season(Method.LADDER, "dare", "dare")
    test_rounds_by_hand_are_sound = any_season(Method.BY_HAND, "add", "add")
    test_seasons_played_by_the_services_are_sound = season_by_services_is_sound
