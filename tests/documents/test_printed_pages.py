"""The printed page: its content, and that nothing is cut in half."""

import re
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest
from msgspec.structs import replace
from weasyprint.formatting_structure.boxes import TextBox

from documents.content.documents import AnyContent
from documents.content.print_jobs import Plan, plans
from documents.pagination import print_plan
from documents.printing import Printed, laid_out, markup
from tests.documents import samples
from tests.documents.reading_pdfs import IDENTIFIER, bookmarks, pages, printed, reader, tags, text

PAPERS = {"A4": (595, 842), "Letter": (612, 792)}
CONTENTS: dict[str, Callable[[], AnyContent]] = {
    "campaign": lambda: samples.campaign(3, 2, samples.NAMES[:5]),
    "empty campaign": samples.empty_campaign,
    "roster": samples.warband,
    "empty roster": lambda: samples.warband(()),
    "career": samples.career,
    "battle": samples.battle_summary,
    "battle of four": lambda: samples.battle_summary(4),
    "rank-ups": samples.rank_ups,
}
SHORT = ("empty campaign", "empty roster", "career", "battle", "rank-ups")
"""Each kind at its shortest, for the other paper."""
LAST_NAMES = ("de Witte", "van der Meer", "Pfeiffer", "Sánchez de la Torre", "Żółkiewski")


@cache
def print_of(name: str, paper: str = "A4") -> Printed:
    """Return one of the contents above, printed once for all tests."""
    return printed(CONTENTS[name](), paper)


def pdf_of(name: str, paper: str = "A4") -> bytes:
    """Return the PDF of one of the contents."""
    return print_of(name, paper).pdf


@pytest.mark.parametrize(
    ("name", "paper"), [*((name, "A4") for name in CONTENTS), *((name, "Letter") for name in SHORT)]
)
def test_every_kind_is_printed_on_the_paper_that_was_asked_for(name: str, paper: str) -> None:
    pdf = pdf_of(name, paper)
    sizes = {tuple(round(float(side)) for side in page.mediabox[2:]) for page in reader(pdf).pages}
    assert sizes == {PAPERS[paper]}


@pytest.mark.parametrize("name", CONTENTS)
def test_every_kind_is_tagged_and_says_what_it_is(name: str) -> None:
    content, pdf = CONTENTS[name](), pdf_of(name)
    file = reader(pdf)
    catalogue: Any = file.root_object
    assert catalogue["/MarkInfo"]["/Marked"]
    assert catalogue["/Lang"] == "en-GB"
    assert catalogue["/ViewerPreferences"]["/DisplayDocTitle"]
    assert b"pdfuaid" in catalogue["/Metadata"].get_data()
    assert file.metadata is not None
    assert file.metadata.title == f"{content.title} – {content.subtitle}"
    assert str(file.metadata["/CreationDate"]) == f"D:{content.dated.replace('-', '')}"
    kinds = tags(pdf)
    assert kinds[0] == "Document"
    assert kinds.count("H1") >= 1
    assert kinds.count("Table") == kinds.count("THead")


def test_no_page_is_empty() -> None:
    for name in CONTENTS:
        printed_pages = pages(pdf_of(name))
        assert all(len(page) > 60 or is_back_of_cards(page) for page in printed_pages)


def is_back_of_cards(page: str) -> bool:
    """Return whether a page has the backs of several cards, which bear the warband's name."""
    return page.count("The Cardinal’s Guard") > 1


def test_a_roster_has_its_sums_and_the_line_on_morale() -> None:
    content = samples.warband(samples.NAMES[:8])
    pdf = printed(content).pdf
    first, whole = pages(pdf)[0], text(pdf)
    assert "Morale test after losing 2" in first
    assert f"Total points {content.roster.points} / 300" in first
    assert f"Number of fighters {content.roster.fighters}" in first
    for price in content.roster.prices:
        priced = f"{price.profile} {price.count} at {price.points}: ".replace("'", "’")
        assert priced.lower() in whole.lower()


def test_serving_fighters_have_boxes_to_tick() -> None:
    content = samples.warband(samples.NAMES[:2])
    assert text(printed(content).pdf).count("Stunned") == 4


def test_a_battle_shows_each_victory_point_and_its_reason() -> None:
    content = samples.battle_summary()
    page_text = text(pdf_of("battle"))
    for side in content.battle.sides:
        assert side.warband.replace("'", "’") in page_text
        for line in side.lines:
            note = content.battle.citations.index(line.rule) + 1
            assert f"+{line.amount} {line.sentence}{note}" in page_text
    assert "1 Standard victory points 2 Capture" in page_text
    assert "† Jean le Bref II killed by a sword, by Porthos" in page_text
    assert "+3: survived" in page_text


