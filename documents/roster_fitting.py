"""The type sizes of a roster for the table and of its cards: as large as page and card allow.

They are laid out on one tall page, which has the widths of all words. From these follows how high
everything is in other sizes (documents/height_estimates.py), and so the largest sizes that fit.
The second layout has these sizes and is usually the last; what does not fit gets a little smaller.
The style sheet measures everything of a roster and of a card in ``em``, so that one number changes
all of it.
"""

import re
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from math import ceil
from typing import Any

from weasyprint import Document as Layout
from weasyprint.formatting_structure import boxes

from documents.height_estimates import Estimate, Scale, estimate_of
from documents.print_resources import MILLIMETRE, PAPERS

LayOut = Callable[[str], Layout]
"""Lays out the markup with additional style rules."""
MARK, SHEET, REFERENCE, CARD = '<div class="table-roster', "roster-sheet", "reference", "card-"
"""The part of the markup by which a roster is recognised; classes, and the begin of cards' ids."""
ROOT_TAG = re.compile(r"<html[^>]*>")
ROSTER_TAG = re.compile(rf"{MARK}[^>]*>")
QUICK_REFERENCE = re.compile(
    rf'<section class="{REFERENCE}">.*?(?=<section class="cards-chapter">|\Z)', re.DOTALL
)
"""The quick reference in the markup of a roster, up to its cards or the end."""
REMEMBERED = 32
"""The number of quick references whose heights are remembered."""
MARGINS = 16
"""The margins above and below a roster for the table, in mm."""
CARD_HEIGHT = 85 * MILLIMETRE
"""The height of a card within its margins."""
FIRST, SMALLEST, LARGEST = 10.0, 6.5, 12.6
"""Sizes of a roster's text in points. Numbers are a fifth larger."""
READABLE = 10.5
"""The smallest size for which the quick reference may share the page of the roster.

The numbers are 12.6 points high then, which can be read at arm's length.
"""
NUMBERS, SMALLEST_NUMBERS = 1.2, 11.2
"""The size of numbers, as a share of the roster's, and their smallest size in points.

Its x-height is 1.8 mm.
"""
SHARE = 0.7
"""The size of a quick reference on the page of the roster, as a share of the roster's."""
FIRST_REFERENCE, LARGEST_REFERENCE = SHARE * FIRST, 10.5
FIRST_CARD, SMALLEST_CARD, LARGEST_CARD = 8.0, 4.5, 12.5
FILLED, CARD_FILLED, PAGES_FILLED = 0.975, 0.97, 0.95
"""The shares of a page, of a card and of several pages that text may fill by its estimate."""
CORRECTED = 0.99
"""The share of a page that text may fill if the error of its estimate is known."""
WIDER = 1.02
"""The factor by which words are taken to be wider, as letters differ."""
STEP = 0.05
"""The step of sizes in points."""
LESS = 0.97
"""The factor by which something that does not fit after all is made smaller."""
TRIES = 10
"""The most layouts, after which what does not fit takes more pages."""


@dataclass(frozen=True, kw_only=True)
class Sizes:
    """The sizes of text in points. With ``apart``, the quick reference has a page of its own.

    ``pages`` is the number of pages that the sheet may take.
    """

    sheet: float = FIRST
    reference: float = FIRST_REFERENCE
    apart: bool = False
    pages: int = 1
    cards: dict[str, float] = field(default_factory=dict)

    @property
    def rules(self) -> str:
        """The style rules with these sizes."""
        apart = "; break-before: page" if self.apart else ""
        cards = (f"#{card} {{ font-size: {size:.2f}pt }}" for card, size in self.cards.items())
        return (
            f".table-roster {{ font-size: {self.sheet:.2f}pt }} "
            f".table-roster:not(.blank) table.line-up .figure:not(.wordy):not(th) {{ font-size: "
            f"{_numbers(self.sheet):.2f}pt }} "
            f".reference {{ font-size: {self.reference:.2f}pt{apart} }} {' '.join(cards)}"
        )


