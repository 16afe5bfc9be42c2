"""QR codes that phones can read whatever the theme of the page."""

import segno
from django.utils.safestring import SafeString, mark_safe


def qr_code(content: str) -> SafeString:
    """Return a QR code as an SVG drawing: black on white, with the quiet zone of four modules that
    scanners need."""
    drawing = segno.make_qr(content, error="m")
    # The white ground is part of the drawing, since a dark page would show through anything else.
    svg = drawing.svg_inline(
        dark="#000000", light="#ffffff", border=4, omitsize=True, svgclass=None
    )
    return mark_safe(svg)  # noqa: S308 - drawn by the library, of squares alone
