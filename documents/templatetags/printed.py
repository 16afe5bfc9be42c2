"""Tags and filters of the print templates: dates, numbers, rows of cards, stories."""

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any
from uuid import UUID

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext, pgettext
from msgspec import Struct

from core.markdown import story_html
from core.ruleset_words import rules_text
from documents.content.documents import ResultColumn
from documents.content.labels import day
from documents.content.print_jobs import BattleForm
from documents.content.rulesets import subject_of_ruleset
from documents.content.structs import (
    BattleNarrative,
    Card,
    Casualty,
    Note,
    RosterRow,
    RosterSheet,
    SideNarrative,
    Story,
)
from documents.prose.variation import name
from documents.reference_columns import in_columns, is_brief, label_share, reference_pages
from rulebook.ruleset import Outcome
from rulebook.values.rosters import TickBoxes

register = template.Library()
ROMAN = ((10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"))
MAX_BOXES = 20
CARDS_A_PAGE, CARDS_A_ROW = 9, 3
POINTS_A_WORD, LARGEST_NAME, LONGEST_WORD = 190.0, 13.5, 22
"""The letters of a word on a card times its size in points; the largest size, the most letters."""
LETTER_OF_HEAD, SPACE_OF_HEAD, LETTERS_OF_HEAD = 0.43, 0.9, 10
"""The length of a letter of an upright label and the space at its ends, in ``em``, and the most
letters of a label in one line."""
WORD_JOINER, SOFT_HYPHEN = "\u2060", "\u00ad"
TOO_LONG = re.compile(rf"(\w{{{LONGEST_WORD - 1}}})(?=\w{{2}})")
"""Matches the part of a word that fills a line of a card."""
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
register.filter(in_columns)
register.filter(is_brief)
register.filter(label_share)
register.filter(reference_pages)


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
def points_limits(battle: BattleNarrative) -> str:
    """Return the points limits of a battle: one for all sides, or one for each role.

    It is "" for a battle without a limit.
    """
    limits = {side.role: side.limit for side in battle.sides if side.limit is not None}
    if not limits:
        return ""
    if len(set(limits.values())) == 1:
        return gettext("up to %(points)s points a side") % {"points": next(iter(limits.values()))}
    parts = (
        gettext("%(role)s up to %(points)s points") % {"role": rules_text(role), "points": points}
        for role, points in limits.items()
    )
    return ", ".join(parts)


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
def longest_word(name: str) -> int:
    """Return the number of letters of the longest word of a name."""
    return max(map(len, name.replace("-", " ").split()), default=0)


@register.filter
def word_size(name: str) -> str:
    """Return the size in points in which the longest word of a name fits on a card."""
    letters = min(longest_word(name), LONGEST_WORD)
    return str(min(round(POINTS_A_WORD / max(letters, 1), 1), LARGEST_NAME))


@register.filter
def divided(name: str) -> str:
    """Return a name, with soft hyphens where a word is too long for a line of a card."""
    return TOO_LONG.sub(rf"\1{SOFT_HYPHEN}", name)


@register.filter
def box_words(ticked: TickBoxes) -> tuple[str, ...]:
    """Return the words of boxes in the reader's language: all of them translated, or none."""
    return _all_or_none(ticked.boxes)


def _all_or_none(english: tuple[str, ...]) -> tuple[str, ...]:
    """Return words of one kind in the reader's language, or as they are if one has no translation.

    Proper terms of a rule book have none, and a list in two languages reads badly.
    """
    words = tuple(rules_text(word) if word else "" for word in english)
    return (
        english
        if any(word and word == same for word, same in zip(words, english, strict=True))
        else words
    )


@register.filter
def with_labels(columns: Sequence[ResultColumn]) -> list[tuple[ResultColumn, str]]:
    """Return the columns of a result sheet with their labels in the reader's language."""
    labels: list[str] = []
    for choice, group in groupby(columns, key=lambda column: column.choice):
        english = tuple(column.label for column in group)
        labels += _all_or_none(english) if choice else map(rules_text, english)
    return list(zip(columns, labels, strict=True))


@register.filter
def head_height(labelled: Sequence[tuple[ResultColumn, str]]) -> str:
    """Return the height in ``em`` of a table's head in which the labels are upright."""
    lines = (line for _, label in labelled for line in upright_lines(label))
    longest = max(map(len, lines), default=0)
    return f"{LETTER_OF_HEAD * longest + SPACE_OF_HEAD:.2f}"


@register.filter
def upright_lines(label: str) -> tuple[str, ...]:
    """Return an upright label in one line, or in two of about the same length if it is long."""
    words = label.split()
    if len(label) <= LETTERS_OF_HEAD or len(words) < 2:
        return (label,)
    pairs = [(" ".join(words[:cut]), " ".join(words[cut:])) for cut in range(1, len(words))]
    return min(pairs, key=lambda pair: max(map(len, pair)))


class CardSlot(Struct, frozen=True):
    """A place on a page of cards, with its number; ``card`` is None for an empty one."""

    number: int
    card: Card | None = None


@register.filter
def card_pages(cards: Sequence[Card]) -> list[list[list[CardSlot]]]:
    """Return the rows of each page of cards, three by three.

    The last page never has a single card: it gets a row of the page before it.
    """
    ends = [*range(CARDS_A_PAGE, len(cards), CARDS_A_PAGE), len(cards)]
    if len(ends) > 1 and ends[-1] - ends[-2] == 1:
        ends[-2] -= CARDS_A_ROW
    slots = [CardSlot(number, card) for number, card in enumerate(cards, start=1)]
    pages, start = [], 0
    for end in ends:
        page = slots[start:end]
        page += [CardSlot(0)] * (-len(page) % CARDS_A_ROW)
        pages.append([list(row) for row in rows_of(page, CARDS_A_ROW)])
        start = end
    return pages


@register.filter
def lacking(row: Sequence[Any], width: int) -> range:
    """Return a range with an element for each empty place of a row."""
    return range(width - len(row))


@register.filter
def at(things: Sequence[Any], index: int) -> Any:
    """Return the thing at an index, counted from 0."""
    return things[index]


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
def ranges(numbers: Sequence[int]) -> str:
    """Return numbers in order as text, with runs joined: "3, 5–8"."""
    runs: list[list[int]] = []
    for number in sorted(numbers):
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(str(run[0]) if len(run) == 1 else f"{run[0]}–{run[-1]}" for run in runs)


@register.filter
def form_of(forms: Mapping[str, BattleForm], battle: BattleNarrative) -> BattleForm:
    """Return the form in which a battle is set."""
    return forms.get(battle.id, BattleForm())


@register.filter
def casualty_cells(side: SideNarrative, run: bool) -> list[tuple[Casualty, ...]]:
    """Return the casualties of a side in rows: each in a row, or all in one paragraph."""
    return [side.casualties] if run else [(casualty,) for casualty in side.casualties]


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
    return subject_of_ruleset(ruleset)
