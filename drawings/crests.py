"""Coats of arms for warbands and clubs that have no picture, blazoned from a name: the same name
bears the same arms.

The field is divided and charged as heralds do it, in the warband's colour and a metal; a tincture
never lies on one of its own sort. The charge follows from the faction, so that companies of one
land bear the same beast or blade.
"""

import hashlib
from functools import lru_cache

from drawings.canvas import INK, Canvas, Drawing, number
from drawings.marks import hatching, luminance, mixed, tincture
from drawings.shapes import CHARGES, FIELDS, SHIELD

OR, ARGENT = "#e3c878", "#f4efe2"
FIELD_COLOURS = ("#7a2e2e", "#2e4a7a", "#3f6b3a", "#5b3a75", "#1f6f6f", "#a0522d", "#4a4a4a")
"""What the arms of somebody without a colour of its own are painted in."""
FOUND_IN_THE_MIDDLE = frozenset(
    {"plain", "bordure", "per pale", "per fess", "per bend", "per bend sinister", "quarterly"}
)
"""Fields on which one large charge is borne; on the others a smaller one stands in the chief or the
fess point."""


ORDINARIES = frozenset({"chief", "pale", "fess", "bend"})
"""What bears the charge itself."""
PLACES: dict[str, tuple[float, float, float]] = {
    "chief": (50, 20, 25),
    "fess": (50, 57, 32),
    "bend": (50, 55, 34),
    "chevron": (50, 30, 34),
}
"""Where a charge stands, if not in the middle, and how wide it is."""


@lru_cache(maxsize=256)
def crest(
    name: str,
    colour: str,
    alternative: str,
    *,
    faction: str = "",
    width: float = 60,
    engraved: bool = False,
    mark: str = "",
) -> Drawing:
    """The arms of a name in a colour such as #7a2e2e. ``mark`` tells its ids from those of others
    on the same page.

    ``engraved`` draws tinctures by Petra Sancta's hatchings instead, for black and white. Raises
    ValueError for a colour that is written another way.
    """
    tokens = hashlib.sha256(name.casefold().encode()).digest()
    division = list(FIELDS)[tokens[0] % len(FIELDS)]
    metal = _against(colour, tokens[1])
    field, over = (colour, metal) if tokens[2] % 2 else (metal, colour)
    charge = list(CHARGES)[
        hashlib.sha256((faction or name).casefold().encode()).digest()[0] % len(CHARGES)
    ]
    canvas = Canvas(width, width * 1.2, alternative)
    canvas.root.set("viewBox", "0 0 100 120")
    canvas.draw("path", "", canvas.draw("clipPath", id=f"shield{mark}"), d=SHIELD)
    shield = canvas.draw("g", clip_path=f"url(#shield{mark})")
    for paint, shape in ((field, SHIELD), (over, FIELDS[division])):
        if shape:
            canvas.draw(
                "path", "", shield, d=shape, fill=ARGENT if engraved else paint, fill_rule="evenodd"
            )
            if engraved and (lines := hatching(canvas, paint)):
                canvas.draw("path", "", shield, d=shape, fill=lines, fill_rule="evenodd")
            canvas.draw("path", "", shield, d=shape, fill="none", stroke=INK, stroke_width=1)
    _charge(canvas, charge, division, (field, over), engraved)
    canvas.draw("path", d=SHIELD, fill="none", stroke=INK, stroke_width=3, stroke_linejoin="round")
    return canvas.finish()


def colour_of(name: str) -> str:
    """The colour of somebody who has chosen none: the same name always gets the same."""
    return FIELD_COLOURS[hashlib.sha256(name.casefold().encode()).digest()[3] % len(FIELD_COLOURS)]


def _against(colour: str, token: int) -> str:
    """What can be told from the colour: gold or silver on a dark one, silver on a golden one, a
    dark one on a light."""
    if luminance(colour) >= 0.45:
        return mixed(colour, INK, 0.75)
    return ARGENT if tincture(colour) in ("or", "tenny") else (OR, ARGENT)[token % 2]


def _charge(
    canvas: Canvas, charge: str, division: str, paints: tuple[str, str], engraved: bool
) -> None:
    """The charge in the middle of the shield, or where an ordinary bears it, in the tincture that
    it is not laid on.

    A divided field has no one tincture to lay it on: there it stands on a roundel.
    """
    field, over = paints
    x, y, size = PLACES.get(
        division, (50.0, 54.0, 62.0 if division in FOUND_IN_THE_MIDDLE else 46.0)
    )
    paint = field
    if division in ("plain", "bordure", "chevron"):
        paint = over
    elif division not in ORDINARIES:
        size *= 0.84
        roundel = {"cx": x, "cy": y, "r": size * 0.74}
        canvas.draw(
            "circle", fill=ARGENT if engraved else over, stroke=INK, stroke_width=1.4, **roundel
        )
        if engraved and (lines := hatching(canvas, over)):
            canvas.draw("circle", fill=lines, **roundel)
    look = {
        "fill": ARGENT if engraved else paint,
        "stroke": INK,
        "stroke_width": 160 / size,
        "stroke_linejoin": "round",
    }
    where = f"translate({number(x - size / 2)} {number(y - size / 2)}) scale({number(size / 100)})"
    canvas.draw("path", d=CHARGES[charge], transform=where, **look)
