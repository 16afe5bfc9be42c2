"""The columns of the standings, each declared once, in the order of pages, print and API."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy
from msgspec import Struct

from battles.selectors.standings import StandingsRow
from core.templatetags.muster import signed
from rulebook.ruleset import VisibleNumbers


class View(StrEnum):
    """The places that show standings. The API has every column."""

    PAGE = "page"
    """The full standings of a campaign."""
    OVERVIEW = "overview"
    SEASON = "season"
    GROUP = "group"
    PRINT = "print"


class Column(Struct, frozen=True, kw_only=True):
    """A number in each row of the standings.

    Args:
        key: The field of ``StandingsRow``, and its name in the API.
        heading: As short as possible.
        title: The meaning of the heading.
        printed: The heading in print, if it differs.
        views: The views that show it, besides the API.
        roomy: Whether narrow pages, as on a phone, leave it out.
        signed: Whether it is written with a plus or minus.
        total: Whether the standings are ordered by it first.
        of_victory_points: Whether rules without victory points leave it out.
        api: Help in the schema.
        example: An example for the API's documentation.
        without_battle: Figures of results without a battle, which pages and print add.
    """

    key: str
    heading: Any = ""
    title: Any = ""
    printed: Any = ""
    views: tuple[View, ...] = ()
    roomy: bool = False
    signed: bool = False
    total: bool = False
    of_victory_points: bool = False
    api: str = ""
    example: int = 0
    without_battle: tuple[str, ...] = ()

    def value(self, row: StandingsRow) -> int:
        """Return the figure of a row for pages and print, with results without a battle."""
        return sum(getattr(row, key) for key in (self.key, *self.without_battle))

    def text(self, row: StandingsRow | Mapping[str, int]) -> int | str:
        """Return the figure of a row, or a value that was stored, as it is shown."""
        value = row[self.key] if isinstance(row, Mapping) else self.value(row)
        return signed(value) if self.signed else value


COLUMNS = (
    Column(
        key="played",
        heading=pgettext_lazy("column", "P"),
        title=_("Played"),
        views=(View.PAGE, View.OVERVIEW, View.GROUP, View.PRINT),
        example=3,
    ),
    Column(
        key="won",
        heading=pgettext_lazy("column", "W"),
        title=_("Won"),
        views=(View.PAGE, View.SEASON, View.PRINT),
        example=2,
        without_battle=("walkovers",),
    ),
    Column(
        key="drawn",
        heading=pgettext_lazy("column", "D"),
        title=_("Drawn"),
        views=(View.PAGE, View.SEASON, View.PRINT),
        example=1,
    ),
    Column(
        key="lost",
        heading=pgettext_lazy("column", "L"),
        title=_("Lost"),
        views=(View.PAGE, View.SEASON, View.PRINT),
        without_battle=("forfeits",),
    ),
    Column(key="clear", api="Wins by the margin of the campaign's scoring."),
    Column(
        key="victory_points",
        heading=_("VP"),
        title=_("Victory points for"),
        printed=pgettext_lazy("column", "For"),
        views=(View.PAGE, View.PRINT),
        roomy=True,
        of_victory_points=True,
        example=17,
    ),
    Column(
        key="victory_points_against",
        heading=_("against"),
        title=_("Victory points against"),
        printed=pgettext_lazy("column", "Against"),
        views=(View.PAGE, View.PRINT),
        roomy=True,
        of_victory_points=True,
        example=9,
    ),
    Column(
        key="difference",
        heading="+/−",
        title=_("Victory point difference"),
        printed=pgettext_lazy("column", "Diff."),
        views=(View.PAGE, View.OVERVIEW, View.GROUP, View.PRINT),
        signed=True,
        of_victory_points=True,
        example=8,
    ),
    Column(
        key="points",
        heading=pgettext_lazy("column", "Pts"),
        title=_("Points in the standings"),
        views=tuple(View),
        total=True,
        example=7,
    ),
    Column(key="experience", example=24),
    Column(key="byes", api="Rounds without an opponent that are worth points."),
    Column(key="walkovers", api="Wins without a battle; not included in `won` and `played`."),
    Column(key="forfeits", api="Defeats without a battle; not included in `lost` and `played`."),
)


def standings_columns(view: View, shown: VisibleNumbers) -> tuple[Column, ...]:
    """Return the columns that a view has under rules that show these numbers."""
    return tuple(
        column
        for column in COLUMNS
        if view in column.views and (shown.victory_points or not column.of_victory_points)
    )