@dataclass(kw_only=True)
class Measures:
    """The boxes of the sheet, of the quick reference and of cards, and the pages they take.

    ``above`` is the height of the opening above the sheet, which does not grow. ``sheet_height`` is
    that of the sheet on all its pages.
    """

    above: float = 0
    sheet_height: float = 0
    sheet: Any = None
    reference: Any = None
    cards: dict[str, Any] = field(default_factory=dict)
    sheet_pages: set[int] = field(default_factory=set)
    reference_pages: set[int] = field(default_factory=set)


def fitted(html: str, lay_out: LayOut, paper: str) -> Layout:
    """Return the laid-out pages of some markup, in the sizes in which a roster and its cards fit.

    The quick reference shares the page if everything fits at a readable size, else it has the next
    page.
    """
    if MARK not in html:
        return lay_out("")
    estimates = _estimates(html, lay_out, paper)
    sizes = estimates.sizes()
    for _ in range(TRIES):
        layout = lay_out(sizes.rules)
        smaller = _smaller(sizes, _measures(layout), estimates)
        if smaller == sizes:
            break
        sizes = smaller
    return layout


def _estimates(html: str, lay_out: LayOut, paper: str) -> "Estimates":
    """Lay out a roster on a tall page, and return the heights that follow from it.

    The quick reference is measured once for each rule system, language and paper, as it has more
    text than the roster itself.
    """
    width, height = PAPERS[paper]
    reference = QUICK_REFERENCE.search(html)
    looks = (ROOT_TAG.search(html), ROSTER_TAG.search(html), reference)
    key = (paper, *(part[0] if part else "" for part in looks))
    remembered = _REFERENCES.get(key)
    measured = _measures(lay_out(_tall(width, referenced=remembered is None)))
    estimates = Estimates(measured, (height - MARGINS) * MILLIMETRE)
    if remembered:
        _REFERENCES.move_to_end(key)
        estimates.reference = remembered
    elif estimates.reference:
        _REFERENCES[key] = estimates.reference
        if len(_REFERENCES) > REMEMBERED:
            _REFERENCES.popitem(last=False)
    return estimates


def _tall(width: float, *, referenced: bool) -> str:
    """Return the rules for measuring: one tall page, and no backs of cards."""
    unread = "" if referenced else f" .{REFERENCE} {{ display: none }}"
    return (
        f"{Sizes().rules} @page table {{ size: {width}mm 3000mm }} "
        f"@page cards {{ size: {width}mm 3000mm }} .backs {{ display: none }} "
        f".slot {{ height: auto }} .face {{ font-size: {FIRST_CARD}pt }}{unread}"
    )


class Estimates:
    """The heights of a roster in other sizes than the measured ones, on pages of a height."""

    def __init__(self, measured: Measures, room: float) -> None:
        self.room, self.above = room, measured.above
        self.sheet = estimate_of(measured.sheet)
        self.reference: Estimate | None = measured.reference and estimate_of(measured.reference)
        self.cards = {card: estimate_of(box) for card, box in measured.cards.items()}

    def sizes(self) -> Sizes:
        """Return the largest sizes in which everything fits."""
        cards = {card: self._card_size(estimate) for card, estimate in self.cards.items()}
        together = _largest(
            lambda size: self._sheet_height(size) + self._reference_height(SHARE * size),
            FILLED * self.room,
            SMALLEST,
            LARGEST,
        )
        if together >= READABLE:
            return Sizes(sheet=together, reference=SHARE * together, cards=cards)
        return replace(self.apart(), cards=cards)

    def apart(self) -> Sizes:
        """Return the largest sizes for a quick reference on a page of its own."""
        room, pages = FILLED * self.room, 1
        if self._sheet_height(SMALLEST) > room:
            pages = ceil(self._sheet_height(SMALLEST) / (PAGES_FILLED * self.room))
            room = PAGES_FILLED * self.room * pages
        return Sizes(
            sheet=_largest(self._sheet_height, room, SMALLEST, LARGEST),
            reference=_largest(
                self._reference_height, FILLED * self.room, SHARE * SMALLEST, LARGEST_REFERENCE
            ),
            apart=True,
            pages=pages,
        )

    def corrected_size(self, sizes: Sizes, sheet_height: float) -> float:
        """Return the largest size of a sheet that fits, as it had this height in these sizes."""
        error = (self.above + sheet_height) / self._sheet_height(sizes.sheet)
        room = (CORRECTED if sizes.pages == 1 else PAGES_FILLED) * self.room * sizes.pages
        return _largest(
            lambda size: error * self._sheet_height(size), room, SMALLEST, sizes.sheet * LESS
        )

    def _sheet_height(self, size: float) -> float:
        scale = Scale(size / FIRST, _numbers(size) / _numbers(FIRST), WIDER)
        return self.above + self.sheet.height(scale)

    def _reference_height(self, size: float) -> float:
        if not self.reference:
            return 0
        return self.reference.height(_scale(size / FIRST_REFERENCE))

    def _card_size(self, estimate: Estimate) -> float:
        return _largest(
            lambda size: estimate.height(_scale(size / FIRST_CARD)),
            CARD_FILLED * CARD_HEIGHT,
            SMALLEST_CARD,
            LARGEST_CARD,
        )


