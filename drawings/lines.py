"""Lines over time: positions in the standings, points, strength, and a fighter's experience."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from drawings.canvas import INK, QUIET, RED, RULE, Canvas, Drawing, path, shortened, text_width
from drawings.marks import as_number, dashes, marker

LABEL = 11
LINE = 14
"""The size of the names at the ends of lines, and the least distance between them."""


@dataclass(frozen=True)
class Series:
    """One line: its name, its colour, and a value for each moment.

    A value is None before the line begins and after it ends.
    """

    name: str
    colour: str
    values: tuple[float | None, ...]


def line_chart(
    series: Sequence[Series],
    moments: Sequence[str],
    alternative: str,
    *,
    best_is_lowest: bool = False,
    width: float = 480,
    height: float | None = None,
) -> Drawing:
    """Return a chart of several lines over the same moments, with names at their ends.

    ``best_is_lowest`` is for positions in a table, with the first on top. All other charts include
    0, so that a small fall does not look like ruin. Lines differ in colour, stroke and marker.
    Names that would overlap are moved apart. Elements of a line have its place in the attribute
    ``data-row``, so that a script can highlight them. Raises ValueError if a series does not have
    one value for each moment.
    """
    if any(len(line.values) != len(moments) for line in series):
        raise ValueError("Each series needs one value for each moment")
    height = height or max(150, LINE * len(series) + 56)
    canvas = Canvas(width, height, alternative)
    ticks = _places(series) if best_is_lowest else _round_values(series)
    names = min(
        max((text_width(line.name, LABEL) for line in series), default=0) + 56, width * 0.42
    )
    frame = _Frame(34, 14, width - names - 34, height - 46, len(moments), ticks, best_is_lowest)
    _draw_axes(canvas, frame, moments)
    for place, line in enumerate(series):
        _draw_line(canvas, frame, line, place)
    _name_lines(canvas, frame, series)
    return canvas.finish()


def sparkline(
    values: Sequence[float],
    alternative: str,
    *,
    marks: Sequence[int] = (),
    width: float = 120,
    height: float = 24,
) -> Drawing:
    """Return one small line without axes, with its last value as a dot.

    ``marks`` are the moments (from 0) with a stroke.
    """
    canvas = Canvas(width, height, alternative)
    low, high = min([*values, 0]), max([*values, 1])
    step = (width - 8) / max(len(values) - 1, 1)
    points = [
        (4 + step * moment, height - 4 - (height - 8) * (value - low) / (high - low))
        for moment, value in enumerate(values)
    ]
    canvas.draw(
        "path", d=path((2, height - 3), (width - 2, height - 3)), stroke=RULE, stroke_width=0.6
    )
    for moment in marks:
        x = points[moment][0]
        canvas.draw("path", d=path((x, 2), (x, height - 3)), stroke=RED, stroke_width=0.8)
    if len(points) > 1:
        canvas.draw(
            "path",
            d=path(*points),
            fill="none",
            stroke=INK,
            stroke_width=1.2,
            stroke_linejoin="round",
        )
    for x, y in points[-1:]:
        canvas.draw("circle", cx=x, cy=y, r=2.4, fill=RED)
    return canvas.finish()


@dataclass(frozen=True)
class _Frame:
    """The area of the lines: its upper left corner, its size, and the values at its edges."""

    left: float
    top: float
    width: float
    height: float
    moments: int
    ticks: tuple[float, ...]
    best_is_lowest: bool

    def x(self, moment: int) -> float:
        inset = 8.0
        return (
            self.left
            + inset
            + (self.width - 2 * inset) * (moment / (self.moments - 1) if self.moments > 1 else 0.5)
        )

    def y(self, value: float) -> float:
        low, high = self.ticks[0], self.ticks[-1]
        share = (value - low) / (high - low) if high > low else 0.5
        return self.top + self.height * (share if self.best_is_lowest else 1 - share)


def _values(series: Sequence[Series]) -> list[float]:
    return [value for line in series for value in line.values if value is not None]


def _places(series: Sequence[Series]) -> tuple[float, ...]:
    """Return one line across for each position of a table."""
    return tuple(range(1, int(max(_values(series), default=1)) + 1))


def _round_values(series: Sequence[Series]) -> tuple[float, ...]:
    """Return about five round values that cover 0 and all values.

    They are whole numbers: all charts count something.
    """
    values = [0.0, *_values(series)]
    low, high = min(values), max(values)
    rough = max(high - low, 1) / 4
    power = 10 ** math.floor(math.log10(rough))
    steps = (nice * power for nice in (1, 2, 2.5, 5, 10))
    step = max(1, next(step for step in steps if step >= rough and float(step).is_integer()))
    first, last = math.floor(low / step), math.ceil(high / step)
    return tuple(step * tick for tick in range(first, max(last, first + 1) + 1))


def _draw_axes(canvas: Canvas, frame: _Frame, moments: Sequence[str]) -> None:
    for tick in frame.ticks:
        y = frame.y(tick)
        canvas.draw(
            "path",
            d=path((frame.left, y), (frame.left + frame.width, y)),
            stroke=RULE,
            stroke_width=0.6,
        )
        canvas.write(as_number(tick), frame.left - 7, y + 3.5, 9.5, fill=QUIET, text_anchor="end")
    widest = max((text_width(moment, 9.5) for moment in moments), default=0) + 10
    step = (frame.x(1) - frame.x(0)) if len(moments) > 1 else frame.width
    every = max(1, math.ceil(widest / step))
    for moment in range(0, len(moments), every):
        canvas.write(
            moments[moment],
            frame.x(moment),
            canvas.height - 10,
            9.5,
            fill=QUIET,
            text_anchor="middle",
        )


def _draw_line(canvas: Canvas, frame: _Frame, line: Series, place: int) -> None:
    points = [
        (frame.x(moment), frame.y(value))
        for moment, value in enumerate(line.values)
        if value is not None
    ]
    look = {"stroke_linejoin": "round", "stroke_linecap": "butt" if dashes(place) else "round"}
    if len(points) > 1:
        canvas.draw(
            "path",
            d=path(*points),
            fill="none",
            stroke=line.colour,
            stroke_width=2.2,
            stroke_dasharray=dashes(place),
            data_row=place,
            **look,
        )
    crowded = len(points) > 24
    for x, y in points[-1:] if crowded else points:
        marker(canvas, place, x, y, line.colour)


def _name_lines(canvas: Canvas, frame: _Frame, series: Sequence[Series]) -> None:
    """Draw the name and last value of each line on the right, as level with its end as possible."""
    last = {
        line: next((value for value in reversed(line.values) if value is not None), None)
        for line in series
    }
    named = sorted(
        (frame.y(value), place)
        for place, line in enumerate(series)
        if (value := last[line]) is not None
    )
    heights = _apart([y for y, _ in named], frame.top, frame.top + frame.height)
    x = frame.left + frame.width + 12
    for (end, place), y in zip(named, heights, strict=True):
        line = series[place]
        if abs(end - y) > 2:
            canvas.draw("path", d=path((x - 10, end), (x - 3, y)), stroke=RULE, stroke_width=0.8)
        marker(canvas, place, x + 3, y, line.colour)
        total = _cell(last[line])
        canvas.write(total, x + 12, y + 3.8, LABEL, font_weight=700, data_row=place)
        start = x + 18 + text_width(total, LABEL)
        canvas.write(
            shortened(line.name, LABEL, canvas.width - start), start, y + 3.8, LABEL, data_row=place
        )


def _apart(heights: Sequence[float], top: float, bottom: float) -> list[float]:
    """Return the nearest heights that are at least a line apart, in the same order.

    They extend beyond the bottom if there are too many.
    """
    placed: list[float] = []
    for y in heights:
        placed.append(max(y, placed[-1] + LINE) if placed else y)
    over = max(0.0, placed[-1] - bottom) if placed else 0.0
    for place in reversed(range(len(placed))):
        limit = bottom if place == len(placed) - 1 else placed[place + 1] - LINE
        placed[place] = min(placed[place], limit) if over else placed[place]
    lift = max(0.0, top - placed[0]) if placed else 0.0
    return [y + lift for y in placed]


def _cell(value: float | None) -> str:
    return "" if value is None else as_number(value)
