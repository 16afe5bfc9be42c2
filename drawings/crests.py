"""Coats of arms for warbands and clubs without a picture, made from a seed.

The same seed always has the same arms. A warband's is its id, which renaming and importing keep; a
club's is its name. The field is divided and charged by the rules of heraldry, in the warband's
colour and a metal: colour never lies on colour, nor metal on metal.
"""

import hashlib
from functools import lru_cache

from drawings.canvas import INK, Canvas, Drawing, number
from drawings.marks import hatching, luminance, mixed, tincture
from drawings.shapes import CHARGES, FIELDS, SHIELD

OR, ARGENT = "#e3c878", "#f4efe2"
FIELD_COLOURS = ("#7a2e2e", "#2e4a7a", "#3f6b3a", "#5b3a75", "#1f6f6f", "#a0522d", "#4a4a4a")
"""The field colours of arms for a name without a colour."""
FOUND_IN_THE_MIDDLE = frozenset(
    {"plain", "bordure", "per pale", "per fess", "per bend", "per bend sinister", "quarterly"}
)
"""Fields with one large charge. The others have a smaller one, in the chief or fess point."""


ORDINARIES = frozenset({"chief", "pale", "fess", "bend"})
"""The divisions that are a shape with the charge on it."""
PLACES: dict[str, tuple[float, float, float]] = {
    "chief": (50, 20, 25),
    "fess": (50, 57, 32),
    "bend": (50, 55, 34),
    "chevron": (50, 30, 34),
}
"""The centre and the width of a charge that is not in the middle, by division."""


@lru_cache(maxsize=256)
def crest(
    seed: str,
    colour: str,
    alternative: str,
    *,
    width: float = 60,
    engraved: bool = False,
    mark: str = "",
) -> Drawing:
    """Return the arms of a seed in a colour such as #7a2e2e, by default in one of its own.

    ``mark`` makes the ids of the drawing unique on a page. ``engraved`` draws tinctures as Petra
    Sancta's hatchings, for black and white. Raises ValueError for a colour in another notation.
    """
    division, charge, field, over = blazon(seed, colour or colour_of(seed))
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


def blazon(seed: str, colour: str) -> tuple[str, str, str, str]:
    """Return what can be seen of arms: the division, the charge and the two tinctures.

    Warbands of a campaign never have the same (campaigns/services/enrolments.py).
    """
    tokens = _tokens(seed)
    division = list(FIELDS)[tokens[0] % len(FIELDS)]
    metal = _against(colour, tokens[1])
    field, over = (colour, metal) if tokens[2] % 2 else (metal, colour)
    return division, charge_of(seed), field, over


def charge_of(seed: str) -> str:
    """Return the charge of a seed, always the same one."""
    return list(CHARGES)[_tokens(seed)[4] % len(CHARGES)]


def colour_of(seed: str) -> str:
    """Return a colour for a seed, always the same one for the same seed."""
    return FIELD_COLOURS[_tokens(seed)[3] % len(FIELD_COLOURS)]


def _tokens(seed: str) -> bytes:
    return hashlib.sha256(seed.casefold().encode()).digest()


def _against(colour: str, token: int) -> str:
    """Return a contrasting colour.

    It is gold or silver on a dark colour, silver on gold or orange, and dark on a light colour.
    """
    if luminance(colour) >= 0.45:
        return mixed(colour, INK, 0.75)
    return ARGENT if tincture(colour) in ("or", "tenny") else (OR, ARGENT)[token % 2]


def _charge(
    canvas: Canvas, charge: str, division: str, paints: tuple[str, str], engraved: bool
) -> None:
    """Draw the charge in the middle of the shield, or on its ordinary, in a contrasting tincture.

    A divided field has no single tincture, so its charge is on a roundel.
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
