"""What the print templates need to set a page: dates, numbers, rows of cards, stories."""

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
"""How wide a letter of a name, and of what is said beside it, is at most on average in the sizes of
a roster's rows, in millimetres."""


@register.filter
def story(text: str) -> SafeString:
    """Markdown as clean HTML."""
    return story_html(text)


register.filter(day)
register.filter("within_line", name)


@register.filter
def lettered(place: int) -> str:
    """ "a" for 1, "z" for 26, "aa" for 27: the marks of end-notes beside which others have
    numbers."""
    letters = ""
    while place > 0:
        place, letter = divmod(place - 1, 26)
        letters = chr(ord("a") + letter) + letters
    return letters


@register.filter
def marks(notes: Sequence[Note], story: Story) -> str:
    """The marks of a sentence's end-notes: "a, c"."""
    return ", ".join(lettered(place_of(story.notes, note)) for note in notes)


@register.simple_tag
def cited(sentence: str, mark: Any) -> SafeString:
    """A sentence with the mark of its end-notes, which no line break parts from its last word."""
    return format_html("{}{}<sup>{}</sup>", sentence, WORD_JOINER, mark)


@register.filter
def ended(outcome: str) -> str:
    """How a battle ended for a side, in a word: "won", "lost", "drew"."""
    return {
        Outcome.WON: pgettext("outcome", "won"),
        Outcome.LOST: pgettext("outcome", "lost"),
        Outcome.DREW: pgettext("outcome", "drew"),
    }[Outcome(outcome)]


@register.filter
def roman(number: int) -> str:
    """ "XIV" from 14: for the Ranks of fighters. What Roman numerals do not know is returned in
    Arabic ones."""
    if not 0 < number < 40:
        return str(number)
    numeral = ""
    for value, letters in ROMAN:
        numeral += letters * (number // value)
        number %= value
    return numeral


@register.filter
def signed(number: int) -> str:
    """ "+3", "0" or "−3", with a true minus."""
    return f"+{number}" if number > 0 else str(number).replace("-", "−")


@register.filter
def minus(number: int) -> str:
    """The number with a true minus: "−3"."""
    return str(number).replace("-", "−")


@register.filter
def rows_of(things: Sequence[Any], width: int) -> list[Sequence[Any]]:
    """The things in rows of so many; the last one may be shorter."""
    return [things[start : start + width] for start in range(0, len(things), width)]


@register.filter
def lacking(row: Sequence[Any], width: int) -> range:
    """One for each thing that a row lacks of its width."""
    return range(width - len(row))


@register.filter
def filled_rows(things: Sequence[Any], width: int) -> list[list[Any]]:
    """The things in rows of so many, the last one filled up with None."""
    return [[*row, *([None] * (width - len(row)))] for row in rows_of(things, width)]


@register.filter
def evenly(things: Sequence[Any], most: int) -> list[list[Any]]:
    """The things in rows of the same width, at most so many in each: as few rows as it takes, None
    where one lacks."""
    rows = max(-(-len(things) // most), 1)
    width = -(-len(things) // rows) or 1
    return [[*row, *([None] * (width - len(row)))] for row in rows_of(things, width)]


@register.filter
def abreast(sides: Sequence[Any], attribute: str) -> list[tuple[Any, ...]]:
    """What sides have of something beside each other, row by row; None where a side has no more of
    it."""
    return list(zip_longest(*(getattr(side, attribute) for side in sides)))


@register.filter
def rows_of_harm(battle: BattleNarrative, runs: Collection[str]) -> str:
    """The name of what the sides of a battle show of their casualties: rows, or a run where there
    is little room."""
    return "harmed_in_a_run" if battle.id in runs else "harmed"


@register.filter
def has(things: Iterable[Any], attribute: str) -> bool:
    """Whether any of the things has something there."""
    return any(getattr(thing, attribute) for thing in things)


@register.filter
def place_of(things: Sequence[Any], thing: Any) -> int:
    """Where a thing stands in a row, counted from 1."""
    return things.index(thing) + 1


@register.filter
def boxes(card: Any) -> list[bool]:
    """The experience boxes up to the next Rank, True where filled; none where there would be too
    many to draw."""
    if not 0 < card.boxes <= MAX_BOXES:
        return []
    return [place < card.experience for place in range(card.boxes)]


@register.filter
def title_size(title: str) -> str:
    """How big a title can be set: "short", "middling", "long" or "endless"."""
    if len(title) <= 16:
        return "short"
    if len(title) <= 34:
        return "middling"
    return "long" if len(title) <= 60 else "endless"


@register.filter
def row_size(row: RosterRow, roster: RosterSheet) -> str:
    """How big a name can be set for it to stand in one line of the roster with what is said beside
    it, which becomes small before the name does."""
    beside = len(row.profile) + (len(row.place) + 3 if row.place else 0)
    sizes = ((size, len(row.name) * name + beside * small) for size, name, small in WIDTHS)
    return next((size for size, wide in sizes if wide < roster.room), "endless")


@register.filter
def balanced(title: str) -> list[str]:
    """A title in lines of about the same length, for a title page; a word is never cut."""
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
    """The subject of a rule system's blank roster."""
    return blank_subject(ruleset)
