"""Rosters, careers and rank-up sheets on the page: charts, bookmarks, baselines, margins."""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any

import pytest
from msgspec.structs import replace

from documents.content.blank_roster import blank_content
from documents.content.documents import AnyContent, FighterCareer
from documents.content.print_jobs import plans
from documents.printing import laid_out, markup
from rulebook.registry import newest_ruleset
from rulebook.ruleset import VisibleNumbers
from tests.documents import samples
from tests.documents.every_list import full_roster
from tests.documents.reading_pdfs import bookmarks, printed

SHEETS: dict[str, Callable[[], AnyContent]] = {
    "roster": samples.warband,
    "roster of units": lambda: full_roster("avant-garde", "france"),
    "career": samples.career,
    "rank-ups": samples.rank_ups,
    "blank roster": lambda: blank_content(newest_ruleset("argad")),
}


def html_of(content: AnyContent) -> str:
    return re.sub(r"\s+", " ", markup(plans(content)[0]))


def boxes_of(content: AnyContent, paper: str = "A4") -> Iterator[tuple[Any, Any]]:
    """Yield each page with each of its boxes."""
    for page in _pages_of(markup(plans(content)[0]), paper):
        yield from ((page, box) for box in page._page_box.children[0].descendants())


@cache
def _pages_of(html: str, paper: str) -> Sequence[Any]:
    return laid_out(html, paper=paper).pages


def without_experience(career: FighterCareer) -> FighterCareer:
    return replace(
        career,
        ledger=(),
        words=replace(career.words, shown=VisibleNumbers(False, False, False, False)),
    )


def test_a_career_shows_what_was_earned_and_what_is_left_after_each_battle() -> None:
    career = samples.career()
    left = tuple(replace(each, balance=place % 2) for place, each in enumerate(career.chapters))
    html = html_of(replace(career, chapters=left))
    assert "Experience after each battle: 2, 4, 6, 8." in html
    assert re.search(r">Earned<.*>XP available<", html)
    assert html.count("<svg") == 3, "a silhouette, the chart and the small line"


def test_of_a_fighter_who_has_spent_nothing_one_line_is_drawn() -> None:
    career = samples.career()
    kept = tuple(
        replace(each, balance=2 * place) for place, each in enumerate(career.chapters, start=1)
    )
    assert ">XP available<" not in html_of(replace(career, chapters=kept))


def test_where_nothing_is_earned_a_career_counts_deeds() -> None:
    html = html_of(without_experience(samples.career()))
    assert "Deeds after each battle: 1, 2, 3, 4." in html
    assert "Experience after" not in html


def test_one_battle_makes_no_chart() -> None:
    career = samples.career()
    assert "after each battle" not in html_of(replace(career, chapters=career.chapters[:1]))


def test_the_parts_of_rosters_careers_and_rank_up_sheets_are_bookmarks() -> None:
    roster = [title for depth, title in bookmarks(printed(samples.warband()).pdf) if depth < 2]
    assert roster == ["The Cardinal’s Guard", "Quick reference", "Prices and rules", "Cards"]
    army = bookmarks(printed(full_roster("wards", "army")).pdf)
    assert {(1, "Van"), (1, "Main"), (1, "Rearguard")} <= set(army)
    assert "Experience ledger" in {title for _, title in bookmarks(printed(samples.career()).pdf)}
    assert "Not enough XP yet" in {title for _, title in bookmarks(printed(samples.rank_ups()).pdf)}


@pytest.mark.parametrize("name", SHEETS)
def test_no_table_overhangs_the_margins(name: str) -> None:
    for page, box in boxes_of(SHEETS[name]()):
        if type(box).__name__ == "TableBox":
            content = page._page_box
            assert box.position_x >= content.content_box_x() - 0.01
            assert box.position_x + box.width <= content.content_box_x() + content.width + 0.01


@pytest.mark.parametrize("name", ["roster", "career"])
def test_header_values_fit_one_line(name: str) -> None:
    values = [
        box.position_y + box.height
        for _, box in boxes_of(SHEETS[name]())
        if type(box).__name__ == "BlockBox"
        and box.element is not None
        and box.element.get("class") == "value"
    ]
    assert len(values) > 3
    assert max(values) - min(values) < 0.5


@pytest.mark.parametrize("name", ["roster", "career", "rank-ups"])
def test_no_name_is_hyphenated(name: str) -> None:
    names = [box for _, box in boxes_of(SHEETS[name]()) if getattr(box, "element_tag", "") == "bdi"]
    assert names
    # On cards, words that are too long for a line have soft hyphens.
    assert {box.style["hyphens"] for box in names} <= {"none", "manual"}
