"""The resources that a document may load: our style sheets and fonts, and pictures as data URLs."""

import logging
from base64 import b64decode, b64encode
from functools import lru_cache
from io import BytesIO
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from django.conf import settings
from django.core.files.storage import default_storage
from django.utils.html import format_html
from django.utils.safestring import SafeString
from PIL import Image, ImageOps
from weasyprint.urls import URLFetcher, URLFetcherResponse

from documents.content.structs import PrintedPicture

logger = logging.getLogger(__name__)

BASE_URL = "https://muster.invalid/"
"""The base address of documents. ``.invalid`` can never be resolved (RFC 2606)."""

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


class OwnFiles(URLFetcher):
    """Serve files of ``static/print`` and ``static/fonts``, and pictures in data URLs.

    The address of a file is ``BASE_URL`` + its path in ``static``. All other addresses are refused.
    The handlers for http, ftp, file and data addresses are never called, so there are no redirects
    to follow either.
    """

    def fetch(self, url: str, headers: Any = None) -> URLFetcherResponse:
        """Return the content of the file.

        Raises AddressRefused, which WeasyPrint treats as a missing file.
        """
        if url.startswith(HELD):
            head, _, held = url.partition(",")
            return URLFetcherResponse(
                url, b64decode(held), {"Content-Type": head[5:].partition(";")[0]}
            )
        file = unpacked(own_file(url))
        return URLFetcherResponse(url, file.read_bytes(), {"Content-Type": KINDS[file.suffix]})


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


PORTRAIT, LITTLE_PORTRAIT, PHOTO = (320, 400), (160, 200), (720, 540)
"""Sizes in pixels of pictures that are cropped: at least nine to a millimetre in print.

Little portraits are for lists with hundreds of people.
"""
CREST, WHOLE = (400, 400), (1080, 576)
"""The largest sizes in pixels of pictures that are not cropped, also nine to a millimetre."""
CUT = (PORTRAIT, LITTLE_PORTRAIT, PHOTO)
FACE = (0.5, 0.35)
"""The centre of a cropped picture, as shares of its size: faces are above the middle."""
QUALITY = 82


def image(picture: PrintedPicture | None, size: tuple[int, int], alternative: str) -> SafeString:
    """Return the picture in one of the sizes as markup, or "" if there is no readable picture."""
    if picture is None:
        return SafeString()
    try:
        return format_html('<img src="{}" alt="{}">', _address(picture, size), alternative)
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
