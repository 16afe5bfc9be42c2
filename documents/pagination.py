"""Print plans, after deciding how the battles of a book share its pages.

WeasyPrint first lays out each battle on its own page to measure its blocks
(documents/block_heights.py). From their heights, documents/page_filling.py chooses the form of each
battle. Then the whole plan is laid out.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from msgspec import Struct
from msgspec.structs import replace
from weasyprint import Document as Layout

from documents.block_heights import block_heights
from documents.content.documents import BattleSummary, CampaignSummary, FighterCareer
from documents.content.print_jobs import (
    HALF_TITLE,
    LOW_OPENING,
    BattleForm,
    Plan,
    ShownPictures,
    roster_pages,
)
from documents.content.structs import BattleNarrative, RosterSheet
from documents.page_filling import MAX_CHART, SIZES, Blocks, PageFiller, may_share_page
from documents.print_resources import CHART_WIDTH, MILLIMETRE, PAPERS, TEXT_WIDTH
from documents.printing import ONE_AT_A_TIME, Printed, free, laid_out, markup, written
from drawings.turns import useful_height

TALL_SHEET = "<style>@page { size: %smm 6000mm !important }</style></head>"
"""A style for a page on which nothing that is measured is divided."""
EMPTY_PAGE = "<html><body><main class='loose'><section class='chapter'/></main></body></html>"
"""The markup of a page of a book without text."""
LAST_PAGE, LOWER_COST = 0.3, 0.7
"""The weight of the last page of the battles, and the share of the cost below which a low title is
used: saving less paper is not worth it."""
LIKELY_LONG, MANY_STEPS = 1.5, 20
"""Rosters with at least ``LIKELY_LONG`` estimated pages are laid out alone first. A plan without
battles does this only from ``MANY_STEPS`` battles in the histories of its warbands on.
"""
SHORT_TAIL = 0.24
"""The height on the last page of a history, as a share of a page and for each page before it, below
which its type is made smaller. That makes a history a fifth shorter."""
SHORT_END = 0.35
"""The used share of the last page of a career or of a battle's own document below which a closer
form is tried, to save that page."""


class Sheet(Struct, frozen=True):
    """The heights of the text on a page of a book and of the title of the battles, in mm.

    ``low_opening`` is the least height of the title. A plan without the title has 0 for both.
    """

    tall: float
    opening: float = 0
    low_opening: float = 0


def print_plan(plan: Plan, *, paper: str, identifier: str) -> Printed:
    """Return the PDF of a plan. ``identifier`` (hex) becomes its file identifier."""
    with ONE_AT_A_TIME:
        layout = laid_out_plan(plan, paper=paper)
        return written(layout, identifier=identifier)


def laid_out_plan(plan: Plan, *, paper: str) -> Layout:
    """Return the laid-out pages of a plan, with forms that fit for battles, rosters and careers."""
    content = plan.content
    if isinstance(content, CampaignSummary) and content.battles and not plan.shown.only_plates:
        plan = arranged(plan, paper)
    if isinstance(content, CampaignSummary) and (likely := _likely_long(content)):
        plan = replace(plan, tight=(*plan.tight, *_too_long(plan, likely, paper)))
    layout = laid_out(markup(plan), paper=paper)
    if isinstance(content, CampaignSummary):
        small = {*_long_rosters(layout, content), *_short_tails(layout, content)} - {*plan.tight}
        if small:
            free(layout)
            tight = (*plan.tight, *sorted(small))
            layout = laid_out(markup(replace(plan, tight=tight)), paper=paper)
    elif isinstance(content, FighterCareer) and _ends_with_short_page(layout):
        closer = laid_out(markup(replace(plan, tight=(content.card.id,))), paper=paper)
        if len(closer.pages) < len(layout.pages):
            return closer
    elif isinstance(content, BattleSummary) and _ends_with_short_page(layout):
        for form in _closer_forms(plan.forms[content.battle.id]):
            forms = {content.battle.id: form}
            closer = laid_out(markup(replace(plan, forms=forms)), paper=paper)
            if len(closer.pages) < len(layout.pages):
                return closer
    return layout


def _closer_forms(form: BattleForm) -> tuple[BattleForm, ...]:
    """Return forms of a battle's own document that take less height, the tallest first."""
    without_chart = replace(form, chart=0, low=True)
    return (without_chart, replace(without_chart, run=True, photos="row"))