def test_a_campaign_shows_the_table_and_the_rule_for_ties() -> None:
    content = samples.campaign(3, 2, samples.NAMES[:5])
    page_text = text(pdf_of("campaign"))
    assert re.search(r"1 The Cardinal’s Guard Bob 5 4 1 0 31 12 \+19 13", page_text)
    assert content.tie_rule in page_text
    assert content.scoring in page_text
    assert "once for each enemy" in page_text


def test_a_campaign_tells_its_battles_honours_its_veterans_and_remembers_its_dead() -> None:
    content = samples.campaign(3, 2, samples.NAMES[:5])
    page_text = text(pdf_of("campaign"))
    assert "lanterns shuttered" in page_text
    assert "In memoriam" in page_text
    assert "7 March 2026 · Fog in the Rue des Fossoyeurs" in page_text
    assert page_text.count("killed by Porthos") == len(content.memorial)
    for roster in content.rosters:
        assert page_text.count(roster.name) > 1


def test_an_empty_campaign_says_so() -> None:
    page_text = text(pdf_of("empty campaign"))
    assert "No confirmed battles yet." in page_text
    assert "No warband has entered yet." in page_text
    assert "In memoriam" not in page_text


def test_the_contents_name_the_page_on_which_each_thing_begins() -> None:
    pdf, anchors = print_of("campaign").pdf, print_of("campaign").anchors
    all_pages = pages(pdf)
    labels = reader(pdf).page_labels
    for anchor, title in (
        ("standings", "Standings"),
        ("memorial", "In memoriam"),
        ("battle-b2", "The Well of Saint-Cyr, 7 March 2026"),
    ):
        page = labels[anchors[anchor]]
        assert re.search(rf"{title} [ .]*{page}\b", all_pages[1])


def test_front_matter_has_roman_numbers_and_the_rest_begins_at_1() -> None:
    labels = reader(pdf_of("campaign")).page_labels
    assert labels[:4] == ["i", "ii", "1", "2"]


def test_bookmarks_lead_to_chapters_and_battles() -> None:
    marks = bookmarks(pdf_of("campaign"))
    assert marks == [
        (0, "Contents"),
        (0, "Standings"),
        (0, "The battles"),
        (1, "1. Fog in the Rue des Fossoyeurs"),
        (1, "2. The Well of Saint-Cyr"),
        (1, f"3. {samples.LONG}"),
        (0, "Veterans"),
        (1, "Records"),
        (0, "Who killed whom"),
        (0, "In memoriam"),
        (0, "Warband the 1th"),
        (0, "Warband the 2th"),
        (0, "About this book"),
        (1, "Settings"),
    ]


def test_a_heading_in_a_story_makes_no_bookmark() -> None:
    assert not [title for _, title in bookmarks(pdf_of("battle")) if "What was lost" in title]


def test_markup_in_names_is_text() -> None:
    page_text = text(printed(samples.warband((samples.NASTY, "Ana"))).pdf)
    assert '<script>alert(1)</script><b onclick="x">Bold & brash</b>' in page_text


def test_names_in_other_scripts_are_set_in_typefaces_of_our_own() -> None:
    pdf = printed(
        samples.warband(("山田長政", "שמעון", "محمد", "Łukasz Żółkiewski", "Ф. Кривонос"))
    ).pdf
    fonts = {str(name) for page in reader(pdf).pages for name in _fonts(page)}
    assert {name.split("+")[1] for name in fonts} <= {
        "Muster-Serif",
        "Muster-Serif-Italic",
        "Muster-Sans",
        "Muster-Sans-Medium",
        "Muster-Sans-Bold",
        "Muster-Arabic",
        "Muster-Hebrew",
        "Muster-East-Asian",
    }
    page_text = text(pdf)
    assert "山田長政" in page_text
    assert "Łukasz Żółkiewski" in page_text
    assert "Ф. Кривонос" in page_text


def _fonts(page: object) -> list[object]:
    fonts = page["/Resources"]["/Font"]  # type: ignore[index]
    return [font.get_object()["/BaseFont"] for font in fonts.values()]


NAMES = {
    "long": samples.LONG,
    "one word": samples.ENDLESS,
    "wide": "W" * 100,
    "Chinese": "山" * 100,
    "Arabic": "م" * 100,
}


@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES)
def test_a_name_of_any_length_stays_on_the_page(name: str) -> None:
    content = samples.campaign(1, 1, (name, "Ana"))
    title = replace(content, title=name, club=name, battles=(samples.battle(1, name),))
    assert _overhang(title) <= 0
    assert _overhang(samples.career(name)) <= 0
    assert _overhang(replace(samples.rank_ups(), warband=name)) <= 0