_REFERENCES: OrderedDict[tuple[str, ...], Estimate] = OrderedDict()
"""The heights of quick references by paper and markup, the one used last at the end.

Documents of a process are laid out one at a time, so that no two threads use it at once.
"""


def _numbers(size: float) -> float:
    """Return the size of numbers on a sheet whose text has this size, both in points."""
    return max(NUMBERS * size, SMALLEST_NUMBERS)


def _scale(share: float) -> Scale:
    return Scale(share, share, WIDER)


def _largest(height: Callable[[float], float], room: float, least: float, most: float) -> float:
    """Return the largest size of text, in points, whose height fits; ``least`` if none does."""
    low, high = 0, round((most - least) / STEP)
    while low < high:
        middle = (low + high + 1) // 2
        if height(least + middle * STEP) <= room:
            low = middle
        else:
            high = middle - 1
    return least + low * STEP


def _smaller(sizes: Sizes, now: Measures, estimates: Estimates) -> Sizes:
    """Return the sizes with smaller ones for what does not fit; the same if everything does."""
    cards = {
        card: max(LESS * size, SMALLEST_CARD)
        if now.cards[card].margin_height() > CARD_HEIGHT + 0.5
        else size
        for card, size in sizes.cards.items()
    }
    sizes = replace(sizes, cards=cards)
    if not sizes.apart and now.sheet_pages | now.reference_pages != {0}:
        together = sizes.sheet * LESS
        if together < READABLE:
            return replace(estimates.apart(), cards=cards)
        return replace(sizes, sheet=together, reference=SHARE * together)
    if sizes.apart and len(now.sheet_pages) > sizes.pages and sizes.sheet > SMALLEST:
        sizes = replace(sizes, sheet=estimates.corrected_size(sizes, now.sheet_height))
    if sizes.apart and len(now.reference_pages) > 1 and sizes.reference > SHARE * SMALLEST:
        sizes = replace(sizes, reference=max(sizes.reference * LESS, SHARE * SMALLEST))
    return sizes


def _measures(layout: Layout) -> Measures:
    """Return the boxes and pages of a roster's parts."""
    measures = Measures()
    for number, page in enumerate(layout.pages):
        top = page._page_box.content_box_y()
        for box in page._page_box.descendants():
            if box.element is None or box.element_tag not in ("section", "div"):
                continue
            names = box.element.get("class", "").split()
            if SHEET in names:
                if measures.sheet is None:
                    measures.above = box.position_y - top
                measures.sheet_pages.add(number)
                measures.sheet_height += _height_of_text(box, repeated=measures.sheet is not None)
                measures.sheet = box
            elif REFERENCE in names:
                measures.reference_pages.add(number)
                measures.reference = box
            elif (name := box.element.get("id", "")).startswith(CARD):
                measures.cards[name] = box
    return measures


def _height_of_text(box: Any, *, repeated: bool) -> float:
    """Return the height of a sheet on a page, without the rest of the page below its last line.

    A page after the first one has ``repeated`` heads of tables, which do not count.
    """
    lines = [part for part in box.descendants() if isinstance(part, boxes.LineBox)]
    bottom = max((line.position_y + line.height for line in lines), default=box.position_y)
    heads = [part for part in box.descendants() if repeated and getattr(part, "is_header", False)]
    return float(bottom - box.position_y - sum(head.margin_height() for head in heads))