def _likely_long(content: CampaignSummary) -> tuple[RosterSheet, ...]:
    """Return the rosters that are probably longer than a page, if there is much else in a plan."""
    steps = sum(len(history.steps) for history in content.warbands)
    if not content.battles and steps < MANY_STEPS:
        return ()
    return tuple(each for each in content.rosters if roster_pages(each) >= LIKELY_LONG)


def _too_long(plan: Plan, rosters: tuple[RosterSheet, ...], paper: str) -> tuple[str, ...]:
    """Return the ids of those rosters that take more than a page.

    They are laid out without the rest of their plan. So the whole plan is laid out only once, when
    it is clear which rosters need smaller type.
    """
    content = _campaign(plan)
    empty = dict.fromkeys(("battles", "journal", "veterans", "records", "memorial"), ())
    warbands = tuple(replace(history, steps=(), remains=()) for history in content.warbands)
    content = replace(content, **empty, warbands=warbands, rosters=rosters)
    shown = ShownPictures(apart=plan.shown.apart, history_begins=False)
    layout = laid_out(markup(Plan(content, shown)), paper=paper)
    long = tuple(_long_rosters(layout, content))
    free(layout)
    return long


def _long_rosters(layout: Layout, content: CampaignSummary) -> Iterator[str]:
    """Yield the ids of the rosters that take more than a page."""
    pages: dict[str, int] = {}
    for page in layout.pages if content.rosters else ():
        for anchor in {box.element.get("id") or "" for box in _boxes(page, "section")}:
            pages[anchor] = pages.get(anchor, 0) + 1
    return (each.id for each in content.rosters if pages.get(f"roster-{each.id}", 0) > 1)


def _short_tails(layout: Layout, content: CampaignSummary) -> Iterator[str]:
    """Yield the anchors of histories that have little on their last page, with nothing below it."""
    anchors = {history.anchor for history in content.warbands}
    pages: dict[str, list[Any]] = {}
    for page in layout.pages if anchors else ():
        shown = {box.element.get("id") or "" for box in _boxes(page, "section")}
        for anchor in anchors & shown:
            pages.setdefault(anchor, []).append(page)
    for anchor, (*full, last) in pages.items():
        if full and _used(last) < SHORT_TAIL * len(full):
            yield anchor


def _used(page: Any) -> float:
    """Return the share of a page that is used, down to the last line of text."""
    paper_box = page._page_box
    end = max((_end(box) for box in _boxes(page)), default=0)
    return float((end - paper_box.content_box_y()) / paper_box.height)


def _ends_with_short_page(layout: Layout) -> bool:
    """Return whether the last of several pages has little on it."""
    if len(layout.pages) < 2:
        return False
    return _used(layout.pages[-1]) < SHORT_END


def arranged(plan: Plan, paper: str) -> Plan:
    """Return the plan with the forms of its battles.

    The title of the battles is low if that saves much paper. It gets a page of its own if the first
    battle needs a whole page.
    """
    content = _campaign(plan)
    battles = content.battles
    sheet = _sheet(plan, paper)
    measured = _with_low_heads(plan, _measured(plan, battles, paper), sheet.tall, paper)
    ending = _measured_ending(plan, paper) if content.journal else 0
    last = 1 if plan.shown.apart else LAST_PAGE
    tight = plan.tight
    filler = PageFiller(measured, sheet.tall, 0, ending, last)
    if plan.shown.battles_begin:
        filler = PageFiller(measured, sheet.tall, sheet.opening, ending, last)
        low = PageFiller(measured, sheet.tall, sheet.low_opening, ending, last)
        if low.cost < LOWER_COST * filler.cost or filler.is_title_alone:
            filler, tight = low, (LOW_OPENING,)
        if filler.is_title_alone:
            tight = (HALF_TITLE,)
    forms = {
        battles[page.start + place].id: form
        for page in filler.pages()
        for place, form in enumerate(page.forms)
    }
    return replace(plan, forms=forms, tight=tight)


def _campaign(plan: Plan) -> CampaignSummary:
    if isinstance(plan.content, CampaignSummary):
        return plan.content
    raise TypeError(f"A {type(plan.content).__name__} has no battles to arrange.")


def _sheet(plan: Plan, paper: str) -> Sheet:
    """Return the heights of a page of a book and of both forms of the title of the battles."""
    if not plan.shown.battles_begin:
        return Sheet(_page_height(paper))
    tall, opening = _opening(plan, paper)
    _, low_opening = _opening(plan, paper, tight=(LOW_OPENING,))
    return Sheet(tall, opening, low_opening)


