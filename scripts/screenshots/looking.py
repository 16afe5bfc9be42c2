"""Inspect one page: take its pictures, and find its problems.

Depends on a browser only, not on Muster.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Literal, NamedTuple

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

PHONE = (390, 844)
SMALL_PHONE = (320, 640)
DESK = (1280, 900)
THEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
MAX_SCREENS = 10
"""The maximum length of a page on a phone, in screens."""
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
AXE = Axe()


class Finding(NamedTuple):
    """A problem of a page: the page, the size and theme, and the problem."""

    page: str
    seen_as: str
    what: str


def look(page: Page, name: str, folder: Path | None = None) -> list[Finding]:
    """Return the problems of the open page, and save its pictures if a folder is given.

    Problems are violations of WCAG 2.2 AA in either theme, sideways scrolling, and too many
    screens. Pictures are taken in three sizes and both themes, without the dark one of the small
    phone.
    """
    page.eval_on_selector_all(
        "img[loading=lazy]", "images => images.forEach(image => { image.loading = 'eager' })"
    )
    page.wait_for_function("[...document.images].every(image => image.complete)")
    findings = []
    for size in (PHONE, DESK, SMALL_PHONE):
        _resize(page, size)
        for theme in THEMES:
            page.emulate_media(color_scheme=theme, reduced_motion="reduce")
            seen_as = f"{size[0]}-{theme}"
            if size == PHONE:
                findings += [Finding(name, seen_as, each) for each in violations(page)]
            if folder and (size, theme) != (SMALL_PHONE, "dark"):
                page.screenshot(
                    path=folder / f"{name}-{seen_as}.png", full_page=True, animations="disabled"
                )
        findings += [Finding(name, f"{size[0]}", each) for each in _misfits(page, size)]
    return findings


def links(page: Page) -> list[str]:
    """Return the addresses within Muster that the open page links to."""
    read = "links => links.map(link => link.pathname + link.search)"
    addresses: list[str] = page.eval_on_selector_all("a:is([href^='/'], [href*='view='])", read)
    return addresses


def violations(page: Page) -> Iterator[str]:
    """Yield the violations that axe finds: the rule, and the first elements that break it."""
    answer = AXE.run(
        page, options={"resultTypes": ["violations"], "runOnly": {"type": "tag", "values": RULES}}
    )
    for violation in answer.response["violations"]:
        where = [" ".join(map(str, node["target"])) for node in violation["nodes"]]
        yield (
            f"{violation['id']}: "
            f"{'; '.join(where[:3])}{f' and {len(where) - 3} more' if len(where) > 3 else ''}"
        )


def _resize(page: Page, size: tuple[int, int]) -> None:
    width, height = size
    page.set_viewport_size({"width": width, "height": height})


def _misfits(page: Page, size: tuple[int, int]) -> Iterator[str]:
    width, height = page.evaluate(
        "[document.documentElement.scrollWidth, document.documentElement.scrollHeight]"
    )
    if width > size[0]:
        yield f"scrolls sideways: {width} of {size[0]} px"
    if size == PHONE and height > MAX_SCREENS * size[1]:
        yield f"is {height / size[1]:.1f} screens long"
