"""Read each different drawing of a document once, and draw it once in each size.

The arms of a warband are on many pages of a book. WeasyPrint matches all elements of an SVG with
the style sheets of the page, which do not apply to them, and reads and draws it again in each
place. Drawings were a fifth of the time of a book.

So the markup of a drawing is taken out of a document before WeasyPrint reads it. Only its outer
element and its title remain. What has been drawn once is written again as the same bytes.
"""

from dataclasses import dataclass
from typing import Any
from xml.etree import ElementTree

import pydyf  # type: ignore[import-untyped]
from weasyprint.html import handle_svg, handler, make_replaced_box
from weasyprint.images import SVGImage

TAG = "{http://www.w3.org/2000/svg}svg"
TITLE = "{http://www.w3.org/2000/svg}title"
NUMBER = "data-drawing"
"""The attribute with the number of the drawing whose content was taken out."""


def take_out(root: ElementTree.Element) -> tuple[ElementTree.Element, ...]:
    """Take the content of all drawings out of a document, and return each different one."""
    numbers: dict[str, int] = {}
    drawings: list[ElementTree.Element] = []
    for svg in [*root.iter(TAG)]:
        tail, svg.tail = svg.tail, None
        markup = ElementTree.tostring(svg, encoding="unicode")
        if markup not in numbers:
            numbers[markup] = len(drawings)
            whole = ElementTree.Element(TAG, svg.attrib)
            whole.extend(svg)
            drawings.append(whole)
        title = svg.find(TITLE)
        svg[:] = [] if title is None else [title]
        svg.text, svg.tail = None, tail
        svg.set(NUMBER, str(numbers[markup]))
    return tuple(drawings)


def renumber(root: ElementTree.Element, by: int) -> None:
    """Add a number to those of all drawings of a document."""
    for svg in root.iter(TAG):
        if number := svg.get(NUMBER):
            svg.set(NUMBER, str(int(number) + by))


@handler(TAG)  # type: ignore[untyped-decorator]
def handle_drawing(element: Any, box: Any, get_image_from_uri: Any, base_url: str) -> list[Any]:
    """Return the box of an SVG. WeasyPrint calls it while it builds the boxes of a document."""
    options = get_image_from_uri.keywords
    number = element.get(NUMBER)
    if number is None:
        boxes: list[Any] = handle_svg(element, box, get_image_from_uri, base_url)
        return boxes
    cache, fetcher = options["cache"], options["url_fetcher"]
    key = f"{NUMBER}:{number}"
    if key not in cache:
        tree = fetcher.drawings[int(number)]
        cache[key] = DrawnOnce(tree, base_url, fetcher, options["context"])
    return [make_replaced_box(element, box, cache[key])]


@dataclass(frozen=True)
class Drawn:
    """The operators of a drawing in a size, and the resources that they name."""

    operators: bytes
    resources: Any


class DrawnOnce(SVGImage):
    """A drawing that is written as the same bytes wherever it has the same size."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self._drawn: dict[tuple[float, float], Drawn] = {}

    def draw(self, stream: Any, width: float, height: float, style: Any) -> None:
        """Draw the image on a page. WeasyPrint calls it."""
        size = round(width, 6), round(height, 6)
        drawn = self._drawn.get(size)
        if drawn is None or drawn.resources is not stream._resources:
            # The operators must not rely on the colours that the page has just used.
            _forget_colours(stream)
            begun = len(stream.stream)
            super().draw(stream, width, height, style)
            operators = b"\n".join(map(pydyf._to_bytes, stream.stream[begun:]))
            self._drawn[size] = drawn = Drawn(operators, stream._resources)
            del stream.stream[begun:]
        if drawn.operators:
            stream.stream.append(drawn.operators)
        _forget_colours(stream)


def _forget_colours(stream: Any) -> None:
    """Make a page name its colours again before their next use."""
    stream._current_color = stream._current_color_stroke = None
    stream._current_alpha = stream._current_alpha_stroke = None
    stream._current_font = None
