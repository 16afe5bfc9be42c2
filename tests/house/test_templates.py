"""Templates are read by people: no line runs out of the window, and the style sheets are named in
one place."""

from collections.abc import Iterator
from pathlib import Path

from django.conf import settings
from django.template import engines

ROOT = Path(settings.BASE_DIR) / "templates"
WIDEST = 120
LETTER = "home/letter.html"
"""Mail programs read no sheets: a letter brings its own."""
OVERVIEW = "accounts/data_overview.html"
"""Is read from an archive, where there are no sheets."""
HALL = "leagues/hall.html"
"""For old browsers: it has a small sheet of its own."""
SHEETS = '{% bundle "site/css/muster.css" %}'
API_DOCS = "drf_spectacular/swagger_ui.html"
"""A page of another house, which brings its own as well."""


def test_every_template_compiles() -> None:
    """Also those of prints, with their tags: a library may lose a tag and nothing else notices."""
    engine = engines["django"]
    for path in sorted(ROOT.rglob("*.html")):
        engine.get_template(str(path.relative_to(ROOT)))


def lines() -> Iterator[tuple[str, str]]:
    for path in sorted(ROOT.rglob("*.html")):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            yield f"{path.relative_to(ROOT)}:{number}", line


def test_no_line_of_a_template_is_wider_than_120_characters() -> None:
    assert [f"{place}: {len(line)}" for place, line in lines() if len(line) > WIDEST] == []


def test_buttons_say_plainly_what_they_do() -> None:
    """These labels were charming, and nobody knew what they did."""
    quaint = ("Found one", "Decide beside the book", "Let go", "Put it down", "What it comes to")
    assert [
        place
        for place, line in lines()
        if any(f'"{label}"' in line or f">{label}<" in line for label in quaint)
    ] == []


def test_style_sheets_are_linked_in_one_place() -> None:
    # A page of the admin site has the admin's own.
    assert {place.partition(":")[0] for place, line in lines() if 'rel="stylesheet"' in line} == {
        API_DOCS,
        "admin/club_use.html",
    }


def test_every_whole_page_takes_its_style_sheets_from_there() -> None:
    whole = {place.partition(":")[0] for place, line in lines() if "<!doctype html>" in line} - {
        LETTER,
        API_DOCS,
        OVERVIEW,
        HALL,
    }
    assert whole == {place.partition(":")[0] for place, line in lines() if SHEETS in line}
