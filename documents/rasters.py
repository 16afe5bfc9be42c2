"""Draw a laid-out page as a PNG, for documents that are pictures."""

from io import BytesIO

import pypdfium2
from PIL.PngImagePlugin import PngInfo

PIXELS_A_POINT = 96 / 72
"""The printer's pixels in a point: style sheets of pictures measure in these pixels."""


def png_of(pdf: bytes, *, title: str, description: str) -> bytes:
    """Return the first page of a PDF as a PNG. The same arguments make the same bytes.

    ``title`` and ``description`` become its metadata, for readers who do not see it.
    """
    words = PngInfo()
    words.add_itxt("Title", title)
    words.add_itxt("Description", description)
    with pypdfium2.PdfDocument(pdf) as document:
        drawn = document[0].render(scale=PIXELS_A_POINT).to_pil()
    written = BytesIO()
    drawn.convert("RGB").save(written, "PNG", optimize=True, pnginfo=words)
    return written.getvalue()
