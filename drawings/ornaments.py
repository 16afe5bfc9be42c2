"""Ornaments of result cards and certificates: crossed swords and a seal of wax."""

import math

from drawings.canvas import PAPER, RED, Canvas, Drawing, number
from drawings.crests import charge_of
from drawings.marks import mixed
from drawings.shapes import CHARGES

LOBES = 22
"""The number of waves on the edge of a seal."""


def crossed_swords(colour: str = RED, *, width: float = 100) -> Drawing:
    """Return two crossed swords without a text alternative, as an ornament."""
    canvas = Canvas(width, width, "")
    canvas.root.set("viewBox", "0 0 100 100")
    for turn in (45, -45):
        canvas.draw(
            "path",
            d=CHARGES["sword"],
            fill=colour,
            stroke=PAPER,
            stroke_width=3,
            transform=f"rotate({turn} 50 50)",
        )
    return canvas.finish()


def seal(name: str, alternative: str, *, width: float = 100) -> Drawing:
    """Return a seal of red wax with the charge of a club's name, which is that of its arms."""
    canvas = Canvas(width, width, alternative)
    canvas.root.set("viewBox", "0 0 100 100")
    light, dark = mixed(RED, "#ffffff", 0.2), mixed(RED, "#000000", 0.3)
    canvas.draw("path", d=_edge(47), fill=RED)
    canvas.draw("circle", cx=50, cy=50, r=37, fill=light)
    canvas.draw("circle", cx=50, cy=50, r=35.4, fill=RED, stroke=dark, stroke_width=0.8)
    canvas.draw("circle", cx=50, cy=50, r=31, fill="none", stroke=light, stroke_width=0.8)
    place = "translate({0} {0}) scale({1})"
    for shift, paint in ((31.6, dark), (31, mixed(RED, "#ffffff", 0.75))):
        canvas.draw(
            "path",
            d=CHARGES[charge_of(name)],
            fill=paint,
            transform=place.format(number(shift), "0.38"),
        )
    return canvas.finish()


def _edge(radius: float) -> str:
    """Return the outline of a disc with a wavy edge around the middle."""
    points = []
    for step in range(LOBES):
        low, high = (2 * math.pi * (step + share) / LOBES for share in (0.5, 1.0))
        bulge = _point(radius * 1.06, low)
        points.append(f"Q{bulge} {_point(radius * 0.96, high)}")
    return f"M{_point(radius * 0.96, 0)}{''.join(points)}Z"


def _point(radius: float, angle: float) -> str:
    x, y = 50 + radius * math.cos(angle), 50 + radius * math.sin(angle)
    return f"{number(x)} {number(y)}"
