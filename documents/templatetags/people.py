"""Tags for people and photos in the campaign book."""

from collections.abc import Collection, Sequence
from itertools import groupby
from typing import Any

from django import template
from django.template import RequestContext
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from msgspec import Struct

from documents.content.documents import Fallen, MemorialEntry
from documents.content.structs import BattleNarrative, Label, Person
from documents.content.text_heights import MAX_ABREAST
from documents.pdf_merge import LINK
from documents.print_resources import PHOTO, WHOLE, image
from documents.prose import prose
from documents.templatetags.charts import NO_COLOUR, inline
from documents.templatetags.printed import filled_rows
from drawings.bars import BarMark, casualty_strip
from drawings.lines import sparkline

register = template.Library()
HELD = 4
"""The fewest rows of a memorial on its last page."""


@register.simple_tag(takes_context=True)
def named(context: RequestContext, person: Person) -> SafeString:
    """Return a name, as a link to the person's entry in the document if there is one."""
    if not person.at:
        return format_html("<bdi>{}</bdi>", person.name)
    return format_html("<bdi>{}</bdi>", linked(context, person.at, person.name))


@register.simple_tag(takes_context=True)
def linked(context: RequestContext, at: str, text: Any) -> SafeString:
    """Return some text as a link to an anchor in the document, in any of its parts."""
    return format_html('<a href="{}{}">{}</a>', LINK if context["shown"].apart else "#", at, text)


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
def evenings(memorial: Sequence[Fallen], width: int) -> list[Evening]:
    """Return the fallen by battle, in rows of ``width``.

    A battle's row is never alone on a page if it has others, and the last page has several rows.
    """
    parted = [
        filled_rows(tuple(group), width)
        for _, group in groupby(memorial, key=lambda fallen: fallen.battle_at)
    ]
    left, groups = sum(map(len, parted)), []
    for rows in parted:
        lone = {1, len(rows) - 1} - {0}
        keep_flags = [place in lone or left - place < HELD for place in range(len(rows))]
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


@register.filter
def career_strip(of: MemorialEntry) -> SafeString:
    """Return a strip with a mark for each battle since a fighter's first one."""
    return inline(
        casualty_strip(of.strip, of.colour or NO_COLOUR, prose().career(of.strip), width=190)
    )


@register.filter
def experience_line(of: MemorialEntry) -> SafeString:
    """Return the line of a fighter's experience, with a stroke where they brought down an enemy."""
    return inline(
        sparkline(of.experience, prose().experience_line(of.experience), marks=of.felled, width=110)
    )


@register.simple_tag
def legend(label: Label) -> SafeString:
    """Return the legend of the marks in strips, in the terms of a rule system."""
    words: dict[BarMark, str] = {
        "well": label.unharmed,
        "hurt": gettext("hit"),
        "out": gettext("carried off"),
        "gone": gettext("left the table"),
        "dead": label.lost,
        "away": gettext("absent"),
    }
    marks = (
        (
            inline(
                casualty_strip(
                    [mark], NO_COLOUR, gettext("This mark means: %(word)s") % {"word": word}
                )
            ),
            word,
        )
        for mark, word in words.items()
    )
    return format_html(
        '<p class="legend">{}</p>', format_html_join(" ", "<span>{} {}</span>", marks)
    )


ROWS = {1: "one", 2: "two", 3: "three"}


@register.simple_tag
def photos(
    battle: BattleNarrative, most: int | None = None, runs: Collection[str] = ()
) -> SafeString:
    """Return the first ``most`` photos of a battle, or all, up to three next to each other.

    They are low if the casualties are in one paragraph. Photos without a file are left out.
    """
    shown = battle.photos[:most]
    size = WHOLE if len(shown) == 1 else PHOTO
    unnamed = gettext("Photo of %(battle)s") % {"battle": battle.title}
    drawn_photos = ((image(each, size, each.caption or unnamed), each.caption) for each in shown)
    cells = [
        format_html(
            '<figure class="photo">{}{}</figure>',
            drawn,
            format_html("<figcaption><bdi>{}</bdi></figcaption>", caption) if caption else "",
        )
        for drawn, caption in drawn_photos
        if drawn
    ]
    look = "low" if battle.id in runs else ROWS.get(len(cells), ROWS[MAX_ABREAST])
    rows = (cells[start : start + MAX_ABREAST] for start in range(0, len(cells), MAX_ABREAST))
    together = ((look, format_html_join("", "{}", ((cell,) for cell in row))) for row in rows)
    return format_html_join("", '<div class="photos {}">{}</div>', together)
