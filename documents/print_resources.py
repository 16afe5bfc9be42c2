"""The resources that a document may load: our style sheets and fonts, and pictures as data URLs."""

import logging
from base64 import b64encode
from functools import lru_cache
from io import BytesIO
from pathlib import Path
from urllib.parse import unquote, urlsplit

from django.conf import settings
from django.core.files.storage import default_storage
from django.utils.html import format_html
from django.utils.safestring import SafeString
from PIL import Image, ImageOps

from documents.content.structs import PrintedPicture

logger = logging.getLogger(__name__)

BASE_URL = "https://muster.invalid/"
"""The base address of documents. ``.invalid`` can never be resolved (RFC 2606)."""

PAPERS = {
    "A3": (297, 420),
    "A4": (210, 297),
    "Letter": (215.9, 279.4),
    "A6": (105, 148),
    "Wide": (317.5, 166.6875),
    "Square": (285.75, 285.75),
}
"""Width and height of the papers in mm; those of pictures are whole pixels."""
TEXT_WIDTH, CHART_WIDTH = 168, 630
"""The width of the text in mm, and in units of the drawings: the greatest width of a chart."""
MAIN_WIDTH = 114
"""The width of a battle's text in mm, as in static/print/print.css."""
MILLIMETRE = 96 / 25.4
"""A millimetre in the printer's pixels."""

LINK = "muster:"
"""The prefix by which a part's markup refers to an anchor in another part."""

KINDS = {".css": "text/css", ".woff2": "font/woff2", ".ttf": "font/ttf", ".svg": "image/svg+xml"}
FOLDERS = ("print", "fonts")
UNPACKED = Path("documents") / "typefaces"
"""The folder with uncompressed copies of the typefaces that browsers get compressed.

WeasyPrint would uncompress them again in each process and for each paper size, which takes a third
of a second.
"""
HELD = ("data:image/jpeg;base64,", "data:image/png;base64,")
"""The prefixes of addresses that contain a picture."""


class AddressRefused(ValueError):
    """A document asked for an address that is not allowed."""


def own_file(url: str) -> Path:
    """Return the file of an address. Raises AddressRefused if it is not ours or does not exist."""
    root = Path(settings.BASE_DIR) / "static"
    path = (
        (root / unquote(urlsplit(url).path).lstrip("/")).resolve()
        if url.startswith(BASE_URL)
        else root
    )
    if not any(path.is_relative_to((root / folder).resolve()) for folder in FOLDERS):
        raise _refused(url)
    if path.suffix not in KINDS or not path.is_file():
        raise _refused(url)
    return path


def unpacked(file: Path) -> Path:
    """Return the uncompressed copy of a typeface; any other file is returned as it is."""
    return (
        Path(settings.BASE_DIR) / UNPACKED / f"{file.stem}.ttf" if file.suffix == ".woff2" else file
    )


def _refused(url: str) -> AddressRefused:
    logger.warning("A document asked for %.200r and was refused", url)
    return AddressRefused("Documents may load only Muster's own style sheets and typefaces.")


PORTRAIT, LITTLE_PORTRAIT = (320, 400), (160, 200)
"""Sizes in pixels of pictures that are cropped: at least nine to a millimetre in print.

Little portraits are for lists with hundreds of people.
"""
CREST = (400, 400)
"""The largest size in pixels of a crest, which is not cropped, as no photo is."""
CUT = (PORTRAIT, LITTLE_PORTRAIT)
FACE = (0.5, 0.35)
"""The centre of a cropped picture, as shares of its size: faces are above the middle."""
QUALITY = 82


def image(
    picture: PrintedPicture | None, size: tuple[int, int], alternative: str, *, style: str = ""
) -> SafeString:
    """Return the picture in a size in pixels as markup, or "" if there is no readable picture."""
    if picture is None:
        return SafeString()
    styled = format_html(' style="{}"', style) if style else ""
    try:
        return format_html(
            '<img src="{}" alt="{}"{}>', _address(picture, size), alternative, styled
        )
    except (OSError, SyntaxError, ValueError) as error:
        logger.warning("A picture cannot be printed: %s", error, extra={"file": picture.file})
        return SafeString()


@lru_cache(maxsize=8)
def _address(picture: PrintedPicture, size: tuple[int, int]) -> str:
    """Return the picture as a data URL. Cached, because all cards of a roster have the same crest.

    Raises OSError, SyntaxError or ValueError if the file is missing or not a picture.
    """
    with default_storage.open(picture.file, "rb") as file, Image.open(file) as opened:
        clear = "A" in opened.getbands()
        drawn = opened.convert("RGBA" if clear else "RGB")
    if size in CUT:
        drawn = ImageOps.fit(drawn, size, Image.Resampling.LANCZOS, centering=FACE)
    else:
        drawn.thumbnail(size, Image.Resampling.LANCZOS)
    written, kind = BytesIO(), "PNG" if clear else "JPEG"
    drawn.save(written, kind, optimize=True, quality=QUALITY)
    return f"data:image/{kind.lower()};base64,{b64encode(written.getvalue()).decode()}"
