"""Marks that distinguish the rows of a chart without colour: strokes, markers and hatchings."""

import math
from xml.etree.ElementTree import Element

from drawings.canvas import INK, PAPER, Canvas, number, path

DASHES = ("", "6 3", "1.5 3", "9 3 1.5 3", "12 4", "4 2 1 2 1 2")
CORNERS = ((4, 45), (3, 0), (4, 0), (3, 180), (6, 0), (5, 0))
"""The markers after the circle: polygons, by the number of corners and the rotation in degrees."""
HATCHINGS = {
    "gules": ((4, "M0 0V4"),),
    "azure": ((4, "M0 0H4"),),
    "vert": ((4, "M0 0L4 4M-1 3L1 5M3 -1L5 1"),),
    "purpure": ((4, "M4 0L0 4M5 3L3 5M1 -1L-1 1"),),
    "sable": ((4, "M0 0H4M0 0V4"),),
    "tenny": ((4, "M4 0L0 4M5 3L3 5M1 -1L-1 1M0 2H4"),),
    "or": ((5, "M1 1h.01M3.5 3.5h.01"),),
    "argent": (),
}
"""Petra Sancta's hatchings of 1638 for tinctures in black and white: tile size and strokes."""


def dashes(place: int) -> str | None:
    """Return the ``stroke-dasharray`` of the row at this place (from 0)."""
    return DASHES[place % len(DASHES)] or None


def marker(
    canvas: Canvas, place: int, x: float, y: float, colour: str, *, radius: float = 3.6
) -> Element:
    """Draw the marker of the row at this place (from 0), around a point, and return it."""
    look = {"fill": colour, "stroke": PAPER, "stroke_width": 1, "data_row": place}
    shape = place % (len(CORNERS) + 1)
    if shape == 0:
        return canvas.draw("circle", cx=x, cy=y, r=radius, **look)
    corners, turned = CORNERS[shape - 1]
    around = [math.radians(turned - 90 + 360 * corner / corners) for corner in range(corners)]
    reach = radius * (1.3 if corners < 5 else 1.15)
    points = [(x + reach * math.cos(angle), y + reach * math.sin(angle)) for angle in around]
    return canvas.draw("path", d=path(*points, closed=True), **look)


def tincture(colour: str) -> str:
    """Return the heraldic name of the tincture that is nearest to a colour such as #7a2e2e."""
    red, green, blue = channels(colour)
    high, low = max(red, green, blue), min(red, green, blue)
    if high - low < 0.13 * max(high, 0.2):
        return "argent" if high > 0.6 else "sable"
    hue = {red: (green - blue) / (high - low) % 6, green: (blue - red) / (high - low) + 2}.get(
        high, (red - green) / (high - low) + 4
    )
    named = (
        (0.35, "gules"),
        (0.6, "tenny"),
        (1.2, "or"),
        (2.9, "vert"),
        (4.2, "azure"),
        (5.4, "purpure"),
        (6, "gules"),
    )
    return next(name for end, name in named if hue <= end)


def hatching(canvas: Canvas, colour: str, *, ink: str = INK) -> str | None:
    """Return the paint (``url(#...)``) of a colour's hatching, which is added to the canvas.

    Return None for silver, which has no hatching.
    """
    name = tincture(colour)
    if not HATCHINGS[name]:
        return None
    ((tile, strokes),) = HATCHINGS[name]
    key = f"hatching-{name}-{ink.lstrip('#')}"
    if not any(element.get("id") == key for element in canvas.root.iter("pattern")):
        size = {"width": tile, "height": tile, "patternUnits": "userSpaceOnUse"}
        pattern = canvas.draw("pattern", "", canvas.draw("defs"), id=key, **size)
        canvas.draw(
            "path",
            "",
            pattern,
            d=strokes,
            stroke=ink,
            stroke_width=0.55,
            fill="none",
            stroke_linecap="round",
        )
    return f"url(#{key})"


def channels(colour: str) -> tuple[float, float, float]:
    """Return red, green and blue of a colour such as #7a2e2e, from 0 to 1.

    Raises ValueError for another notation.
    """
    if len(colour) != 7 or not colour.startswith("#"):
        raise ValueError(f"{colour!r} is not a colour. Example: #7a2e2e")
    red, green, blue = bytes.fromhex(colour[1:])
    return red / 255, green / 255, blue / 255


def luminance(colour: str) -> float:
    """Return the relative luminance by WCAG 2.2, from 0 (black) to 1 (white)."""
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        for part in channels(colour)
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def readable_on(colour: str) -> str:
    """Return ink or paper, whichever has the stronger contrast on a colour."""
    behind = luminance(colour)
    return (
        INK
        if (behind + 0.05) / (luminance(INK) + 0.05) >= (luminance(PAPER) + 0.05) / (behind + 0.05)
        else PAPER
    )


def mixed(colour: str, other: str, share: float) -> str:
    """Return a colour mixed with a share (0 to 1) of another one."""
    parts = (
        round(255 * (mine + (its - mine) * share))
        for mine, its in zip(channels(colour), channels(other), strict=True)
    )
    return "#" + "".join(f"{part:02x}" for part in parts)


def as_number(value: float) -> str:
    """Return a number as on an axis, with a true minus: "3", "−3", "3½"."""
    whole, half = divmod(abs(value), 1)
    text = f"{int(whole) or ''}½" if half == 0.5 else number(abs(value))
    return f"−{text}" if value < 0 else text
