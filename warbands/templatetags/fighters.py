"""Template tags for a fighter's career: a line chart and dates."""

from collections.abc import Sequence
from datetime import date
from itertools import accumulate, pairwise

from django import template
from django.utils.formats import date_format
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext, ngettext

from drawings.cache import cached_drawing
from drawings.lines import sparkline
from rulebook.ruleset import VisibleNumbers
from warbands.selectors.service_record import CareerMoment

register = template.Library()
MIN_OF_A_LINE = 2
"""The number of battles that a line chart needs."""


@register.simple_tag
def career_line(career: Sequence[CareerMoment], shown: VisibleNumbers) -> SafeString:
    """Return a line chart of a fighter's earned experience after each battle.

    Where no experience is earned, it shows deeds. A mark shows a rank-up since the previous battle.
    Returns "" if there are too few battles. ``career`` is newest first.
    """
    counted = [line for line in reversed(career) if not line.friendly]
    if len(counted) < MIN_OF_A_LINE:
        return SafeString()
    grown = tuple(
        accumulate((line.earned if shown.experience else line.deeds for line in counted), initial=0)
    )
    marks = tuple(
        place
        for place, (before, after) in enumerate(pairwise(counted), 1)
        if after.rank > before.rank
    )
    if shown.experience:
        words = ngettext(
            "Experience earned in %(number)d battle: %(earned)d.",
            "Experience earned in %(number)d battles: %(earned)d.",
            len(counted),
        )
    else:
        words = ngettext(
            "Deeds in %(number)d battle: %(earned)d.",
            "Deeds in %(number)d battles: %(earned)d.",
            len(counted),
        )
    alternative = words % {"number": len(counted), "earned": grown[-1]}
    drawn = cached_drawing(sparkline, grown, alternative, marks=marks, width=280, height=48)
    return mark_safe(drawn.svg)  # noqa: S308 - a drawing escapes all that people wrote (drawings.canvas)


@register.filter
def written_day(day: str) -> str:
    """Return a day such as 2026-03-07 in the reader's format; other text is returned unchanged."""
    try:
        return date_format(date.fromisoformat(day), gettext("j M Y"))
    except ValueError:
        return day


@register.filter
def last_ones(lines: Sequence[object]) -> Sequence[object]:
    """Return the last thirty lines."""
    return lines[-30:]
