"""The course of a battle: the hits that each side took, turn by turn."""

from collections.abc import Sequence
from dataclasses import dataclass

from drawings.canvas import (
    INK,
    PAPER,
    QUIET,
    RULE,
    Canvas,
    Drawing,
    in_two_lines,
    path,
    text_width,
)

NAMES, SIZE = 0.26, 11.5
"""The most of the width that the names of the sides take, and the size of their letters."""
FOOT, MARK, BETWEEN, ABOVE = 17, 16, 3, 12
"""The height of the line with the turns, the greatest size of a mark and the space between two of
them, and the space above the highest mark of a side."""


@dataclass(frozen=True)
class SideHits:
    """A side's name and colour, and for each turn its fighters who were hurt and killed."""

    name: str
    colour: str
    turns: Sequence[tuple[int, int]]


def useful_height(sides: Sequence[Sequence[tuple[int, int]]]) -> float:
    """Return the height in which the marks of sides, by turn, have their greatest size.

    A higher chart would only pull its rows apart.
    """
    most = max((sum(turn) for turns in sides for turn in turns), default=0)
    return FOOT + len(sides) * (most * (MARK + BETWEEN) + ABOVE)


def hits_by_turn(
    sides: Sequence[SideHits], alternative: str, *, width: float = 480, height: float = 110
) -> Drawing:
    """Return a row for each side, with a mark for each hit above its turn.

    Marks of killed fighters are filled, all others are open.
    """
    canvas = Canvas(width, height, alternative)
    turns = max((len(side.turns) for side in sides), default=0)
    names = max((text_width(side.name, SIZE) for side in sides), default=0) * 1.12 + 16
    left = min(names, width * NAMES)
    step = (width - left) / max(turns, 1)
    row = (height - FOOT) / max(len(sides), 1)
    most = max((sum(turn) for side in sides for turn in side.turns), default=1) or 1
    pitch = min(MARK + BETWEEN, (row - 6) / most, step - 2)
    size = pitch * MARK / (MARK + BETWEEN)
    for place, side in enumerate(sides):
        base = row * (place + 1)
        canvas.draw("path", d=path((left, base), (width, base)), stroke=RULE, stroke_width=0.8)
        label = in_two_lines(side.name, SIZE, left - 14)
        for above, line in enumerate(reversed(label)):
            canvas.write(line, left - 10, base - 4 - above * SIZE, SIZE, text_anchor="end")
        for turn, (hurt, killed) in enumerate(side.turns):
            middle = left + step * (turn + 0.5)
            for above in range(hurt + killed):
                box = {"x": middle - size / 2, "y": base - 2 - pitch * above - size}
                fill = side.colour if above < killed else PAPER
                look = {"fill": fill, "stroke": INK, "stroke_width": 0.7}
                canvas.draw("rect", width=size, height=size, **box, **look)
    for turn in range(turns):
        middle = left + step * (turn + 0.5)
        canvas.write(str(turn + 1), middle, height - 4, 10, fill=QUIET, text_anchor="middle")
    return canvas.finish()
