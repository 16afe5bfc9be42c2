"""What every drawing is made on: an SVG that escapes what people wrote, and says in words what it
shows."""

import math
from dataclasses import dataclass
from xml.etree.ElementTree import Element, SubElement, tostring

INK, QUIET, RULE, PAPER, RED = "#1f1a17", "#6b6259", "#cfc2a8", "#fdfaf2", "#8c1f16"
"""The colours of the printed page. Pages on a screen put their own in their place, by the class of
the same name."""
CLASSES = {INK: "ink", QUIET: "quiet", RULE: "rule", PAPER: "paper", RED: "red"}
SANS = "Muster Sans, Alegreya Sans, Optima, Candara, sans-serif"
NARROW, WIDE = 0.30, 0.62
"""How wide a letter of our typefaces is, in parts of its height: those of ``THIN``, and
capitals."""
THIN = frozenset("fijlrtI1.,;:'’!|()[] ")


@dataclass(frozen=True)
class Drawing:
    """An SVG and the sentence that stands for it, for whoever cannot see it.

    ``svg`` is safe to be put into a page as it is: everything that people wrote is escaped in it.
    """

    svg: str
    alternative: str


class Canvas:
    """A sheet of so many units, from its upper left corner. Attributes are written with an
    underscore for a hyphen.

    Without an alternative it is an ornament, which nobody is told of.

    Colours of the page (``INK`` and the like) get a class as well, so that a style sheet can
    exchange them. Any other colour stands in ``color`` too, with the classes "own-fill" and
    "own-stroke", so that one can make it lighter.
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
        """One more element, over all that is drawn already; inside a group if one is given."""
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
        """A line of text. ``y`` is where its letters stand; ``text_anchor`` says which part of it
        stands at ``x``."""
        shown = {"font_family": SANS, "font_size": size, "fill": INK, **attributes}
        return self.draw("text", text, x=x, y=y, **shown)

    def finish(self) -> Drawing:
        """The drawing as it is now."""
        svg = tostring(self.root, encoding="unicode", short_empty_elements=True)
        return Drawing(svg, self.alternative)


def number(value: float) -> str:
    """A figure for an attribute: to a hundredth, without zeros that say nothing."""
    return f"{round(float(value), 2) + 0:.2f}".rstrip("0").rstrip(".")


def path(*points: tuple[float, float], closed: bool = False) -> str:
    """The ``d`` of straight lines from point to point."""
    lines = " L".join(f"{number(x)} {number(y)}" for x, y in points)
    return f"M{lines}{'Z' if closed else ''}"


def text_width(text: str, size: float) -> float:
    """About how wide a line of text is, in the units of ``size``: typefaces differ, so this errs on
    the wide side."""
    return math.fsum(map(_letter_width, text)) * size


def _letter_width(letter: str) -> float:
    if letter in THIN:
        return NARROW
    # Capitals, and the letters of East Asia.
    return WIDE if letter.isupper() or ord(letter) > 0x2E7F else 0.5


def shortened(text: str, size: float, room: float) -> str:
    """The text, or as much of it as the room holds, and an ellipsis."""
    if text_width(text, size) <= room:
        return text
    kept = next(
        (end for end in range(len(text), 0, -1) if text_width(text[:end] + "…", size) <= room), 1
    )
    return text[:kept].rstrip() + "…"
