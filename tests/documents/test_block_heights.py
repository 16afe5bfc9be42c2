"""Heights of the blocks of a battle, which are measured once and cached."""

from typing import Any
from unittest.mock import patch

import pytest
from django.core.cache import caches
from msgspec.structs import replace

from documents import block_heights as heights
from documents import pagination
from documents.content.print_jobs import Plan, ShownPictures
from documents.content.structs import BattleNarrative
from documents.page_filling import LEAST_LOW_HEAD
from documents.printing import markup, rendered
from tests.documents import samples

TALL = "<style>@page { size: 210mm 6000mm !important }</style></head>"


pytestmark = pytest.mark.usefixtures("copies_of_pages")


def html_of(battle: BattleNarrative) -> str:
    content = replace(samples.campaign(1, 1), battles=(battle,))
    plan = Plan(content, ShownPictures(apart=True))
    return markup(plan, template="print/measure.html", measuring=True).replace("</head>", TALL)


def battles() -> tuple[BattleNarrative, ...]:
    return samples.campaign(3, 1).battles


def layouts(html: str, paper: str = "A4") -> tuple[dict[str, float], int]:
    """Return the heights in some markup, and the number of layouts that they took."""
    count = 0

    def counted(*args: Any, **kwargs: Any) -> Any:
        nonlocal count
        count += 1
        return rendered(*args, **kwargs)

    with patch.object(heights, "rendered", counted):
        (measured,) = heights.block_heights([html], paper)
        return measured, count


def test_second_measuring_needs_no_layout() -> None:
    html = html_of(battles()[0])
    first, cold = layouts(html)
    again, warm = layouts(html)
    assert (cold, warm) == (1, 0)
    assert again == first
    assert {"head", "text", "aside"} <= first.keys()


def test_blocks_measured_apart_are_as_tall_as_together() -> None:
    """Of a battle with another title only the head is laid out again."""
    battle = battles()[0]
    other = html_of(replace(battle, title="A much longer title " * 8))
    together, _ = layouts(other)
    caches[heights.CACHE].clear()
    plain, _ = layouts(html_of(battle))
    apart, count = layouts(other)
    assert count == 1, "only the head is measured"
    assert apart == together
    assert apart["head"] > plain["head"]


def test_a_changed_story_changes_its_height() -> None:
    battle = battles()[0]
    short, _ = layouts(html_of(replace(battle, story="Short.")))
    long, _ = layouts(html_of(replace(battle, story="A long story. " * 90)))
    assert long["text"] > short["text"]
    assert long["head"] == short["head"]


def test_another_paper_is_measured_again() -> None:
    html = html_of(battles()[0])
    layouts(html)
    assert layouts(html, "Letter")[1] == 1


def test_battles_measured_together_are_as_tall_as_alone() -> None:
    """Two of them have the same blocks, and one has a script with its own typefaces."""
    first, second, third = battles()
    other = replace(second, title="A much longer title " * 8)
    hebrew = replace(third, title="אבג")
    markups = [html_of(each) for each in (first, other, first, hebrew)]
    together = heights.block_heights(markups, "A4")
    caches[heights.CACHE].clear()
    alone = []
    for html in markups:
        alone += heights.block_heights([html], "A4")
        caches[heights.CACHE].clear()
    assert together == alone
    assert together[0]["head"] < together[1]["head"]


def test_low_head_is_less_high_but_never_below_half() -> None:
    for battle in battles():
        content = replace(samples.campaign(1, 1), battles=(battle,))
        plan = Plan(content, ShownPictures(apart=True))
        low = markup(plan, template="print/low-head.html", measuring=True)
        (usual_heights, low_heights) = heights.block_heights([html_of(battle), low], "A4")
        share = low_heights["low-head"] / usual_heights["head"]
        assert LEAST_LOW_HEAD < share < 1


def test_height_of_an_empty_page_is_that_of_the_pages_of_battles() -> None:
    plan = Plan(samples.campaign(1, 1), ShownPictures(apart=True, battles_begin=True))
    for paper in ("A4", "Letter"):
        tall, _ = pagination._opening(plan, paper)
        assert pagination._page_height(paper) == tall
