"""Tags for people in the campaign book."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import groupby
from typing import Any

from django import template
from django.template import RequestContext
from django.utils.html import escape, format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext, ngettext, pgettext
from msgspec import Struct

from documents.content.documents import Fallen, IndexEntry, MemorialEntry
from documents.content.persons import sort_key
from documents.content.structs import Casualty, Label, Person
from documents.print_resources import LINK
from documents.prose import prose
from documents.prose.variation import name
from documents.templatetags.charts import NO_COLOUR, inline
from documents.templatetags.printed import filled_rows, roman
from drawings.bars import BarMark, casualty_strip
from drawings.lines import sparkline

register = template.Library()
INDEX_COLUMNS, FIRST_INDEX_PAGE, OTHER_INDEX_PAGE, LETTER_LINE = 3, 24, 27, 0.8
"""The columns of an index, its lines on a page of Letter, and the height of a letter above."""
LETTERS_OF_INDEX = 27, 42
"""The letters of a name on a line of an index, and those of the smaller line below it."""
SHORTEST_RUN = 3
"""The fewest consecutive battles that an index has as a range."""
HELD = 2
"""The fewest rows of a memorial on its last page, where a battle has several."""


@register.simple_tag(takes_context=True)
def named(context: RequestContext, person: Person) -> SafeString:
    """Return a name, as a link to the person's entry in the document if there is one."""
    return _named(person, _link_start(context))


def _named(person: Person, link: str) -> SafeString:
    if not person.at:
        return format_html("<bdi>{}</bdi>", person.name)
    return format_html('<bdi><a href="{}{}">{}</a></bdi>', link, person.at, person.name)


@register.simple_tag(takes_context=True)
def casualty_line(context: RequestContext, casualty: Casualty) -> SafeString:
    """Return a casualty's name and rank, and what happened to it."""
    shows_rank = context["words"].shown.ranks
    return _casualty_line(casualty, _link_start(context), shows_rank, get_language())


@lru_cache(maxsize=1024)
def _casualty_line(
    casualty: Casualty, link: str, shows_rank: bool, language: str | None
) -> SafeString:
    """Return the line in the active language, which is ``language``.

    It is kept, because a book has thousands of them, each in several forms while it is measured.
    """
    line = format_html('<span class="name">{}</span>', _named(casualty, link))
    if shows_rank:
        line += format_html('&nbsp;<span class="rank">{}</span>', roman(casualty.rank))
    if not casualty.harm:
        return line
    harm = escape(casualty.harm)
    if casualty.by:
        attackers = format_html_join(", ", "{}", ((_named(each, link),) for each in casualty.by))
        harm += format_html(", {} {}", pgettext("whose deed it was", "by"), attackers)
    if casualty.after:
        harm += format_html(", {}", casualty.after)
    return line + format_html(' <span class="befell">{}</span>', harm)  # wording: ok


@register.simple_tag(takes_context=True)
def linked(context: RequestContext, at: str, text: Any) -> SafeString:
    """Return some text as a link to an anchor in the document, in any of its parts."""
    return format_html('<a href="{}{}">{}</a>', _link_start(context), at, text)


def _link_start(context: RequestContext) -> str:
    """Return what comes before the anchor in a link: parts of a book have links between parts."""
    return LINK if context["shown"].apart else "#"


@register.simple_tag(takes_context=True)
def indexed(context: RequestContext, person: Person) -> SafeString:
    """Return a name as an entry of an index, a link that ends with the page of the person's entry.

    In a book of several parts the pages are known from ``pages``; else the printer counts them.
    """
    text = name(person.name)
    if not person.at or (context["shown"].apart and person.at not in context["pages"]):
        return format_html("{}", text)
    if context["shown"].apart:
        page = context["pages"][person.at]
        return format_html('<a href="{}{}" data-page="{}">{}</a>', LINK, person.at, page, text)
    return format_html('<a href="#{}">{}</a>', person.at, text)


class MemorialRow(Struct, frozen=True):
    """Fallen fighters next to each other, with None for empty places.

    ``kept`` rows stay on the page of the row before.
    """

    people: tuple[Fallen | None, ...]
    kept: bool


class Evening(Struct, frozen=True):
    """The rows of those who fell in one battle, or in none."""

    rows: tuple[MemorialRow, ...]


@register.filter
def shown_of(memorial: Sequence[Fallen], count: int) -> Sequence[Fallen]:
    """Return the first of the fallen, if other parts of a book have the rest; 0 is for all."""
    return memorial[: count or None]


@register.filter
def evenings(memorial: Sequence[Fallen], width: int) -> list[Evening]:
    """Return the fallen by battle, in rows of ``width``.

    The heading of a battle is with its first row, and its last row not alone on the last page.
    """
    parted = [
        filled_rows(tuple(group), width)
        for _, group in groupby(memorial, key=lambda fallen: fallen.battle_at)
    ]
    left, groups = sum(map(len, parted)), []
    for rows in parted:
        keep_flags = [place > 0 and left - place < HELD for place in range(len(rows))]
        groups.append(
            Evening(
                tuple(
                    MemorialRow(tuple(row), keep)
                    for row, keep in zip(rows, keep_flags, strict=True)
                )
            )
        )
        left -= len(rows)
    return groups


@register.simple_tag(takes_context=True)
def fought_battles(context: RequestContext, person: IndexEntry) -> SafeString:
    """Return the numbers of a person's battles as links: "3, 5–8"."""
    runs = (
        format_html_join("–", "{}", ((linked(context, each.at, each.name),) for each in run))
        for run in battle_runs(person.battles)
    )
    return format_html_join(", ", "{}", ((run,) for run in runs))


