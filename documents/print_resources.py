"""What a document may load while it is printed: our style sheets and fonts, and pictures as data
addresses."""

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
"""Where documents believe themselves to be. ``.invalid`` can never be resolved, should anything
ever try (RFC 2606)."""

KINDS = {".css": "text/css", ".woff2": "font/woff2", ".ttf": "font/ttf", ".svg": "image/svg+xml"}
FOLDERS = ("print", "fonts")
UNPACKED = Path("documents") / "typefaces"
"""The typefaces that browsers get packed: WeasyPrint would unpack them anew, for a third of a
second, in each process that prints and for each size of paper."""
HELD = ("data:image/jpeg;base64,", "data:image/png;base64,")
"""How addresses begin that hold a picture."""


class AddressRefused(ValueError):
    """A document asked for something that is not ours."""


class OwnFiles(URLFetcher):
    """Answers ``BASE_URL`` + path with a file of ``static/print`` or ``static/fonts``; refuses
    every other address but those that hold a picture.

    The handlers for http, ftp, file and data addresses are never called, so that there is no
    redirect to follow either.
    """

    def fetch(self, url: str, headers: Any = None) -> URLFetcherResponse:
        """The file's content. Raises AddressRefused, which WeasyPrint takes for a file that is
        missing."""
        if url.startswith(HELD):
            head, _, held = url.partition(",")
            return URLFetcherResponse(
                url, b64decode(held), {"Content-Type": head[5:].partition(";")[0]}
            )
        file = unpacked(own_file(url))
        return URLFetcherResponse(url, file.read_bytes(), {"Content-Type": KINDS[file.suffix]})


def own_file(url: str) -> Path:
    """The file that an address stands for. Raises AddressRefused if it is not one of ours, or not
    there."""
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
    """The same typeface as it is before it is packed; any other file is given back."""
    return (
        Path(settings.BASE_DIR) / UNPACKED / f"{file.stem}.ttf" if file.suffix == ".woff2" else file
    )


def _refused(url: str) -> AddressRefused:
    logger.warning("A document asked for %.200r and was refused", url)
    return AddressRefused("Documents may load only Muster's own style sheets and typefaces.")


PORTRAIT, LITTLE_PORTRAIT, PHOTO = (320, 400), (160, 200), (720, 540)
"""What is cut to one shape, in pixels: nine to a millimetre or more where it is printed largest.
Little ones are those of people of whom a book has hundreds."""
CREST, WHOLE = (400, 400), (1080, 576)
"""What keeps its shape, and is at most so wide and so high: nine to a millimetre as well."""
CUT = (PORTRAIT, LITTLE_PORTRAIT, PHOTO)
FACE = (0.5, 0.35)
"""The middle of what is kept of a picture that is cut: faces stand above its own."""
QUALITY = 82


def image(picture: PrintedPicture | None, size: tuple[int, int], alternative: str) -> SafeString:
    """The picture in one of the sizes, as markup with this alternative text; "" without one that
    can be read."""
    if picture is None:
        return SafeString()
    try:
        return format_html('<img src="{}" alt="{}">', _address(picture, size), alternative)
    except (OSError, SyntaxError, ValueError) as error:
        logger.warning("A picture cannot be printed: %s", error, extra={"file": picture.file})
        return SafeString()


@lru_cache(maxsize=8)
def _address(picture: PrintedPicture, size: tuple[int, int]) -> str:
    """The same crest stands on every card of a roster. Raises what a file raises that is gone or no
    picture."""
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
