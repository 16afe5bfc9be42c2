"""Tags and filters of the print templates: dates, numbers, rows of cards, stories."""

from collections.abc import Collection, Iterable, Sequence
from itertools import zip_longest
from typing import Any
from uuid import UUID

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import pgettext

from core.markdown import story_html
from documents.content.blank_roster import blank_subject
from documents.content.labels import day
from documents.content.structs import BattleNarrative, Note, RosterRow, RosterSheet, Story
from documents.prose.variation import name
from rulebook.ruleset import Outcome

register = template.Library()
ROMAN = ((10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"))
MAX_BOXES = 20
WORD_JOINER = "\u2060"
WIDTHS = (("short", 2.1, 1.6), ("noted", 2.1, 1.2), ("long", 1.6, 1.2))
"""The sizes of a roster's rows, with the average widths of letters in millimetres.

The first width is for letters of names, the second for letters of the text next to them.
"""


@register.filter
def story(text: str) -> SafeString:
    """Return Markdown as clean HTML."""
    return story_html(text)


register.filter(day)
register.filter("within_line", name)


@register.filter
def lettered(place: int) -> str:
    """Return a number as letters: "a" for 1, "z" for 26, "aa" for 27.

    These are the marks of end-notes if other notes have numbers.
    """
    letters = ""
    while place > 0:
        place, letter = divmod(place - 1, 26)
        letters = chr(ord("a") + letter) + letters
    return letters


@register.filter
def marks(notes: Sequence[Note], story: Story) -> str:
    """Return the marks of a sentence's end-notes: "a, c"."""
    return ", ".join(lettered(place_of(story.notes, note)) for note in notes)


@register.simple_tag
def cited(sentence: str, mark: Any) -> SafeString:
    """Return a sentence with the mark of its end-notes, on the line of its last word."""
    return format_html("{}{}<sup>{}</sup>", sentence, WORD_JOINER, mark)


@register.filter
def ended(outcome: str) -> str:
    """Return the outcome of a battle for a side as a word: "won", "lost", "drew"."""
    return {
        Outcome.WON: pgettext("outcome", "won"),
        Outcome.LOST: pgettext("outcome", "lost"),
        Outcome.DREW: pgettext("outcome", "drew"),
    }[Outcome(outcome)]


@register.filter
def roman(number: int) -> str:
    """Return a Roman number for a Rank, such as "XIV".

    Numbers below 1 or above 39 are returned in digits.
    """
    if not 0 < number < 40:
        return str(number)
    numeral = ""
    for value, letters in ROMAN:
        numeral += letters * (number // value)
        number %= value
    return numeral


@register.filter
def signed(number: int) -> str:
    """Return the number with its sign and a true minus: "+3", "0" or "−3"."""
    return f"+{number}" if number > 0 else str(number).replace("-", "−")


@register.filter
def minus(number: int) -> str:
    """Return the number with a true minus: "−3"."""
    return str(number).replace("-", "−")


@register.filter
def rows_of(things: Sequence[Any], width: int) -> list[Sequence[Any]]:
    """Return the things in rows of ``width``; the last can be shorter."""
    return [things[start : start + width] for start in range(0, len(things), width)]


@register.filter
def lacking(row: Sequence[Any], width: int) -> range:
    """Return a range with an element for each empty place of a row."""
    return range(width - len(row))


@register.filter
def filled_rows(things: Sequence[Any], width: int) -> list[list[Any]]:
    """Return the things in rows of ``width``, the last one filled up with None."""
    return [[*row, *([None] * (width - len(row)))] for row in rows_of(things, width)]


@register.filter
def evenly(things: Sequence[Any], most: int) -> list[list[Any]]:
    """Return the things in as few rows as possible, with at most ``most`` in each.

    All rows have the same width; empty places are None.
    """
    rows = max(-(-len(things) // most), 1)
    width = -(-len(things) // rows) or 1
    return [[*row, *([None] * (width - len(row)))] for row in rows_of(things, width)]


@register.filter
def abreast(sides: Sequence[Any], attribute: str) -> list[tuple[Any, ...]]:
    """Return the values of an attribute of sides, row by row; None where a side has fewer."""
    return list(zip_longest(*(getattr(side, attribute) for side in sides)))


@register.filter
def rows_of_harm(battle: BattleNarrative, runs: Collection[str]) -> str:
    """Return the attribute with a side's casualties: rows, or one row if there is little room."""
    return "harmed_in_a_run" if battle.id in runs else "harmed"


@register.filter
def has(things: Iterable[Any], attribute: str) -> bool:
    """Return whether the attribute of any of the things is true."""
    return any(getattr(thing, attribute) for thing in things)


@register.filter
def place_of(things: Sequence[Any], thing: Any) -> int:
    """Return the position of a thing in a sequence, counted from 1."""
    return things.index(thing) + 1


@register.filter
def boxes(card: Any) -> list[bool]:
    """Return the experience boxes up to the next Rank, True if filled; [] if there are too many."""
    if not 0 < card.boxes <= MAX_BOXES:
        return []
    return [place < card.experience for place in range(card.boxes)]


@register.filter
def title_size(title: str) -> str:
    """Return the size for a title: "short", "middling", "long" or "endless"."""
    if len(title) <= 16:
        return "short"
    if len(title) <= 34:
        return "middling"
    return "long" if len(title) <= 60 else "endless"


@register.filter
def row_size(row: RosterRow, roster: RosterSheet) -> str:
    """Return the size for a roster's row in which the name and the text next to it fit on a line.

    The text becomes smaller before the name does.
    """
    beside = len(row.profile) + (len(row.place) + 3 if row.place else 0)
    sizes = ((size, len(row.name) * name + beside * small) for size, name, small in WIDTHS)
    return next((size for size, wide in sizes if wide < roster.room), "endless")


@register.filter
def balanced(title: str) -> list[str]:
    """Return a title in lines of about the same length, for a title page. Words are not divided."""
    words, lines = title.split(), -(-len(title) // 22)
    target = len(title) / max(lines, 1)
    broken: list[str] = []
    for word in words:
        if broken and len(broken[-1]) + len(word) / 2 < target:
            broken[-1] += f" {word}"
        else:
            broken.append(word)
    return broken


@register.simple_tag
def blank_roster(ruleset: str) -> UUID:
    """Return the subject of a rule system's blank roster."""
    return blank_subject(ruleset)
