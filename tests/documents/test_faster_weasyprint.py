"""The functions that replace those of WeasyPrint make the same files, byte for byte."""

import hashlib
from collections.abc import Callable

import pytest

from documents import faster_weasyprint
from documents.content.documents import AnyContent
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
