"""Photos of battles in print: their sizes, rows, captions and credits.

No photo is cropped: the photos of a row have the same height, and their widths follow from it.
"""

from collections.abc import Iterable, Iterator, Sequence

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from msgspec import Struct

from documents.content.print_jobs import (
    PHOTOS_OF_A_BATTLE,
    PhotoSize,
    has_plates,
    plates_of,
)
from documents.content.structs import BattleNarrative, PrintedPicture
from documents.print_resources import image

register = template.Library()
WIDE, MARGIN, BETWEEN = 168.0, 48.0, 4.0
"""The widths of the text and of the margin column, and the space between photos, in mm."""
TALLEST_ALONE, TALLEST_IN_ROW, TALLEST_IN_MARGIN = 126.0, 100.0, 66.0
"""The greatest heights of photos, in mm: of a single one, of those in a row, and in the margin."""
COVER_WIDTH, COVER_HEIGHT = 132.0, 88.0
"""The greatest width and height of the photo on a cover, in mm."""
HALF_A_PAGE, BELOW_TEXT = 104.0, 92.0
"""The greatest heights of photos in mm if two are below each other on a page, and below the end of
a battle."""
ABREAST = 2
"""The number of photos in a row."""
PIXELS = 8
"""The pixels to a millimetre of a printed photo: 203 dpi."""
RATIO = 4 / 3
"""The shape of a photo of unknown size, as its width divided by its height."""


class SizedPhoto(Struct, frozen=True):
    """A photo with its printed size in mm."""

    photo: PrintedPicture
    width: float
    height: float


def sized_row(photos: Sequence[PrintedPicture], width: float, tallest: float) -> list[SizedPhoto]:
    """Return photos that fill a row of this width in mm, or less if they would be too tall."""
    ratios = [_ratio(photo) for photo in photos]
    room = width - BETWEEN * (len(photos) - 1)
    height = min(room / sum(ratios), tallest)
    paired = zip(photos, ratios, strict=True)
    return [SizedPhoto(photo, height * ratio, height) for photo, ratio in paired]


def _ratio(photo: PrintedPicture) -> float:
    return photo.width / photo.height if photo.width and photo.height else RATIO


def photo_rows(photos: Sequence[PrintedPicture], size: PhotoSize) -> list[list[SizedPhoto]]:
    """Return the photos of a battle in rows, each photo once.

    With "large", "after" and "end", a single photo or the first of an odd number is as wide as the
    text, and the others are in pairs. With "after", two photos fill a page.
    """
    if size == "margin":
        return [sized_row([photo], MARGIN, TALLEST_IN_MARGIN) for photo in photos]
    if size in ("after", "end") and len(photos) == ABREAST:
        most = HALF_A_PAGE if size == "after" else BELOW_TEXT
        return [sized_row([photo], WIDE, most) for photo in photos]
    if size == "row" and len(photos) > 1:
        return [sized_row(photos, WIDE, TALLEST_IN_ROW)]
    if size == "row":
        return [sized_row([photo], WIDE, TALLEST_IN_MARGIN) for photo in photos]
    first = [sized_row(photos[:1], WIDE, TALLEST_ALONE)] if len(photos) % ABREAST else []
    return [*first, *_pairs(photos[len(first) :])]


def _pairs(photos: Sequence[PrintedPicture]) -> Iterator[list[SizedPhoto]]:
    for start in range(0, len(photos), ABREAST):
        yield sized_row(photos[start : start + ABREAST], WIDE, TALLEST_IN_ROW)


@register.simple_tag
def photos(battle: BattleNarrative, size: PhotoSize, measuring: bool = False) -> SafeString:
    """Return the first photos of a battle; the others are plates.

    While ``measuring``, photos are empty boxes of the same size.
    """
    shown = battle.photos[:PHOTOS_OF_A_BATTLE]
    return _markup(battle, photo_rows(shown, size), measuring)


@register.simple_tag
def plates(battle: BattleNarrative) -> SafeString:
    """Return the photos of a battle that are not on its page, in pairs."""
    return _markup(battle, _pairs(plates_of(battle)))


@register.simple_tag
def cover_photo(photo: PrintedPicture, title: str) -> SafeString:
    """Return the photo of a cover as markup, or "" if it cannot be read."""
    (sized,) = sized_row([photo], COVER_WIDTH, COVER_HEIGHT)
    return _figure(gettext("Photo of %(battle)s") % {"battle": title}, sized)


register.filter("plates_of", plates_of)
register.filter("has_plates", has_plates)


def _markup(
    battle: BattleNarrative, rows: Iterable[Sequence[SizedPhoto]], measuring: bool = False
) -> SafeString:
    """Return rows of photos as markup. Photos without a readable file are left out."""
    unnamed = gettext("Photo of %(battle)s") % {"battle": battle.title}
    figures = ([_figure(unnamed, each, measuring) for each in row] for row in rows)
    joined = (format_html_join("", "{}", ((each,) for each in row)) for row in figures)
    return format_html_join("", '<div class="photos">{}</div>', ((row,) for row in joined if row))


def _figure(unnamed: str, sized: SizedPhoto, measuring: bool = False) -> SafeString:
    """Return a photo with its caption as markup. ``unnamed`` describes it if it has no caption."""
    photo = sized.photo
    size = format_html("width: {}mm; height: {}mm", f"{sized.width:.2f}", f"{sized.height:.2f}")
    if measuring:
        drawn = format_html('<div style="{}"></div>', size)
    else:
        pixels = (round(sized.width * PIXELS), round(sized.height * PIXELS))
        drawn = image(photo, pixels, photo.caption or unnamed, style=size)
    if not drawn:
        return SafeString()
    caption = format_html("<bdi>{}</bdi>", photo.caption) if photo.caption else SafeString()
    credit = gettext("Photo: %(name)s") % {"name": photo.by} if photo.by else ""
    shown_credit = format_html('<span class="credit">{}</span>', credit) if credit else SafeString()
    texts = [text for text in (caption, shown_credit) if text]
    legend = format_html_join(" ", "{}", ((text,) for text in texts))
    return format_html(
        '<figure class="photo" style="width: {}mm">{}{}</figure>',
        f"{sized.width:.2f}",
        drawn,
        format_html("<figcaption>{}</figcaption>", legend) if texts else "",
    )
