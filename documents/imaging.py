"""Pictures that members brought on the printed page: as big as print needs them, in addresses that hold their bytes.

What an address holds needs no fetching: a picture that is gone, or that nobody can read, is known before a page is set,
and something drawn takes its place.
"""

import logging
from base64 import b64encode
from functools import lru_cache
from io import BytesIO

from django.core.files.storage import default_storage
from django.utils.html import format_html
from django.utils.safestring import SafeString
from PIL import Image, ImageOps

from documents.content.pieces import Pictured

PORTRAIT, LITTLE_PORTRAIT, PHOTO = (320, 400), (160, 200), (720, 540)
"""What is cut to one shape, in pixels: nine to a millimetre or more where it is printed largest. Little ones are those
of people of whom a book has hundreds."""
CREST, WHOLE = (400, 400), (1080, 576)
"""What keeps its shape, and is at most so wide and so high: nine to a millimetre as well."""
CUT = (PORTRAIT, LITTLE_PORTRAIT, PHOTO)
FACE = (0.5, 0.35)
"""The middle of what is kept of a picture that is cut: faces stand above its own."""
QUALITY = 82

logger = logging.getLogger(__name__)


def image(picture: Pictured | None, size: tuple[int, int], alternative: str) -> SafeString:
    """The picture in one of the sizes, as markup with this alternative text; "" without one that can be read."""
    if picture is None:
        return SafeString()
    try:
        return format_html('<img src="{}" alt="{}">', _address(picture, size), alternative)
    except (OSError, SyntaxError, ValueError) as error:
        logger.warning("A picture cannot be printed: %s", error, extra={"file": picture.file})
        return SafeString()


@lru_cache(maxsize=8)
def _address(picture: Pictured, size: tuple[int, int]) -> str:
    """The same crest stands on every card of a roster. Raises what a file raises that is gone or no picture."""
    with default_storage.open(picture.file, "rb") as file, Image.open(file) as found:
        clear = "A" in found.getbands()
        drawn = found.convert("RGBA" if clear else "RGB")
    if size in CUT:
        drawn = ImageOps.fit(drawn, size, Image.Resampling.LANCZOS, centering=FACE)
    else:
        drawn.thumbnail(size, Image.Resampling.LANCZOS)
    written, kind = BytesIO(), "PNG" if clear else "JPEG"
    drawn.save(written, kind, optimize=True, quality=QUALITY)
    return f"data:image/{kind.lower()};base64,{b64encode(written.getvalue()).decode()}"
