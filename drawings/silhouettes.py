"""Silhouettes for fighters without a portrait: on foot or mounted, with their equipment."""

from collections.abc import Sequence

from drawings.canvas import INK, Canvas, Drawing
from drawings.marks import mixed
from drawings.shapes import BODIES, CARRIED, HATS


def silhouette(
    carried: Sequence[str],
    alternative: str,
    *,
    mounted: bool = False,
    hat: str = "brim",
    colour: str = INK,
    width: float = 60,
) -> Drawing:
    """Return a figure, on foot or mounted, with a hat (of ``HATS``) and equipment (of ``CARRIED``).

    With "cannon" or "hound" in ``carried`` it is a gun or a dog without a person. Unknown equipment
    is left out. The colour, such as a warband's, is darkened so that the figure is visible on
    paper.
    """
    canvas = Canvas(width, width * 1.25, alternative)
    canvas.root.set("viewBox", "-6 -26 132 166")
    ink = INK if colour == INK else mixed(colour, INK, 0.35)
    if "cannon" in carried:
        canvas.draw("path", d=CARRIED["cannon"], fill=ink, fill_rule="evenodd")
        return canvas.finish()
    if "hound" in carried:
        canvas.draw("path", d=BODIES["hound"], fill=ink)
        return canvas.finish()
    body = canvas.draw(
        "g",
        fill=ink,
        transform="translate(2 -14)" if mounted else "translate(12 -7) scale(0.88 1.06)",
    )
    if mounted:
        canvas.draw("path", d=BODIES["horse"], fill=ink, transform="translate(0 4)")
    shapes = [
        BODIES["rider" if mounted else "foot"],
        HATS.get(hat, HATS["brim"]),
        *(CARRIED[thing] for thing in carried if thing in CARRIED),
    ]
    for shape in shapes:
        canvas.draw("path", "", body, d=shape)
    return canvas.finish()
