"""The functions that replace those of WeasyPrint make the same files, byte for byte."""

import hashlib
from collections.abc import Callable
from typing import Any

import pytest
from cssselect2 import ElementWrapper, Matcher  # type: ignore[import-untyped]
from cssselect2.compiler import compile_selector_list  # type: ignore[import-untyped]
from weasyprint.text import line_break
from weasyprint.text.ffi import ffi, pango

from documents import faster_weasyprint
from documents.content.documents import AnyContent
from documents.printing import Source
from documents.services.parts import print_whole
from tests.documents import samples

STORY = "It rained, and *nobody* came - " * 9 + "\n\n- one\n- two\n\n> Said ~~he~~ & she."
CONTENTS: dict[str, Callable[[], AnyContent]] = {
    "campaign": lambda: samples.campaign(4, 2, ("Ana", "Otto & <Son>", "ألف", "אבג")),
    "campaign with a story": lambda: samples.campaign_with(story=STORY),
    "warband": samples.warband,
    "battle": lambda: samples.battle_summary(4),
    "career": samples.career,
    "rank-ups": samples.rank_ups,
}


@pytest.mark.parametrize("content", CONTENTS.values(), ids=CONTENTS)
def test_files_are_the_same_as_without_replacements(
    content: Callable[[], AnyContent], monkeypatch: pytest.MonkeyPatch
) -> None:
    fast = [printed(content()) for _ in range(2)]
    for owner, name, original in faster_weasyprint.ORIGINALS:
        monkeypatch.setattr(owner, name, original)
    assert fast == [printed(content())] * 2


def printed(content: AnyContent) -> tuple[int, str]:
    """Return the number of pages and the hash of a print."""
    whole = print_whole(content, paper="A4", identifier="00")
    return whole.pages, hashlib.sha256(whole.pdf).hexdigest()


def test_sizes_of_texts_do_not_pile_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(faster_weasyprint, "MOST_TEXTS", 2)
    fonts = type("Fonts", (), {})()
    fonts.text_sizes = {"serif": {"one": None, "two": None, "three": None}}
    assert faster_weasyprint._sizes_of(fonts) == {"serif": {}}


def test_only_a_layout_keeps_its_font_features(monkeypatch: pytest.MonkeyPatch) -> None:
    owners: list[int] = []

    def set_up(layout: Any, style: Any) -> None:
        faster_weasyprint.set_up(layout, style)
        features = pango.pango_layout_get_attributes(layout.layout)
        if features != ffi.NULL:
            # A list of attributes begins with the number of those that keep it.
            owners.append(ffi.cast("unsigned int *", features)[0])

    monkeypatch.setattr(line_break.Layout, "setup", set_up)
    printed(samples.battle_summary(4))
    assert set(owners) == {1}


SELECTORS = """
p, .a, .a .b, .a > .b, p.b, #x, #x .b, .b + .b, .b ~ p, p:first-child, p:last-child, :root, * p,
[lang], [lang|=de] p, a:link, p:not(.b), p:not(#x#x), div:has(.b), p:nth-child(2), :empty, .c::before
"""
ELEMENTS = """<html lang="en"><body class="a"><div class="a"><p class="b">1</p><p class="b" id="x">2</p>
<p>3<a href="#x">4</a><a>5</a></p></div><div><p class="b c">6</p></div>
<div class="a" lang="de"><p class="b">7</p><p class="b"></p></div></body></html>"""


@pytest.mark.parametrize("most", [1, 20_000])
def test_elements_match_the_same_selectors_as_without_replacement(
    most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(faster_weasyprint, "MOST_LOOKS", most)
    matcher = Matcher()
    for number, selector in enumerate(compile_selector_list(SELECTORS)):
        matcher.add_selector(selector, number)
    (original,) = (
        function for owner, _, function in faster_weasyprint.ORIGINALS if owner is Matcher
    )
    for _ in range(2):
        for element in Source(ELEMENTS).wrapper_element.iter_subtree():
            assert matcher.match(element) == original(matcher, element)


def test_a_new_selector_matches_elements_with_a_known_look() -> None:
    matcher = Matcher()

    def matches() -> list[str]:
        element: ElementWrapper = next(Source("<html></html>").wrapper_element.iter_subtree())
        return [rule for *_, rule in matcher.match(element)]

    assert matches() == []
    matcher.add_selector(compile_selector_list("html")[0], "rule")
    assert matches() == ["rule"]
