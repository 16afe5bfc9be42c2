"""Grids of results between warbands, and arcs from killers to victims."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from drawings.canvas import INK, PAPER, QUIET, RULE, Canvas, Drawing, path, shortened, text_width
from drawings.marks import marker, mixed, readable_on

NAME, CELL, KEYS = 11, 30, 18
"""The size of a name, of a cell, and of a line with the meaning of markers."""


@dataclass(frozen=True)
class Player:
    """A row and a column of a grid: a name and a colour such as #7a2e2e."""

    name: str
    colour: str


@dataclass(frozen=True)
class Cell:
    """The text of a cell, and how good it is for its row, from -1 to 1; None for no colour."""

    text: str
    balance: float | None = None


def result_grid(
    players: Sequence[Player],
    cells: Mapping[tuple[int, int], Cell],
    alternative: str,
    *,
    width: float | None = None,
) -> Drawing:
    """Return a square grid of players against each other, with rows and columns in the same order.

    Rows have names and numbers, columns have numbers. ``cells`` are by row and column (from 0). A
    cell that is good for its row is dark, and one that is bad is lightly hatched, so that the grid
    can be read without colour. The cells of the diagonal are crossed out.
    """
    names = min(max((text_width(player.name, NAME) for player in players), default=0), 190) + 44
    cell = min(CELL, ((width or 10**6) - names - 6) / max(len(players), 1))
    canvas = Canvas(names + cell * len(players) + 6, 26 + CELL * len(players) + 4, alternative)
    for row, player in enumerate(players):
        y = 26 + CELL * row
        marker(canvas, row, 8, y + CELL / 2, player.colour)
        canvas.write(str(row + 1), 32, y + CELL / 2 + 4, NAME, fill=QUIET, text_anchor="end")
        canvas.write(shortened(player.name, NAME, names - 43), 38, y + CELL / 2 + 4, NAME)
        canvas.write(
            str(row + 1), names + cell * (row + 0.5), 18, NAME, fill=QUIET, text_anchor="middle"
        )
        for column in range(len(players)):
            _draw_cell(
                canvas,
                (names + cell * column, y, cell),
                None if row == column else cells.get((row, column), Cell("")),
            )
    return canvas.finish()


def _draw_cell(canvas: Canvas, place: tuple[float, float, float], cell: Cell | None) -> None:
    x, y, width = place
    balance = cell.balance if cell else None
    good = mixed("#fdfaf2", "#3c4f66", 0.2 + 0.8 * balance) if balance and balance > 0 else None
    frame = {
        "x": x + 1,
        "y": y + 1,
        "width": width - 2,
        "height": CELL - 2,
        "rx": 2,
        "stroke": RULE,
        "stroke_width": 0.7,
    }
    canvas.draw("rect", fill=good or PAPER, **frame)
    if cell is None:
        canvas.draw(
            "path",
            d=path((x + 5, y + CELL - 5), (x + width - 5, y + 5)),
            stroke=RULE,
            stroke_width=1,
        )
        return
    if balance and balance < 0:
        stripes = (
            (x + step, y + CELL - 2, x + step + 5, y + CELL - 7)
            for step in range(3, int(width) - 6, 5)
        )
        for left, bottom, right, top in stripes:
            canvas.draw(
                "path", d=path((left, bottom), (right, top)), stroke=QUIET, stroke_width=0.6
            )
    ink = {"fill": readable_on(good)} if good else {"fill": INK}
    size = 10.5 if text_width(cell.text, 10.5) <= width - 4 else 8.5
    canvas.write(cell.text, x + width / 2, y + CELL / 2 + 3.8, size, text_anchor="middle", **ink)


def slaying_arcs(
    killers: Sequence[Player],
    slain: Sequence[Player],
    deeds: Sequence[tuple[int, int]],
    alternative: str,
    *,
    sides: Sequence[Player] = (),
    width: float = 480,
) -> Drawing:
    """Return a chart of killings: killers on the left, victims on the right.

    ``deeds`` are lines between both, as places from 0. Each side has its own marker, by its colour;
    those of ``sides`` are named below.
    """
    rows = max(len(killers), len(slain), 1)
    keys = list(_lines_of_keys(sides, width))
    canvas = Canvas(width, 18 * rows + 8 + KEYS * len(keys), alternative)
    colours = list(dict.fromkeys(player.colour for player in (*sides, *killers, *slain)))
    column = width * 0.36
    for deed in deeds:
        _draw_deed(canvas, column, deed, killers[deed[0]].colour, len(killers), len(slain), rows)
    for place, player in enumerate(killers):
        y = _name_height(place, len(killers), rows)
        marker(canvas, colours.index(player.colour), column, y, player.colour)
        canvas.write(
            shortened(player.name, NAME, column - 10), column - 8, y + 3.8, NAME, text_anchor="end"
        )
    for place, player in enumerate(slain):
        y = _name_height(place, len(slain), rows)
        x = width - column
        marker(canvas, colours.index(player.colour), x, y, player.colour)
        cross = path((x + 8, y - 1), (x + 13, y - 1)) + path((x + 10.5, y - 4), (x + 10.5, y + 4))
        canvas.draw("path", d=cross, stroke=player.colour, stroke_width=1.2)
        canvas.write(shortened(player.name, NAME, column - 18), x + 17, y + 3.8, NAME)
    for line, named in enumerate(keys):
        y = 18 * rows + KEYS * (line + 0.5) + 4
        for x, player in named:
            marker(canvas, colours.index(player.colour), x, y, player.colour)
            canvas.write(player.name, x + 8, y + 3.8, NAME, fill=QUIET)
    return canvas.finish()


def _lines_of_keys(sides: Sequence[Player], width: float) -> Iterator[list[tuple[float, Player]]]:
    """Yield lines of the key, centred in the drawing: the x of each marker, and its side."""
    lines: list[list[tuple[float, Player]]] = []
    end = width
    for side in sides:
        shown = Player(shortened(side.name, NAME, width - 40), side.colour)
        room = 8 + text_width(shown.name, NAME) + 20
        if end + room > width:
            lines.append([])
            end = 6.0
        lines[-1].append((end, shown))
        end += room
    for line in lines:
        x, last = line[-1]
        shift = max((width - x - 8 - text_width(last.name, NAME)) / 2 - 3, 0)
        yield [(x + shift, side) for x, side in line]


def _name_height(place: int, count: int, rows: int) -> float:
    """Return the y of a name in a column of ``count`` names, centred in ``rows`` rows."""
    return 13 + 18 * (place + (rows - count) / 2)


def _draw_deed(
    canvas: Canvas,
    column: float,
    deed: tuple[int, int],
    colour: str,
    killers: int,
    slain: int,
    rows: int,
) -> None:
    left, right = _name_height(deed[0], killers, rows), _name_height(deed[1], slain, rows)
    start, end = column + 6, canvas.width - column - 6
    bend = (end - start) * 0.45
    curve = (
        f"M{start:.2f} {left:.2f}C{start + bend:.2f} {left:.2f} {end - bend:.2f} {right:.2f} "
        f"{end:.2f} {right:.2f}"
    )
    canvas.draw("path", d=curve, fill="none", stroke=colour, stroke_width=1.4)
