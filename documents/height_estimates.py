"""The height of a laid-out text in another size of type, without laying it out again.

The boxes of a layout have the widths of all words. Their lines are broken again at the new size,
which takes a hundredth of the time of a layout. documents/roster_fitting.py checks the result.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Protocol

from weasyprint.formatting_structure import boxes

FIXED = frozenset({"opening", "facts", "heads", "picture", "points"})
"""Classes of elements that always have the same size."""
NUMBERS = "figure"
"""The class of cells whose numbers have a size of their own."""
GROWING = frozenset({NUMBERS, "pairs"})
"""Classes of cells whose columns grow with the text, at the cost of the first one of their row."""
UNBROKEN = ("nowrap", "pre")
"""The values of ``white-space`` for which a text is never broken."""
THIN, THICK = " .,;:!|'’()[]ijlftrI", "mwMW—″@"
"""Letters that are narrower and broader than others."""
NARROW, BROAD = 0.55, 1.35
"""Their widths, as shares of that of other letters."""


@dataclass(frozen=True)
class Scale:
    """The new size of text and of numbers, as shares of the measured sizes.

    Words are taken to be ``wider`` by a factor, because the widths of single ones are estimates.
    """

    text: float
    numbers: float
    wider: float = 1


class Estimate(Protocol):
    """The height of a box in other sizes of type."""

    def height(self, scale: Scale) -> float:
        """Return the height in pixels."""


@dataclass(frozen=True)
class Fixed:
    """A box that always has the same height."""

    tall: float

    def height(self, scale: Scale) -> float:
        """Return the height in pixels."""
        return self.tall


@dataclass(frozen=True)
class Lines:
    """The lines of a text in a box of a width.

    ``words`` are the widths of the words, each with the space after it and without. ``floating`` is
    the width of what floats next to the first line if it has a single line itself, and ``columns``
    that of growing columns.
    """

    words: tuple[tuple[float, float], ...]
    line: float
    width: float
    floating: float = 0
    columns: float = 0
    numbers: bool = False

    def height(self, scale: Scale) -> float:
        """Return the height in pixels."""
        size = scale.numbers if self.numbers else scale.text
        width = (self.width - (size - 1) * self.columns) / (size * scale.wider)
        above, used = divmod(self.floating, width)
        count = 1 + int(above)
        for spaced, bare in self.words:
            if used > 0 and used + bare > width:
                count, used = count + 1, 0
            used += spaced
        return count * self.line * size


@dataclass(frozen=True)
class Stack:
    """Boxes below each other, with ``spare`` pixels around and between them."""

    parts: tuple[Estimate, ...]
    spare: float

    def height(self, scale: Scale) -> float:
        """Return the height in pixels."""
        return sum(part.height(scale) for part in self.parts) + self.spare * scale.text


@dataclass(frozen=True)
class Row:
    """Cells next to each other, with ``spare`` pixels above and below the highest one."""

    cells: tuple[Estimate, ...]
    spare: float

    def height(self, scale: Scale) -> float:
        """Return the height in pixels."""
        return max(cell.height(scale) for cell in self.cells) + self.spare * scale.text


def estimate_of(box: Any, *, floating: float = 0, columns: float = 0) -> Estimate:
    """Return the estimate of the height of a laid-out box, with its margins.

    ``floating`` is the width of what floats next to its first line, and ``columns`` that of the
    columns at its side that grow with the text.
    """
    names = _classes(box)
    children = getattr(box, "children", ())
    inside = [child for child in children if not child.is_floated()]
    if names & FIXED or not children:
        return Fixed(box.margin_height())
    if inside and isinstance(inside[0], boxes.TableCellBox):
        return _row(box, inside)
    spare = box.margin_height() - sum(child.margin_height() for child in inside)
    floating += sum(map(_natural_width, _floats(children)))
    if not inside:
        high = max(child.margin_height() for child in children)
        return Stack((Lines((), high, box.width, floating),), spare - high)
    if isinstance(inside[0], boxes.LineBox):
        lines = Lines(
            tuple(_words(inside)),
            sum(line.margin_height() for line in inside) / len(inside),
            box.width,
            floating,
            columns,
            NUMBERS in names,
        )
        return Stack((lines,), spare)
    first = estimate_of(inside[0], floating=floating, columns=columns)
    rest = (estimate_of(child, columns=columns) for child in inside[1:])
    return Stack((first, *rest), spare)


def _floats(children: Iterable[Any]) -> Iterator[Any]:
    """Yield the floating boxes of a box, also those that are in its lines."""
    for child in children:
        if child.is_floated():
            yield child
        elif isinstance(child, boxes.LineBox):
            yield from _floats(child.children)


def _classes(box: Any) -> set[str]:
    return set() if box.element is None else set(box.element.get("class", "").split())


def _row(row: Any, cells: list[Any]) -> Estimate:
    """Return the estimate of a row of a table.

    All cells are as high as the highest one, so that the least space in one is the usual one.
    """
    grows = any(_classes(cell) & GROWING for cell in cells)
    estimates: list[Estimate] = []
    spare = float(row.height)
    for place, cell in enumerate(cells):
        columns = row.width - cell.border_width() if grows and place == 0 else 0
        estimate = estimate_of(cell, columns=columns)
        if isinstance(estimate, Stack):
            spare = min(spare, estimate.spare)
            estimates.append(replace(estimate, spare=0))
        elif cell.children:
            spare = 0
            estimates.append(estimate)
    return Row(tuple(estimates), spare) if estimates else Fixed(row.margin_height())


def _natural_width(box: Any) -> float:
    """Return the width of a box of lines if all its text were on a single one."""
    lines: float = sum(line.width for line in box.children)
    width: float = box.margin_width() - box.width + lines
    return width


def _words(lines: list[Any]) -> Iterator[tuple[float, float]]:
    """Yield the widths of the words of some lines, each with the space after it and without."""
    for line in lines:
        spaced = bare = 0.0
        for width, breaks in _pieces(line):
            spaced += width
            if not breaks:
                bare = spaced
            elif spaced:
                yield spaced, bare
                spaced = bare = 0.0
        if spaced:
            yield spaced, bare


def _pieces(box: Any, *, unbroken: bool = False) -> Iterator[tuple[float, bool]]:
    """Yield the widths of the parts of a line, and if the line may be broken after them.

    These are words, spaces, pictures, and the margins of elements.
    """
    if isinstance(box, boxes.TextBox):
        yield from _parts_of_text(box)
    elif isinstance(box, (boxes.LineBox, boxes.InlineBox)):
        unbroken = box.style["white_space"] in UNBROKEN
        children = [child for child in box.children if not child.is_floated()]
        for child in children:
            yield from _pieces(child, unbroken=unbroken)
        if isinstance(box, boxes.InlineBox):
            yield box.margin_width() - sum(child.margin_width() for child in children), False
    else:
        yield box.margin_width(), False
        yield 0, not unbroken


def _parts_of_text(box: Any) -> Iterator[tuple[float, bool]]:
    """Yield the widths of the words and spaces of a text, by the usual widths of letters."""
    if box.style["white_space"] in UNBROKEN:
        yield box.width, False
        return
    scale = box.width / max(sum(map(_letter, box.text)), NARROW)
    for place, word in enumerate(box.text.split(" ")):
        if place:
            yield NARROW * scale, True
        if word:
            yield sum(map(_letter, word)) * scale, False


def _letter(letter: str) -> float:
    """Return the usual width of a letter, where that of most is 1."""
    if letter in THIN:
        return NARROW
    return BROAD if letter in THICK or letter.isupper() else 1
