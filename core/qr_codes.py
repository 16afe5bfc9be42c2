"""QR codes that phones can read in every theme."""

import segno
from django.utils.safestring import SafeString, mark_safe


def qr_code(content: str) -> SafeString:
    """Return a QR code as SVG: black on white, with the 4 modules of margin that scanners need."""
    drawing = segno.make_qr(content, error="m")
    # The drawing has its own white background, because a dark page would show through.
    svg = drawing.svg_inline(
        dark="#000000", light="#ffffff", border=4, omitsize=True, svgclass=None
    )
    return mark_safe(svg)  # noqa: S308 - drawn by the library, of squares alone


def qr_modules(content: str) -> tuple[tuple[bool, ...], ...]:
    """Return the rows of a QR code without its margin: True for a dark square."""
    return tuple(tuple(map(bool, row)) for row in segno.make_qr(content, error="m").matrix)
