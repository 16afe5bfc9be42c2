"""Charts of a campaign's page, with a description for screen readers."""

from collections.abc import Mapping
from uuid import UUID

from django import template
from django.utils.formats import date_format
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext, gettext_noop

from battles.selectors.standings import StandingsRow
from core.ruleset_words import join_names
from drawings.bars import BarMark, casualty_strip
from drawings.cache import cached_drawing
from drawings.canvas import Drawing
from drawings.grids import Player, slaying_arcs
from drawings.lines import Series, line_chart
from leagues.selectors.dashboard import Dashboard
from leagues.selectors.honours import HonouredFighter, Honours
from leagues.selectors.standings_history import HeadToHeadRecord
from rulebook.ruleset import Words

register = template.Library()
NO_COLOUR = "#4a4a4a"
MAX_SLAYINGS = 30
MARKS: dict[BarMark, str] = {
    "well": gettext_noop("unharmed"),
    "hurt": gettext_noop("hurt"),
    "out": gettext_noop("out of action"),
    "gone": gettext_noop("left the battle"),
    "dead": gettext_noop("lost"),
    "away": gettext_noop("did not play"),
}
"""The meanings of the marks of a strip."""
WIDTHS = {"wide": 500, "narrow": 320}
"""The widths of a chart for a desktop and for a phone, chosen so that its text stays readable."""


@register.simple_tag
def positions_chart(shown: Dashboard, size: str) -> SafeString:
    """Return a chart of the standings after each day of play."""
    description = gettext("Positions after each of %(days_of_play)s days of play. %(shown)s") % {
        "days_of_play": shown.days_of_play,
        "shown": _now(shown),
    }
    values = {line.warband: line.positions for line in shown.course.lines}
    return _chart(shown, values, description, size, best_is_lowest=True)


@register.simple_tag
def points_chart(shown: Dashboard, size: str) -> SafeString:
    """Return a chart of the points after each day of play."""
    description = gettext("Points after each of %(days_of_play)s days of play. %(shown)s") % {
        "days_of_play": shown.days_of_play,
        "shown": _now(shown),
    }
    values = {line.warband: line.points for line in shown.course.lines}
    return _chart(shown, values, description, size)


@register.filter
def by_day(shown: Dashboard) -> list[tuple[StandingsRow, list[tuple[int | None, int | None]]]]:
    """Return each row of the standings with its position and points after each day of play.

    The page shows them in a table below the charts.
    """
    lines = {line.warband: line for line in shown.course.lines}
    return [
        (row, list(zip(lines[row.warband].positions, lines[row.warband].points, strict=True)))
        for row in shown.standings.rows
    ]


@register.filter
def career_strip(of: HonouredFighter) -> SafeString:
    """Return a drawing with a mark for each of a fighter's last battles."""
    description = gettext("Battle by battle: %(of)s.") % {
        "of": ", ".join(gettext(MARKS[each]) for each in of.strip)
    }
    return _inline(
        cached_drawing(casualty_strip, of.strip, of.colour or NO_COLOUR, description, width=240)
    )


@register.simple_tag
def legend(words: Words) -> list[tuple[SafeString, str]]:
    """Return each mark of the strips with its meaning in the words of a rule system."""
    meanings: dict[BarMark, str] = {
        **{mark: gettext(word) for mark, word in MARKS.items()},
        "well": words.unharmed,
        "dead": words.lost,
    }
    marks = []
    for standing, word in meanings.items():
        sentence = gettext("Mark for: %(word)s") % {"word": word}
        marks.append(
            (_inline(cached_drawing(casualty_strip, (standing,), NO_COLOUR, sentence)), word)
        )
    return marks


@register.simple_tag
def slayings(shown: Honours, size: str) -> SafeString:
    """Return a drawing of the killers and their victims, only the last ones if too many."""
    drawn = shown.killed[-MAX_SLAYINGS:]
    killers = list({fallen.killer.id: fallen.killer for fallen in drawn if fallen.killer}.values())
    people = tuple(Player(killer.name, killer.colour or NO_COLOUR) for killer in killers)
    slain = tuple(Player(fallen.name, fallen.colour or NO_COLOUR) for fallen in drawn)
    deeds = tuple(
        (killers.index(fallen.killer), place) for place, fallen in enumerate(drawn) if fallen.killer
    )
    deaths = "; ".join(
        gettext("%(killer)s killed %(fallen)s")
        % {"killer": fallen.killer.name, "fallen": fallen.name}
        for fallen in drawn
        if fallen.killer
    )
    alternative = gettext("Kills: %(deaths)s.") % {"deaths": deaths}
    return _inline(
        cached_drawing(slaying_arcs, people, slain, deeds, alternative, width=WIDTHS[size])
    )


@register.filter
def tone(record: HeadToHeadRecord) -> str:
    """Return whether a record is "good", "bad" or "even" for its warband."""
    if record.won == record.lost:
        return "even"
    return "good" if record.won > record.lost else "bad"


def _chart(
    shown: Dashboard,
    values: Mapping[UUID, tuple[int | None, ...]],
    description: str,
    size: str,
    *,
    best_is_lowest: bool = False,
) -> SafeString:
    rows = shown.standings.rows
    series = tuple(Series(row.name, row.colour or NO_COLOUR, values[row.warband]) for row in rows)
    days = tuple(date_format(day, gettext("j M")) for day in shown.course.days)
    drawing = cached_drawing(
        line_chart, series, days, description, best_is_lowest=best_is_lowest, width=WIDTHS[size]
    )
    return _inline(drawing)


def _inline(drawing: Drawing) -> SafeString:
    return mark_safe(drawing.svg)  # noqa: S308 - a drawing escapes all that people wrote (drawings.canvas)


def _now(shown: Dashboard) -> str:
    standing = [f"{row.name} {row.points}" for row in shown.standings.rows]
    return gettext("Points now: %(standing)s.") % {"standing": join_names(standing)}
