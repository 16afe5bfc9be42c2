"""Portraits, crests and photos on pages: the picture that somebody brought, else one that is drawn.

Views say which there are: ``crests`` by the ids of warbands, ``portraits`` by those of fighters.
Nothing here asks the database.
"""

from collections.abc import Mapping
from itertools import count
from typing import Any
from uuid import UUID

from django import template
from django.template import RequestContext
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from drawings.cache import cached_drawing
from drawings.canvas import INK
from drawings.crests import colour_of
from drawings.crests import crest as arms
from drawings.shapes import HATS
from drawings.silhouettes import silhouette
from pictures.selectors.pictures import Crest, ShownPicture
from rulebook.ruleset import Sheet

register = template.Library()
PALE = "#8d8477"
"""The figure of whoever is gone."""


@register.simple_tag(takes_context=True)
def crest(context: RequestContext, warband: UUID, look: str = "") -> SafeString:
    """The crest of a warband beside its name, as an ornament. ``look`` is "" for a small one,
    "large" or "middle"."""
    crests: Mapping[UUID, Crest] = context.get("crests") or {}
    picture = crests.get(warband)
    return _crest(context, picture, look) if picture else SafeString()


@register.simple_tag(takes_context=True)
def club_crest(
    context: RequestContext, name: str, picture: ShownPicture | None, look: str = ""
) -> SafeString:
    """The crest of a club beside its name, as an ornament."""
    return _crest(context, Crest(name, picture=picture), look)


def _crest(context: RequestContext, of: Crest, look: str) -> SafeString:
    if of.picture:
        return format_html('<span class="crest {}">{}</span>', look, _image(of.picture, ""))
    numbers = context.request.__dict__.setdefault("numbers_of_crests", count(1))
    drawn = arms(
        of.name, of.colour or colour_of(of.name), "", faction=of.faction, mark=f"-{next(numbers)}"
    )
    return _ornament("crest", look, drawn.svg)


@register.simple_tag(takes_context=True)
def portrait(context: RequestContext, fighter: Any, colour: str = "", look: str = "") -> SafeString:
    """The portrait of a fighter's card, named by it; without one its figure as an ornament, pale if
    it is gone."""
    portraits: Mapping[UUID, ShownPicture] = context.get("portraits") or {}
    picture = portraits.get(fighter.id)
    if picture:
        return format_html(
            '<span class="portrait {}">{}</span>', look, _image(picture, fighter.name)
        )
    sheet: Sheet | None = fighter.sheet
    looks = sheet.looks if sheet else ()
    hat = next((each for each in looks if each in HATS), "brim")
    shade = PALE if fighter.gone else colour or INK
    drawn = cached_drawing(
        silhouette, tuple(looks), "", mounted="mounted" in looks, hat=hat, colour=shade
    )
    return _ornament("portrait drawn", look, drawn.svg)


@register.simple_tag
def photo(picture: ShownPicture, name: str) -> SafeString:
    """A photo of a battle, named by its caption, else by the battle."""
    return _image(picture, picture.caption or name)


def _image(picture: ShownPicture, alternative: str) -> SafeString:
    """The small size; a browser knows its edges before it comes."""
    return format_html(
        '<img src="{}" alt="{}" width="{}" height="{}" loading="lazy" decoding="async">',
        reverse("pictures:small", args=[picture.id]),
        alternative,
        picture.width,
        picture.height,
    )


def _ornament(kind: str, look: str, svg: str) -> SafeString:
    drawn = mark_safe(svg)  # noqa: S308 - a drawing escapes all that people wrote (drawings.canvas)
    return format_html('<span class="{} {}" aria-hidden="true">{}</span>', kind, look, drawn)
