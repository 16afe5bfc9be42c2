"""Bars and strips: what each side scored, and what became of its people."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from drawings.canvas import INK, PAPER, QUIET, RED, RULE, Canvas, Drawing, path, shortened, text_width
from drawings.marks import as_number, hatching

Standing = Literal["well", "hurt", "out", "dead", "gone", "away"]
"""How somebody left the field: whole, hurt, carried off, dead, or gone without a scratch (fled, captured); or was not
there at all."""


@dataclass(frozen=True)
class Bar:
    """A side's name, colour, score and what stands behind the score, such as "won"."""

    name: str
    colour: str
    value: float
    note: str = ""


def score_bars(bars: Sequence[Bar], alternative: str, *, width: float = 480) -> Drawing:
    """One bar a side, as long as its score, hatched by its colour. A score below nought has no bar, but its figure."""
    names = min(max((text_width(bar.name, 11.5) for bar in bars), default=0) + 12, width * 0.4)
    most = max([*(bar.value for bar in bars), 1])
    notes = max((text_width(f"{as_number(bar.value)}  {bar.note}", 11) for bar in bars), default=0) + 12
    canvas = Canvas(width, 26 * len(bars) + 4, alternative)
    room = width - names - notes
    for place, bar in enumerate(bars):
        y = 26 * place + 3
        canvas.write(shortened(bar.name, 11.5, names - 12), names - 10, y + 14, 11.5, text_anchor="end")
        long = max(room * bar.value / most, 0)
        if long:
            box = {"x": names, "y": y + 1, "width": long, "height": 18}
            canvas.draw("rect", fill=bar.colour, **box)
            canvas.draw(
                "rect", fill=hatching(canvas, bar.colour, ink=PAPER) or "none", stroke=INK, stroke_width=0.6, **box
            )
        canvas.write(as_number(bar.value), names + long + 7, y + 14, 12, font_weight=700)
        after = names + long + 11 + text_width(as_number(bar.value), 12)
        canvas.write(bar.note, after, y + 14, 11, fill=QUIET)
    canvas.draw("path", d=path((names, 0), (names, canvas.height)), stroke=INK, stroke_width=0.8)
    return canvas.finish()


def casualty_strip(standings: Sequence[Standing], colour: str, alternative: str, *, width: float = 240) -> Drawing:
    """A mark for each of a side's people, or of somebody's battles: filled if whole, half if hurt, open if carried off,
    a cross if dead, a dot for whoever was away."""
    step = min(13.0, width / max(len(standings), 1))
    canvas = Canvas(max(step * len(standings), 1), 17, alternative)
    for place, standing in enumerate(standings):
        _draw_standing(canvas, standing, step * (place + 0.5), min(4.6, step * 0.38), colour)
    return canvas.finish()


def _draw_standing(canvas: Canvas, standing: Standing, x: float, radius: float, colour: str) -> None:
    edge = {"stroke": INK, "stroke_width": 0.7}
    if standing == "dead":
        cross = path((x - radius, 7), (x + radius, 7)) + path((x, 2), (x, 15))
        canvas.draw("path", d=cross, stroke=RED, stroke_width=1.6)
        return
    if standing == "away":
        canvas.draw("circle", cx=x, cy=8.5, r=1, fill=QUIET)
        return
    canvas.draw("circle", cx=x, cy=8.5, r=radius, fill=colour if standing == "well" else PAPER, **edge)
    if standing == "hurt":
        half = f"M{x - radius:.2f} 8.5A{radius:.2f} {radius:.2f} 0 0 0 {x + radius:.2f} 8.5Z"
        canvas.draw("path", d=half, fill=colour, **edge)
    if standing == "gone":
        canvas.draw("path", d=path((x - radius, 8.5), (x + radius, 8.5)), stroke=QUIET, stroke_width=0.8)


def casualty_track(
    count: int, strokes: Sequence[int], alternative: str, *, words: Sequence[str] = (), width: float = 300
) -> Drawing:
    """So many boxes to be ticked off, with a stroke after each number in ``strokes`` (counted from 1).

    ``words`` are written into the boxes, for a pen to go over them.
    """
    step = min(15.0, (width - 4) / max(count, 1))
    canvas = Canvas(step * count + 4, 22, alternative)
    side = step - 3
    for place in range(count):
        box = {"x": 2 + step * place + 1, "y": 5, "width": side, "height": min(side, 12)}
        canvas.draw("rect", fill=PAPER, stroke=INK, stroke_width=0.7, **box)
        if place < len(words) and words[place]:
            canvas.write(words[place], 3 + step * place + side / 2, 13.8, 8, fill=QUIET, text_anchor="middle")
    for stroke in strokes:
        x = 2 + step * stroke - 0.5
        canvas.draw("path", d=path((x, 1), (x, 21)), stroke=RED, stroke_width=1.4)
    if not count:
        canvas.draw("path", d=path((0, 11), (4, 11)), stroke=RULE)
    return canvas.finish()
