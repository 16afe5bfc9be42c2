"""Strips and tracks: how fighters left the field, and boxes to tick."""

from collections.abc import Iterable, Sequence
from typing import Literal

from drawings.canvas import (
    INK,
    PAPER,
    QUIET,
    RED,
    RULE,
    Canvas,
    Drawing,
    path,
)

BarMark = Literal["well", "hurt", "out", "dead", "gone", "away"]
"""The state in which a fighter left the field.

They were unharmed ("well"), hurt, carried off ("out"), dead, gone without harm (routed or
captured), or did not take part ("away").
"""


def casualty_strip(
    standings: Sequence[BarMark],
    colour: str,
    alternative: str,
    *,
    risen: Sequence[int] = (),
    width: float = 240,
) -> Drawing:
    """Return a strip with a mark for each fighter of a side, or for each battle of a fighter.

    The mark is filled if unharmed, half filled if hurt, open if carried off, open with a dash if
    gone, a cross if dead, and a dot if away. ``risen`` has for each rank-up the number of marks
    before it: it is a small triangle above the gap.
    """
    step = min(13.0, width / max(len(standings), 1))
    edges = 3 if risen else 0
    canvas = Canvas(max(step * len(standings) + edges, 1), 17, alternative)
    if risen:
        peaks = "".join(
            path((x - 3, 5.2), (x, 0), (x + 3, 5.2), closed=True)
            for x in (min(max(step * place, 3), canvas.width - 3) for place in sorted({*risen}))
        )
        canvas.draw("path", d=peaks, fill=INK)
    radius, middle, edge = min(4.6, step * 0.38), 8.5, {"stroke": INK, "stroke_width": 0.7}
    places: dict[BarMark, list[float]] = {}
    for place, standing in enumerate(standings):
        places.setdefault(standing, []).append(step * (place + 0.5))
    for standing, middles in places.items():
        if standing == "dead":
            crosses = "".join(
                path((x - radius, 7), (x + radius, 7)) + path((x, 2), (x, 15)) for x in middles
            )
            canvas.draw("path", d=crosses, stroke=RED, stroke_width=1.6)
        elif standing == "away":
            canvas.draw("path", d=_discs(middles, middle, 1), fill=QUIET)
        else:
            filled = colour if standing == "well" else PAPER
            canvas.draw("path", d=_discs(middles, middle, radius), fill=filled, **edge)
        if standing == "hurt":
            canvas.draw(
                "path",
                d="".join(_half(x, middle, radius) + "Z" for x in middles),
                fill=colour,
                **edge,
            )
        if standing == "gone":
            dashes = "".join(path((x - radius, middle), (x + radius, middle)) for x in middles)
            canvas.draw("path", d=dashes, stroke=QUIET, stroke_width=0.8)
    return canvas.finish()


def _discs(middles: Iterable[float], y: float, radius: float) -> str:
    """Return the ``d`` of discs next to each other, as one element for all of them."""
    return "".join(
        f"{_half(x, y, radius)}A{radius:.2f} {radius:.2f} 0 0 0 {x - radius:.2f} {y}Z"
        for x in middles
    )


def _half(x: float, y: float, radius: float) -> str:
    """Return the lower half of a disc, from its left to its right."""
    return f"M{x - radius:.2f} {y}A{radius:.2f} {radius:.2f} 0 0 0 {x + radius:.2f} {y}"


def casualty_track(
    count: int,
    strokes: Sequence[int],
    alternative: str,
    *,
    words: Sequence[str] = (),
    width: float = 300,
) -> Drawing:
    """Return boxes to tick, with a stroke after each number in ``strokes`` (counted from 1).

    ``words`` are written into the boxes.
    """
    step = min(15.0, (width - 4) / max(count, 1))
    canvas = Canvas(step * count + 4, 22, alternative)
    side = step - 3
    for place in range(count):
        box = {"x": 2 + step * place + 1, "y": 5, "width": side, "height": min(side, 12)}
        canvas.draw("rect", fill=PAPER, stroke=INK, stroke_width=0.7, **box)
        if place < len(words) and words[place]:
            canvas.write(
                words[place], 3 + step * place + side / 2, 14.4, 9.6, fill=INK, text_anchor="middle"
            )
    for stroke in strokes:
        x = 2 + step * stroke - 0.5
        canvas.draw("path", d=path((x, 1), (x, 21)), stroke=RED, stroke_width=1.4)
    if not count:
        canvas.draw("path", d=path((0, 11), (4, 11)), stroke=RULE)
    return canvas.finish()