@lru_cache
def _page_height(paper: str) -> float:
    """Return the height of the text on a page. Cached: only style sheets and paper decide it."""
    (page,) = laid_out(EMPTY_PAGE, paper=paper).pages
    return float(page._page_box.height / MILLIMETRE)


def _opening(plan: Plan, paper: str, tight: tuple[str, ...] = ()) -> tuple[float, float]:
    """Return the height of a page, and that of the title of the battles in one of its forms."""
    bare = replace(_campaign(plan), battles=())
    shown = ShownPictures(apart=True, battles_begin=True)
    html = markup(Plan(bare, shown, tight=tight), template="print/measure.html")
    (page,) = laid_out(html, paper=paper).pages
    paper_box = page._page_box
    end = next(box for box in _boxes(page, "div") if box.element.get("class") == "end")
    used = end.position_y - paper_box.content_box_y()
    return paper_box.height / MILLIMETRE, used / MILLIMETRE


def _measured(plan: Plan, battles: Sequence[BattleNarrative], paper: str) -> list[Blocks]:
    """Return the heights of the blocks of each battle."""
    markups = [_to_measure(plan, battle, paper, "print/measure.html") for battle in battles]
    heights = block_heights(markups, paper)
    return [_blocks(battle, each) for battle, each in zip(battles, heights, strict=True)]


def _with_low_heads(
    plan: Plan, measured: Sequence[Blocks], tall: float, paper: str
) -> list[Blocks]:
    """Return the blocks with the heights of low heads, for battles that may share a page.

    Only these can have a low head, and many books have a page or more for each battle.
    """
    places = sorted(may_share_page(measured, tall))
    battles = _campaign(plan).battles
    markups = [_to_measure(plan, battles[each], paper, "print/low-head.html") for each in places]
    heights = block_heights(markups, paper)
    blocks = [*measured]
    for place, low in zip(places, heights, strict=True):
        blocks[place] = replace(blocks[place], low_head=low["low-head"])
    return blocks


def _to_measure(plan: Plan, battle: BattleNarrative, paper: str, template: str) -> str:
    """Return the markup of a battle on a tall page, with blocks to measure."""
    content = replace(_campaign(plan), battles=(battle,))
    alone = Plan(content, ShownPictures(apart=True))
    html = markup(alone, template=template, measuring=True)
    return html.replace("</head>", TALL_SHEET % PAPERS[paper][0])


def _measured_ending(plan: Plan, paper: str) -> float:
    """Return the height of the journal entries after the last battle."""
    content = replace(_campaign(plan), battles=_campaign(plan).battles[-1:])
    last = replace(content.battles[0], journal=content.journal)
    return _measured(replace(plan, content=content), (last,), paper)[0].journal


def _blocks(battle: BattleNarrative, heights: Mapping[str, float]) -> Blocks:
    """Return the blocks of a battle, by the names of their heights."""
    hits = [side.hits for side in battle.sides if side.hits]
    highest = useful_height(hits) * TEXT_WIDTH / CHART_WIDTH
    sizes = (
        {size: heights[f"photos-{size}"] for size in SIZES} if ("photos-large" in heights) else {}
    )
    return Blocks(
        head=heights["head"],
        text=heights.get("text", 0),
        rows=heights.get("list", 0),
        run=heights.get("run", 0),
        beside=heights.get("beside", 0),
        aside=heights.get("aside", 0),
        hits=heights.get("hits", 0),
        strength=heights.get("strength", 0),
        photos=sizes,
        journal=heights.get("journal", 0),
        highest_chart=min(highest, MAX_CHART),
    )


def _body(page: Any) -> Any:
    """Return the box of the text of a page."""
    return page._page_box.children[0]


def _end(box: Any) -> float:
    """Return the lower edge of a box on its page, in CSS pixels."""
    return float(box.position_y + box.margin_height())


def _boxes(page: Any, *tags: str) -> Iterator[Any]:
    """Yield the block boxes of elements with these tags; without tags all lines of text."""
    for box in _body(page).descendants():
        kind = type(box).__name__
        if (
            tags and kind == "BlockBox" and box.element is not None and box.element.tag in tags
        ) or (not tags and kind == "LineBox"):
            yield box
