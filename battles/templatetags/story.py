"""Template tags of a battle's page and of the live log."""

from collections.abc import Iterable, Sequence
from urllib.parse import urlencode
from uuid import UUID, uuid5

from django import template
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext, gettext_noop

from battles.selectors.log_history import TurnSummaries
from battles.selectors.sides import SidePage
from drawings.bars import BarMark, casualty_strip
from drawings.cache import cached_drawing
from drawings.canvas import Drawing
from drawings.lines import Series, line_chart

register = template.Library()
NO_COLOUR = "#4a4a4a"
WIDTHS = {"wide": 640, "narrow": 340}
"""The width of a chart on a desktop and on a phone, in pixels."""
MARKS: dict[BarMark, str] = {
    "well": gettext_noop("unharmed"),
    "hurt": gettext_noop("wounded"),
    "out": gettext_noop("captured"),
    "gone": gettext_noop("left the table"),
    "dead": gettext_noop("lost"),
}


@register.simple_tag
def turns_chart(turns: TurnSummaries, sides: Sequence[SidePage], size: str) -> SafeString:
    """Return a chart with a line for each side over the turns."""
    what = gettext("Victory points") if turns.points else gettext("In the field")
    text = "; ".join(
        f"{side.warband_name} {', '.join(str(value[place]) for value in turns.values)}"
        for place, side in enumerate(sides)
    )
    series = tuple(
        Series(
            side.warband_name,
            side.colour or NO_COLOUR,
            tuple(value[place] for value in turns.values),
        )
        for place, side in enumerate(sides)
    )
    return _inline(
        cached_drawing(
            line_chart,
            series,
            turns.moments,
            gettext("%(what)s at the end of each turn: %(values)s.")
            % {"what": what, "values": text},
            width=WIDTHS[size],
        )
    )


@register.filter
def by_side(turns: TurnSummaries, sides: Sequence[SidePage]) -> list[tuple[SidePage, list[int]]]:
    """Return the data of the chart: each side with its value at the end of each turn."""
    return [(side, [value[place] for value in turns.values]) for place, side in enumerate(sides)]


@register.simple_tag
def left_the_field(marks: Sequence[BarMark], colour: str) -> SafeString:
    """Return a strip with a mark for each fighter of a side: how they left the battle."""
    counts = [
        " ".join((str(marks.count(mark)), gettext(word)))
        for mark, word in MARKS.items()
        if mark in marks
    ]
    return _inline(
        cached_drawing(
            casualty_strip,
            tuple(marks),
            colour or NO_COLOUR,
            gettext("%(number)s in the line-up: %(counts)s.")
            % {"number": len(marks), "counts": ", ".join(counts)},
            width=320,
        )
    )


def _inline(drawing: Drawing) -> SafeString:
    return mark_safe(drawing.svg)  # noqa: S308 - a drawing escapes all that people wrote (drawings.canvas)


@register.simple_tag
def once(battle: UUID, version: int, who: str, do: str) -> UUID:
    """Return the id of the entry that a button logs.

    As long as nothing else happens, a second tap gives the same id, and so the same event.
    """
    return uuid5(battle, f"{version} {who} {do}")


@register.simple_tag
def action_query(who: str, do: str) -> str:
    """Return the query of an action: "?who=a%2FVan&do=shoot"; without ``who`` it is the table's."""
    return f"?{urlencode({'who': who, 'do': do} if who else {'do': do})}"


@register.simple_tag
def joint_action_query(who: Iterable[str], do: str) -> str:
    """Return the query of an action that several fighters do together."""
    return f"?{urlencode({'do': do, 'who': [*who]}, doseq=True)}"
