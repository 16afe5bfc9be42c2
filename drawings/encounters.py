"""A graph of meetings: a lane for each warband, a line across for each battle."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from drawings.canvas import INK, PAPER, QUIET, RULE, Canvas, Drawing, path, shortened, text_width
from drawings.grids import NAME, Player

LANE, HEAD, STEP, NARROWEST, BETWEEN = 28, 34, 46, 15, 14
"""The heights of a lane and of the numbers and days above all lanes, the usual and the least width
of a battle, and the space between two rows of battles."""
RADIUS = 5.2
NAMES = 0.4
"""The most of the width that names take."""


@dataclass(frozen=True)
class Encounter:
    """A battle: its number, its day as text, the lanes that met, and those that won."""

    number: int
    day: str
    lanes: tuple[int, ...]
    won: tuple[int, ...] = ()


def encounter_graph(
    players: Sequence[Player],
    encounters: Sequence[Encounter],
    alternative: str,
    *,
    width: float = 480,
) -> Drawing:
    """Return the battles from left to right, each as a line between the lanes of its warbands.

    Who won has a filled dot, others an open one. Many battles take several rows, each with all
    lanes. The number of a battle is above it, its day above the first battle of the day.
    """
    longest = max((text_width(each.name, NAME) for each in players), default=0)
    names = min(longest, width * NAMES) + 13
    room = width - names - 10
    across = max(int(room / NARROWEST), 1)
    rows = max(math.ceil(len(encounters) / across), 1)
    across = math.ceil(len(encounters) / rows) or 1
    tall = HEAD + LANE * len(players)
    canvas = Canvas(width, rows * tall + (rows - 1) * BETWEEN + 2, alternative)
    step = min(STEP, room / across)
    for row in range(rows):
        top = row * (tall + BETWEEN) + HEAD
        shown = encounters[row * across : (row + 1) * across]
        _draw_lanes(canvas, players, (names, top), step * len(shown))
        _draw_days(canvas, shown, (names, top), step)
        for place, encounter in enumerate(shown):
            x = names + step * (place + 0.5)
            _draw_encounter(canvas, players, encounter, x, top)
    return canvas.finish()


def _draw_lanes(
    canvas: Canvas, players: Sequence[Player], corner: tuple[float, float], long: float
) -> None:
    left, top = corner
    for lane, player in enumerate(players):
        y = _height(top, lane)
        canvas.write(shortened(player.name, NAME, left - 12), 0, y + 3.8, NAME)
        canvas.draw("path", d=path((left, y), (left + long, y)), stroke=RULE, stroke_width=1)


def _draw_days(
    canvas: Canvas, shown: Sequence[Encounter], corner: tuple[float, float], step: float
) -> None:
    """Write each day above its first battle, if there is room behind the day before."""
    left, top = corner
    free = 0.0
    for place, encounter in enumerate(shown):
        if place and shown[place - 1].day == encounter.day:
            continue
        x = left + step * place + 2
        if place:
            canvas.draw("path", d=path((x - 2, top - 28), (x - 2, top - 4)), stroke=RULE)
        if x >= free:
            canvas.write(encounter.day, x, top - 20, 9, fill=QUIET)
            free = x + text_width(encounter.day, 9) + 4


def _draw_encounter(
    canvas: Canvas, players: Sequence[Player], encounter: Encounter, x: float, top: float
) -> None:
    canvas.write(str(encounter.number), x, top - 6, 9.5, text_anchor="middle")
    heights = [_height(top, lane) for lane in encounter.lanes]
    if len(heights) > 1:
        canvas.draw(
            "path", d=path((x, min(heights)), (x, max(heights))), stroke=INK, stroke_width=1
        )
    for lane, y in zip(encounter.lanes, heights, strict=True):
        colour = players[lane].colour
        fill = colour if lane in encounter.won else PAPER
        canvas.draw("circle", cx=x, cy=y, r=RADIUS, fill=fill, stroke=colour, stroke_width=1.6)


def _height(top: float, lane: int) -> float:
    return top + LANE * (lane + 0.5)
