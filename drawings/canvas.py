"""The canvas of all drawings: an SVG that escapes text from users and has a text alternative."""

import math
from dataclasses import dataclass
from xml.etree.ElementTree import Element, SubElement, tostring

INK, QUIET, RULE, PAPER, RED = "#1f1a17", "#6b6259", "#cfc2a8", "#fdfaf2", "#8c1f16"
"""The colours of the printed page. On screen, style sheets replace them by their classes."""
CLASSES = {INK: "ink", QUIET: "quiet", RULE: "rule", PAPER: "paper", RED: "red"}
SANS = "Muster Sans, Alegreya Sans, Optima, Candara, sans-serif"
NARROW, WIDE = 0.30, 0.62
"""The widths of letters as shares of their height: those in ``THIN``, and capitals."""
THIN = frozenset("fijlrtI1.,;:'’!|()[] ")


@dataclass(frozen=True)
class Drawing:
    """An SVG and its text alternative.

    ``svg`` can be inserted into a page without escaping: all text from users is escaped in it.
    """

    svg: str
    alternative: str


class Canvas:
    """A sheet with its origin in the upper left corner. Attributes have underscores for hyphens.

    Without an alternative it is an ornament, which screen readers skip. Colours of the page
    (``INK`` and the like) also get a class, so that a style sheet can replace them. Any other
    colour is also stored in ``color``, with the classes "own-fill" and "own-stroke", so that a
    style sheet can make it lighter.
    """

    def __init__(self, width: float, height: float, alternative: str) -> None:
        self.width, self.height, self.alternative = width, height, alternative
        size = {
            "viewBox": f"0 0 {number(width)} {number(height)}",
            "width": number(width),
            "height": number(height),
        }
        accessibility = {"role": "img"} if alternative else {"aria-hidden": "true"}
        self.root = Element(
            "svg",
            {"xmlns": "http://www.w3.org/2000/svg", **size, **accessibility, "class": "drawing"},
        )
        if alternative:
            self.draw("title", alternative)

    def draw(
        self, tag: str, text: str = "", inside: Element | None = None, /, **attributes: object
    ) -> Element:
        """Add an element above all others, in a group if one is given, and return it."""
        element = SubElement(self.root if inside is None else inside, tag)
        for name, value in attributes.items():
            if value is not None:
                element.set(
                    name.replace("_", "-"),
                    number(value) if isinstance(value, int | float) else str(value),
                )
        painted = {
            part: str(attributes[part]) for part in ("fill", "stroke") if attributes.get(part)
        }
        named = [CLASSES[colour] for colour in painted.values() if colour in CLASSES]
        own = {
            part: colour
            for part, colour in painted.items()
            if colour.startswith("#") and colour not in CLASSES
        }
        if len({*own.values()}) == 1:
            element.set("color", next(iter(own.values())))
            named += [f"own-{part}" for part in own]
        if named:
            element.set("class", " ".join(named))
        element.text = text or None
        return element

    def write(
        self, text: str, x: float, y: float, size: float = 11, /, **attributes: object
    ) -> Element:
        """Add a line of text and return it.

        ``y`` is its baseline; ``text_anchor`` is the part of it that is at ``x``.
        """
        shown = {"font_family": SANS, "font_size": size, "fill": INK, **attributes}
        return self.draw("text", text, x=x, y=y, **shown)

    def finish(self) -> Drawing:
        """Return the drawing in its present state."""
        svg = tostring(self.root, encoding="unicode", short_empty_elements=True)
        return Drawing(svg, self.alternative)


def number(value: float) -> str:
    """Return a number for an attribute, to a hundredth, without trailing zeros."""
    return f"{round(float(value), 2) + 0:.2f}".rstrip("0").rstrip(".")


def path(*points: tuple[float, float], closed: bool = False) -> str:
    """Return the ``d`` of straight lines from point to point."""
    lines = " L".join(f"{number(x)} {number(y)}" for x, y in points)
    return f"M{lines}{'Z' if closed else ''}"


def text_width(text: str, size: float) -> float:
    """Return the estimated width of a line of text, in the units of ``size``.

    Typefaces differ, so the estimate is rather too wide.
    """
    return math.fsum(map(_letter_width, text)) * size


def _letter_width(letter: str) -> float:
    if letter in THIN:
        return NARROW
    # Capitals and East Asian letters.
    return WIDE if letter.isupper() or ord(letter) > 0x2E7F else 0.5


def in_two_lines(text: str, size: float, room: float) -> tuple[str, ...]:
    """Return a text in one line, or in two if it does not fit, each of them shortened.

    The break is at the space that makes the longer line as short as possible.
    """
    words = text.split()
    if text_width(text, size) <= room or len(words) < 2:
        return (shortened(text, size, room),)
    breaks = [(" ".join(words[:end]), " ".join(words[end:])) for end in range(1, len(words))]
    best = min(breaks, key=lambda lines: max(text_width(line, size) for line in lines))
    return tuple(shortened(line, size, room) for line in best)


def shortened(text: str, size: float, room: float) -> str:
    """Return the text, or its beginning with an ellipsis if it does not fit."""
    if text_width(text, size) <= room:
        return text
    kept = next(
        (end for end in range(len(text), 0, -1) if text_width(text[:end] + "…", size) <= room), 1
    )
    return text[:kept].rstrip() + "…"
