"""Templates are read by people: no line runs out of the window, and the style sheets are named in one place."""

from collections.abc import Iterator
from pathlib import Path

from django.conf import settings

ROOT = Path(settings.BASE_DIR) / "templates"
WIDEST = 120
LETTER = "inbox/letter.html"
"""Mail programs read no sheets: a letter brings its own."""


def lines() -> Iterator[tuple[str, str]]:
    for path in sorted(ROOT.rglob("*.html")):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            yield f"{path.relative_to(ROOT)}:{number}", line


def test_no_line_of_a_template_is_wider_than_a_line_of_code() -> None:
    assert [f"{place}: {len(line)}" for place, line in lines() if len(line) > WIDEST] == []


def test_style_sheets_are_linked_in_one_place() -> None:
    assert {place.partition(":")[0] for place, line in lines() if 'rel="stylesheet"' in line} == {
        "parts/style_sheets.html"
    }


def test_every_whole_page_takes_its_style_sheets_from_there() -> None:
    whole = {place.partition(":")[0] for place, line in lines() if "<!doctype html>" in line} - {LETTER}
    assert whole == {place.partition(":")[0] for place, line in lines() if "parts/style_sheets.html" in line}
