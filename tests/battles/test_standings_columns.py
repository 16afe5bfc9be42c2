"""Which columns of the standings a view has."""

from uuid import UUID

import pytest
from msgspec.structs import replace

from leagues.selectors.standings_columns import COLUMNS, View, standings_columns
from rulebook.ruleset import VisibleNumbers
from tests.battles.test_standings import _plain_row

SHOWN = VisibleNumbers(points=True, experience=True, ranks=True, victory_points=True)


@pytest.mark.parametrize("view", View)
def test_columns_omit_missing_victory_points(view: View) -> None:
    shown = VisibleNumbers(points=True, experience=True, ranks=True, victory_points=False)
    keys = {column.key for column in standings_columns(view, shown)}
    assert "points" in keys
    assert not keys & {"victory_points", "victory_points_against", "difference"}


def test_each_column_is_a_field_of_its_row() -> None:
    row = _plain_row(UUID(int=1), 2, 7)
    assert all(isinstance(getattr(row, column.key), int) for column in COLUMNS)


def test_walkovers_count_as_played_and_won() -> None:
    row = replace(_plain_row(UUID(int=1), 3, 0), won=1, walkovers=1, forfeits=1)
    texts = {column.key: column.text(row) for column in standings_columns(View.PAGE, SHOWN)}
    assert (texts["played"], texts["won"], texts["lost"]) == (3, 2, 1)
    assert row.beside_battles == "1 walkover, 1 forfeit"


def test_a_difference_shows_its_sign_and_other_figures_do_not() -> None:
    row = _plain_row(UUID(int=1), 2, 7)
    texts = {column.key: column.text(row) for column in COLUMNS}
    assert (texts["difference"], texts["victory_points"], texts["points"]) == ("+7", 7, 2)
