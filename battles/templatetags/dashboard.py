"""Charts of a campaign's page: its numbers, drawn as in its book, with a sentence for whoever cannot see them."""

from collections.abc import Mapping
from uuid import UUID

from django import template
from django.utils.formats import date_format
from django.utils.safestring import SafeString, mark_safe

from battles.course import HeadToHeadRecord
from battles.standings import StandingsRow
from battles.summaries.dashboard import Dashboard
from drawings.lines import Series, line_chart
from rulebook.values.problems import listed

register = template.Library()
NO_COLOUR = "#4a4a4a"
WIDTHS = {"wide": 500, "narrow": 320}
"""How wide a chart is drawn for a desk and for a phone, so that its letters stay large enough to be read."""


@register.simple_tag
def positions_chart(shown: Dashboard, size: str) -> SafeString:
    """The table after each day of play."""
    told = f"The table after each of {shown.days_of_play} days of play. {_now(shown)}"
    values = {line.warband: line.positions for line in shown.course.lines}
    return _chart(shown, values, told, size, best_is_lowest=True)


@register.simple_tag
def points_chart(shown: Dashboard, size: str) -> SafeString:
    """The points of the table after each day of play."""
    told = f"Points of the table after each of {shown.days_of_play} days of play. {_now(shown)}"
    values = {line.warband: line.points for line in shown.course.lines}
    return _chart(shown, values, told, size)


@register.filter
def by_day(shown: Dashboard) -> list[tuple[StandingsRow, list[tuple[int | None, int | None]]]]:
    """The table behind the charts: each row of the standings with its position and points after each day of play."""
    lines = {line.warband: line for line in shown.course.lines}
    return [
        (row, list(zip(lines[row.warband].positions, lines[row.warband].points, strict=True)))
        for row in shown.standings.rows
    ]


@register.filter
def tone(record: HeadToHeadRecord) -> str:
    """Whether a record is "good", "bad" or "even" for its warband."""
    return "good" if record.won > record.lost else "bad" if record.won < record.lost else "even"


def _chart(
    shown: Dashboard,
    values: Mapping[UUID, tuple[int | None, ...]],
    told: str,
    size: str,
    *,
    best_is_lowest: bool = False,
) -> SafeString:
    rows = shown.standings.rows
    series = [Series(row.name, row.colour or NO_COLOUR, values[row.warband]) for row in rows]
    days = [date_format(day, "j M") for day in shown.course.days]
    drawing = line_chart(series, days, told, best_is_lowest=best_is_lowest, width=WIDTHS[size])
    return mark_safe(drawing.svg)  # noqa: S308 - a drawing escapes all that people wrote (drawings.canvas)


def _now(shown: Dashboard) -> str:
    standing = [f"{row.name} {row.points}" for row in shown.standings.rows]
    return f"Points now: {listed(standing)}."
