"""Portraits, crests and photos on pages: uploaded pictures, or drawn ones.

Views put the pictures into the context: ``crests`` by the ids of warbands, ``portraits`` by those
of fighters. Nothing here queries the database.
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
from drawings.crests import crest as arms
from drawings.shapes import HATS
from drawings.silhouettes import silhouette
from pictures.selectors.pictures import Crest, ShownPicture
from rulebook.ruleset import Sheet

register = template.Library()
PALE = "#8d8477"
"""The colour of the figure of a fighter who has left the warband."""


@register.simple_tag(takes_context=True)
def crest(context: RequestContext, warband: UUID, look: str = "") -> SafeString:
    """Return the crest of a warband, as an ornament next to its name.

    ``look`` is "" for a small one, "middle" or "large".
    """
    crests: Mapping[UUID, Crest] = context.get("crests") or {}
    picture = crests.get(warband)
    return _crest(context, picture, look) if picture else SafeString()


@register.simple_tag(takes_context=True)
def club_crest(
    context: RequestContext, name: str, picture: ShownPicture | None, look: str = ""
) -> SafeString:
    """Return the crest of a club, as an ornament next to its name."""
    return _crest(context, Crest(name, picture=picture), look)


def _crest(context: RequestContext, of: Crest, look: str) -> SafeString:
    if of.picture:
        return format_html('<span class="crest {}">{}</span>', look, _image(of.picture, ""))
    numbers = context.request.__dict__.setdefault("numbers_of_crests", count(1))
    drawn = arms(of.seed, of.colour, "", mark=f"-{next(numbers)}")
    return _ornament("crest", look, drawn.svg)


@register.simple_tag(takes_context=True)
def portrait(context: RequestContext, fighter: Any, colour: str = "", look: str = "") -> SafeString:
    """Return the portrait of a fighter, with the name as text alternative.

    Without a portrait, return a silhouette as an ornament, pale if the fighter has left.
    """
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


@register.filter
def picture_for(pictures: Mapping[UUID, ShownPicture] | None, subject: UUID) -> ShownPicture | None:
    """Return the picture of a subject among those in the context, or None."""
    return pictures.get(subject) if pictures else None


@register.simple_tag
def photo(picture: ShownPicture, name: str) -> SafeString:
    """Return a photo of a battle, with the caption or the battle's name as text alternative."""
    return _image(picture, picture.caption or name)


def _image(picture: ShownPicture, alternative: str) -> SafeString:
    """Return the small size, with its width and height so that loading moves nothing."""
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
