"""Photos of a battle on its printed page."""

from collections.abc import Collection

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from documents.content.heights import MOST_ABREAST
from documents.content.pieces import BattleTale
from documents.imaging import PHOTO, WHOLE, image

register = template.Library()
ROWS = {1: "one", 2: "two", 3: "three"}


@register.simple_tag
def photos(battle: BattleTale, most: int | None = None, runs: Collection[str] = ()) -> SafeString:
    """The first so many photos, all if nobody says how many, up to three abreast, low where there is little room; those
    whose files are there."""
    shown = battle.photos[:most]
    size = WHOLE if len(shown) == 1 else PHOTO
    unnamed = gettext("A photo of %(battle)s") % {"battle": battle.title}
    found = ((image(each, size, each.caption or unnamed), each.caption) for each in shown)
    cells = [
        format_html(
            '<figure class="photo">{}{}</figure>',
            drawn,
            format_html("<figcaption><bdi>{}</bdi></figcaption>", caption) if caption else "",
        )
        for drawn, caption in found
        if drawn
    ]
    look = "low" if battle.id in runs else ROWS.get(len(cells), ROWS[MOST_ABREAST])
    rows = (cells[start : start + MOST_ABREAST] for start in range(0, len(cells), MOST_ABREAST))
    together = ((look, format_html_join("", "{}", ((cell,) for cell in row))) for row in rows)
    return format_html_join("", '<div class="photos {}">{}</div>', together)