def _overhang(content: AnyContent) -> float:
    """Return by how much the widest line of text exceeds its page, in pixels; negative for none.

    Running heads are left out: they are cut off where they would meet.
    """
    (plan,) = plans(content)
    layout = laid_out(markup(plan), paper="Letter")
    return max(
        box.position_x + box.width - page.width
        for page in layout.pages
        for box in page._page_box.children[0].descendants()
        if isinstance(box, TextBox)
    )


def test_control_characters_in_names_are_left_out() -> None:
    assert "Porthos" in text(printed(samples.warband(("Por\x07th\x1bos\x0b",))).pdf)


@pytest.mark.soak("papers on which no card of any height is divided", each=1, sample=1)
@pytest.mark.parametrize("paper", PAPERS)
def test_a_card_is_never_cut_in_half(paper: str) -> None:
    """Every card's words, the first and the last, are on one page; with cards of all heights.

    The name, which is first, is on the back as well.
    """
    cards = tuple(_long_card(place) for place in range(23))
    content = samples.warband(samples.NAMES[:5])
    roster = replace(content.roster, cards=cards)
    all_pages = pages(printed(replace(content, roster=roster), paper).pdf)
    for place in range(23):
        (front,) = _where(all_pages, f"Mid{place}x")
        assert _where(all_pages, f"End{place}x") == (front,)
        assert f"Begin{place}x" in all_pages[front]


def _long_card(place: int) -> samples.Card:
    notes = tuple(
        samples.Glossed(f"Attribute {number}", "and what it means at length")
        for number in range(place % 11)
    )
    weapons = (samples.Weapon(f"Mid{place}x", "24″", "rules " * (place % 7)),)
    attributes = (*notes, samples.Glossed(f"End{place}x"))
    card = samples.card(f"Begin{place}x", place)
    return replace(card, weapons=weapons, attributes=attributes, gone=False)


def _where(all_pages: list[str], word: str) -> tuple[int, ...]:
    page_numbers = tuple(number for number, page in enumerate(all_pages) if word in page)
    assert len(page_numbers) == 1, f"{word} is on pages {page_numbers}"
    return page_numbers


def test_a_row_of_a_table_is_never_cut_in_half() -> None:
    """Rows of one to six lines: the first word of a row is on the page of its last one."""
    casualties = tuple(
        samples.Casualty(f"First{row}x", "", 2, "wounded " * (1 + row % 6 * 4) + f"Last{row}x")
        for row in range(60)
    )
    content = samples.battle_summary()
    sides = tuple(replace(side, casualties=casualties) for side in content.battle.sides[:1])
    long = replace(content, battle=replace(content.battle, sides=sides))
    all_pages = pages(print_plan(Plan(long), paper="A4", identifier=IDENTIFIER).pdf)
    assert len(all_pages) > 1
    for row in range(60):
        assert _where(all_pages, f"First{row}x") == _where(all_pages, f"Last{row}x")


def test_table_head_repeats_on_each_page() -> None:
    casualties = tuple(
        samples.Casualty(f"Somebody {row}", "", 2, "killed", dead=True) for row in range(90)
    )
    content = samples.battle_summary()
    sides = tuple(
        replace(side, casualties=casualties, earned=()) for side in content.battle.sides[:1]
    )
    long = replace(content, battle=replace(content.battle, sides=sides))
    all_pages = pages(print_plan(Plan(long), paper="A4", identifier=IDENTIFIER).pdf)
    rows = [page for page in all_pages if "Somebody" in page]
    assert len(rows) > 1
    assert all(content.battle.sides[0].warband.replace("'", "’") in page for page in rows)


def test_a_fallen_is_remembered_on_one_page() -> None:
    memorial = tuple(
        samples.Fallen(f"Name{n}x", f"at-{n}", profile="Soldier", epitaph=f"End{n}x")
        for n in range(70)
    )
    content = replace(samples.campaign(1, 1, ("Ana",)), memorial=memorial)
    all_pages = pages(printed(content).pdf)
    for number in range(70):
        assert _where(all_pages, f"Name{number}x") == _where(all_pages, f"End{number}x")


@pytest.mark.parametrize("paper", ["A4", "Letter"])
@pytest.mark.parametrize("number", [1, 7, 20])
def test_the_roster_for_the_table_takes_one_page_for_up_to_twenty(paper: str, number: int) -> None:
    most = number + 2 if number > 5 else number  # the samples bury two of the first twelve
    names = tuple(
        f"{first} {last}" for first in ("Jan", "Piet", "Hans", "Kees", "Wim") for last in LAST_NAMES
    )
    content = samples.warband(names[: most - (number == 7)])
    assert len(content.roster.groups[0].rows) == number
    bare = replace(content, roster=replace(content.roster, cards=(), prices=()))
    first, *others = pages(printed(bare, paper).pdf)
    assert all(row.name in first for row in content.roster.groups[0].rows)
    # Next to twenty fighters, there is no room for the quick reference.
    assert len(others) == (number == 20)
