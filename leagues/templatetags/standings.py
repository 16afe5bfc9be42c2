"""Columns of the standings for templates."""

from collections.abc import Mapping

from django import template

from battles.selectors.standings import StandingsRow
from leagues.selectors.standings_columns import Column, View
from leagues.selectors.standings_columns import standings_columns as columns_of
from rulebook.ruleset import VisibleNumbers

register = template.Library()


@register.simple_tag
def standings_columns(view: str, shown: VisibleNumbers) -> tuple[Column, ...]:
    """Return the columns of a view: ``{% standings_columns "page" campaign.shown as columns
    %}``."""
    return columns_of(View(view), shown)


@register.filter
def figure(row: StandingsRow | Mapping[str, int], column: Column) -> int | str:
    """Return the figure of a row in a column as it is shown."""
    return column.text(row)
