"""Which columns of the standings a view has."""

from uuid import UUID

import pytest
from msgspec.structs import replace

from leagues.selectors.standings_columns import COLUMNS, View, standings_columns
from rulebook.ruleset import VisibleNumbers
from tests.battles.test_standings import _plain_row

SHOWN = VisibleNumbers(points=True, experience=True, ranks=True, victory_points=True)


@pytest.mark.parametrize(
    ("view", "keys"),
    [(View.PAGE, ["played", "won", "drawn", "lost", "points"]), (View.GROUP, ["played", "points"])],
)
def test_columns_of_victory_points_are_left_out_where_rules_know_none(
    view: View, keys: list[str]
) -> None:
    shown = VisibleNumbers(points=True, experience=True, ranks=True, victory_points=False)
    assert [column.key for column in standings_columns(view, shown)] == keys


def test_walkovers_count_as_played_and_won() -> None:
    row = replace(_plain_row(UUID(int=1), 3, 0), won=1, walkovers=1, forfeits=1)
    texts = {column.key: column.text(row) for column in standings_columns(View.PAGE, SHOWN)}
    assert (texts["played"], texts["won"], texts["lost"]) == (3, 2, 1)
    assert row.beside_battles == "1 walkover, 1 forfeit"


def test_a_difference_shows_its_sign_and_other_figures_do_not() -> None:
    row = _plain_row(UUID(int=1), 2, 7)
    texts = {column.key: column.text(row) for column in COLUMNS}
    assert (texts["difference"], texts["victory_points"], texts["points"]) == ("+7", 7, 2)
