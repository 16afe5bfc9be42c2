"""The type size of sheets and posters: as large as their pages allow.

The markup says which sizes are allowed. Each part of the sheet that has to fit on a page is laid
out and measured, and then the sheet is laid out in the size that the heights suggest. The style
sheet measures everything of a sheet in ``em``, so that one number changes all of it.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

from weasyprint import Document as Layout

from documents.print_resources import MILLIMETRE, PAPERS

LayOut = Callable[[str], Layout]
"""Lays out the markup with additional style rules."""
HANDOUT = '<main class="handout'
"""The part of the markup by which a sheet or poster is recognised."""
SIZES = re.compile(r'<main class="handout ([\w-]+)[^>]* data-sizes="(\d+) (\d+)"')
"""The class of the sheet, and the smallest and the largest size of its text on A4, in points."""
ONE_PAGE = "one-page"
"""The class of the parts that have to fit on a page each."""
WIDE_PAPERS = {"A3": 2**0.5}
"""The papers on which everything is larger than on A4, and how much."""
MARGINS = 22
"""The margins above and below a sheet, in mm."""
GROWTH, GROWTH_OF_TEXT = 1.0, 1.5
"""The powers of its size with which the height of a sheet grows: lines get higher, and some wrap.

The second one is for a quick reference, in which many lines wrap.
"""
LESS = 0.96
"""The factor by which something that does not fit is made smaller."""
FULL, FILLED = 0.86, 0.96
"""The share of a page from which it counts as full, and the share that the text should fill."""
TRIES = 4
"""The most layouts after the measuring, after which the last one that fits is taken."""


@dataclass(frozen=True, kw_only=True)
class Fill:
    """The height of the highest part of a sheet as a share of its page.

    ``fits`` is False if a part takes more than one page.
    """

    share: float
    fits: bool


def fitted_sheet(html: str, lay_out: LayOut, paper: str) -> Layout:
    """Return the laid-out pages of a sheet or poster in about the largest size that fits.

    What does not fit in the smallest size takes more pages.
    """
    sizes = SIZES.search(html)
    if sizes is None:
        return lay_out("")
    least, most = (float(size) * WIDE_PAPERS.get(paper, 1) for size in sizes.groups()[1:])
    growth = GROWTH_OF_TEXT if sizes[1] == "quick-reference" else GROWTH
    width, height = PAPERS[paper]
    room = (height - MARGINS) * MILLIMETRE

    # Step 1: measure on a tall page.
    middle = (least + most) / 2
    tall = f"@page handout {{ size: {width}mm 3000mm }}"
    share = fill_of(lay_out(f"{tall} {_rule(middle)}"), room).share
    size = min(max(_filling(middle, share, growth), least), most)

    # Step 2: lay out in the size that this suggests, and correct it.
    fitting = None
    for _ in range(TRIES):
        layout = lay_out(_rule(size))
        fill = fill_of(layout, room)
        if fill.fits:
            larger = min(_filling(size, fill.share, growth), most)
            if fill.share >= FULL or larger < 1.02 * size:
                return layout
            fitting, size = layout, larger
        elif fitting or size <= least:
            return fitting or layout
        else:
            size = max(min(size * LESS, _filling(size, fill.share, growth)), least)
    return fitting or lay_out(_rule(least))


def _rule(size: float) -> str:
    return f".handout {{ font-size: {size:.2f}pt }}"


def _filling(size: float, share: float, growth: float) -> float:
    """Return the size in which a text that takes this share of its page will probably fill it."""
    return float(size * (FILLED / max(share, 0.01)) ** (1 / growth))


def fill_of(layout: Layout, room: float) -> Fill:
    """Return how full the pages of a sheet are, of which each has this height in pixels."""
    heights: dict[int, float] = {}
    pages: dict[int, int] = {}
    for page in layout.pages:
        for box in page._page_box.descendants():
            if box.element is None or ONE_PAGE not in box.element.get("class", "").split():
                continue
            key = id(box.element)
            heights[key] = heights.get(key, 0) + box.margin_height()
            pages[key] = pages.get(key, 0) + 1
    fits = len(layout.pages) <= max(len(pages), 1) and set(pages.values()) <= {1}
    return Fill(share=max(heights.values(), default=0) / room, fits=fits)