def battle_runs(battles: Sequence[Person]) -> list[tuple[Person, ...]]:
    """Return the battles of a person by their numbers: runs of three and more as first and last.

    Somebody who fought in each of 200 battles would have three pages of numbers.
    """
    runs: list[list[Person]] = []
    for battle in sorted(battles, key=lambda battle: int(battle.name)):
        if runs and int(battle.name) == int(runs[-1][-1].name) + 1:
            runs[-1].append(battle)
        else:
            runs.append([battle])
    joined: list[tuple[Person, ...]] = []
    for run in runs:
        if len(run) < SHORTEST_RUN:
            joined += [(battle,) for battle in run]
        else:
            joined.append((run[0], run[-1]))
    return joined


class IndexLine(Struct, frozen=True):
    """A person of an index, with the letter above, if the name is the first one with it."""

    letter: str
    person: IndexEntry
    columns: int

    @property
    def height(self) -> float:
        """The estimated height, in lines of an index that have a short name."""
        runs = battle_runs(self.person.battles)
        battles = sum(len(battle.name) + 2 for run in runs for battle in run)
        name, below = (letters * INDEX_COLUMNS // self.columns for letters in LETTERS_OF_INDEX)
        more = len(self.person.name) // name + (len(self.person.note) + battles) // below
        return 1 + more / 2 + (LETTER_LINE if self.letter else 0)


@register.filter
def index_pages(index: Sequence[IndexEntry]) -> list[list[list[IndexLine]]]:
    """Return the persons of an index by pages, each with three columns of about the same height.

    All pages are about as full. There are four columns if one page is enough then. They are not
    columns of the style sheet: WeasyPrint tags only the first one.
    """
    for count in (INDEX_COLUMNS, INDEX_COLUMNS + 1):
        pages = _index_pages(index, count)
        if len(pages) <= 1:
            return pages
    pages = _index_pages(index, INDEX_COLUMNS)
    return _index_pages(index, INDEX_COLUMNS, at_least=len(pages))


def _index_pages(
    index: Sequence[IndexEntry], count: int, at_least: int = 1
) -> list[list[list[IndexLine]]]:
    """Return the persons of an index by pages, each with so many columns.

    With ``at_least`` so many pages, they share the persons; the last one is not the shortest.
    """
    lines, before = [], ""
    for person in index:
        letter = sort_key(person.name)[:1].upper()
        lines.append(IndexLine(letter if letter != before else "", person, count))
        before = letter
    pages: list[list[list[IndexLine]]] = []
    while lines:
        room = (OTHER_INDEX_PAGE if pages else FIRST_INDEX_PAGE) * count
        left = sum(line.height for line in lines)
        tall = min(room, left / max(at_least - len(pages), 1)) / count
        columns = [_column(lines, tall) for _ in range(count)]
        if left <= room:
            columns[-1] += lines
            lines = []
        pages.append(columns)
    return pages


def _column(lines: list[IndexLine], tall: float) -> list[IndexLine]:
    """Take the first lines up to this height from the list, at least one if there is any."""
    column: list[IndexLine] = []
    height = 0.0
    while lines and (not column or height + lines[0].height / 2 <= tall):
        height += lines[0].height
        column.append(lines.pop(0))
    return column


@register.filter
def career_strip(of: MemorialEntry) -> SafeString:
    """Return a strip with a mark for each battle since a fighter's first one."""
    about = prose().career(of.strip)
    if of.risen:
        count = len(of.risen)
        about += " " + ngettext("%(n)s rank-up.", "%(n)s rank-ups.", count) % {"n": count}
    strip = casualty_strip(of.strip, of.colour or NO_COLOUR, about, risen=of.risen, width=190)
    return inline(strip)


@register.filter
def experience_line(of: MemorialEntry) -> SafeString:
    """Return the line of a fighter's experience, with a stroke where they brought down an enemy."""
    return inline(
        sparkline(of.experience, prose().experience_line(of.experience), marks=of.felled, width=110)
    )


@register.simple_tag
def legend(label: Label, *, careers: bool = False, lines: bool = False) -> SafeString:
    """Return the legend of the marks in strips, in the terms of a rule system.

    With ``careers``, it explains the mark of a rank-up; with ``lines``, the line of experience and
    its strokes.
    """
    words: dict[BarMark, str] = {
        "well": label.unharmed,
        "hurt": gettext("hit"),
        "out": gettext("carried off"),
        "gone": gettext("left the table"),
        "dead": label.lost,
        "away": gettext("absent"),
    }
    meaning = gettext("This mark means: %(word)s")
    marks = [
        (casualty_strip([mark], NO_COLOUR, meaning % {"word": word}), word)
        for mark, word in words.items()
    ]
    if careers and label.shown.ranks:
        marks.append(
            (casualty_strip([], NO_COLOUR, meaning % {"word": label.step}, risen=(0,)), label.step)
        )
    if lines and label.shown.experience:
        about = gettext("experience; red strokes: brought down an enemy")
        line = sparkline((0, 1, 3), meaning % {"word": about}, marks=(1,), width=34)
        marks.append((line, about))
    return format_html(
        '<p class="legend">{}</p>',
        format_html_join(" ", "<span>{} {}</span>", ((inline(mark), word) for mark, word in marks)),
    )
