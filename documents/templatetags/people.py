"""People of a campaign's book: their names as links, their silhouettes, their careers drawn small."""

from typing import Any

from django import template
from django.template import RequestContext
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from documents.binding import LINK
from documents.content.kinds import Remembered
from documents.content.pieces import Label, Person
from documents.prose import prose
from documents.templatetags.charts import NO_COLOUR, inline
from drawings.bars import Standing, casualty_strip
from drawings.lines import sparkline

register = template.Library()


@register.simple_tag(takes_context=True)
def named(context: RequestContext, person: Person) -> SafeString:
    """A name, as a link to what the document has of whoever bears it."""
    if not person.at:
        return format_html("<bdi>{}</bdi>", person.name)
    return format_html("<bdi>{}</bdi>", linked(context, person.at, person.name))


@register.simple_tag(takes_context=True)
def linked(context: RequestContext, at: str, text: Any) -> SafeString:
    """Some text as a link to a place in the document, whichever part of it that is bound into."""
    return format_html('<a href="{}{}">{}</a>', LINK if context["shown"].apart else "#", at, text)


@register.filter
def career_strip(of: Remembered) -> SafeString:
    """A mark for each battle since somebody's first."""
    return inline(casualty_strip(of.strip, of.colour or NO_COLOUR, prose().career(of.strip), width=190))


@register.filter
def experience_line(of: Remembered) -> SafeString:
    """What somebody had earned after each battle, with a stroke where it brought down an enemy."""
    return inline(sparkline(of.experience, prose().experience_line(of.experience), marks=of.felled, width=110))


@register.simple_tag
def legend(label: Label) -> SafeString:
    """What the marks of strips mean, in the words of a rule system."""
    words: dict[Standing, str] = {
        "well": label.unharmed,
        "hurt": gettext("harmed"),
        "out": gettext("carried off"),
        "gone": gettext("gone from the field"),
        "dead": label.lost,
        "away": gettext("not there"),
    }
    marks = (
        (inline(casualty_strip([mark], NO_COLOUR, gettext("This mark means: %(word)s") % {"word": word})), word)
        for mark, word in words.items()
    )
    return format_html('<p class="legend">{}</p>', format_html_join(" ", "<span>{} {}</span>", marks))
