"""Documents for screen readers: each is a complete PDF/UA-1 (ISO 14289-1), part by part.

No tool that knows all of its rules can be installed with ours. These tests check the rules for
documents like these.
"""

import re
from collections import Counter
from itertools import pairwise
from typing import Any

import pytest

from tests.documents.played import Shelf
from tests.documents.reading_tags import Element, document, painted, roots, words_of

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]

DOCUMENTS = [
    ("four-sides", "campaign"),
    ("four-sides", "battle"),
    ("four-sides", "career"),
    ("long-names-en-garde", "roster-2-with-all"),
    ("long-names-en-garde", "blank"),
    ("long-names-en-garde", "rank-ups-1"),
    ("nobody-left", "certificate"),
    ("nobody-left", "memorial"),
    ("nobody-left", "history"),
    ("long-names-wards", "campaign"),
    ("long-names-wards", "campaign in parts"),
    ("long-names-en-garde", "quick-reference"),
    ("league", "result-sheet"),
    ("league", "standings"),
    ("league", "fixtures"),
    ("league", "programme-with-names"),
]
every_document = pytest.mark.parametrize(("case", "name"), DOCUMENTS)


@pytest.fixture
def pdf(shelf: Shelf, case: str, name: str) -> bytes:
    name, _, parts = name.partition(" in ")
    return shelf.printed(case, name, apart=bool(parts)).pdf


@every_document
def test_page_content_is_tagged_or_artefact(pdf):
    """Tagged content is in the tree once, with its page."""
    counts = Counter(
        (mark.page, mark.number) for element in document(pdf).walk() for mark in element.marks
    )
    assert set(counts.values()) == {1}
    assert painted(pdf) <= set(counts)


@every_document
def test_marks_lead_back_to_their_elements(pdf):
    root = roots(pdf)
    for element in document(pdf).walk():
        for mark in element.marks:
            assert root.owner(mark.page, mark.number) == element.reference


@every_document
def test_headings_begin_at_the_top_and_skip_no_level(pdf):
    depths = [
        int(element.kind[1])
        for element in document(pdf).walk()
        if re.fullmatch("H[1-6]", element.kind)
    ]
    assert depths[0] == 1
    assert all(after <= before + 1 for before, after in pairwise(depths))


@every_document
def test_tables_are_whole_and_their_header_cells_say_what_they_head(pdf):
    for table in (element for element in document(pdf).walk() if element.kind == "Table"):
        rows = [element for element in table.walk() if element.kind == "TR"]
        widths = {sum(cell.columns for cell in row.kids) for row in rows}
        assert len(widths) == 1, f"rows of {widths} cells: {words_of(pdf, table)[:200]}"
        cells = [cell for row in rows for cell in row.kids]
        assert {cell.kind for cell in cells} <= {"TH", "TD"}
        heads = [cell for cell in cells if cell.kind == "TH"]
        assert heads
        assert all(cell.attributes["/Scope"] in ("/Row", "/Column") for cell in heads)


@every_document
def test_figures_have_text_alternatives(pdf):
    for figure in (element for element in document(pdf).walk() if element.kind == "Figure"):
        assert len(figure.alternative) > 5
        assert figure.attributes["/BBox"]


@every_document
def test_lists_are_lists_of_items(pdf):
    for element in document(pdf).walk():
        if element.kind == "L":
            assert {kid.kind for kid in element.kids} <= {"LI", "L", "Caption"}
        if element.kind == "LI":
            assert {kid.kind for kid in element.kids} <= {"Lbl", "LBody"}


@every_document
def test_links_say_where_they_lead_and_get_there(pdf):
    root = roots(pdf)
    tagged = {
        link for element in document(pdf).walk() if element.kind == "Link" for link in element.links
    }
    assert tagged == set(root.links())
    for link in root.links().values():
        assert str(link["/Contents"]).strip()
        assert not str(link["/Contents"]).startswith(("battle-", "roster-"))
        assert root.leads(link)


@every_document
def test_it_bears_its_title_and_its_language(pdf):
    catalogue: Any = roots(pdf).reader.root_object
    assert catalogue["/MarkInfo"]["/Marked"]
    assert catalogue["/ViewerPreferences"]["/DisplayDocTitle"]
    assert catalogue["/Lang"] == "en-GB"
    assert b"<pdfuaid:part>1</pdfuaid:part>" in catalogue["/Metadata"].get_data().replace(
        b"\n", b""
    ) or (b'pdfuaid:part="1"' in catalogue["/Metadata"].get_data())
    assert all(page["/Tabs"] == "/S" for page in roots(pdf).reader.pages)


def test_the_sides_of_a_battle_are_read_as_they_stand(shelf):
    """In a row, the left is read before the right: the columns of a table in order."""
    pdf = shelf.printed("four-sides", "battle").pdf
    for table in (element for element in document(pdf).walk() if element.kind == "Table"):
        for row in (element for element in table.walk() if element.kind == "TR"):
            lefts = [left for cell in row.kids if (left := roots(pdf).left_edge(cell)) is not None]
            assert lefts == sorted(lefts)


def test_page_numbers_and_running_heads_are_told_to_nobody(shelf):
    pdf = shelf.printed("four-sides", "campaign").pdf
    words = words_of(pdf, document(pdf))
    assert words.count("The battles") <= 2
    assert not re.search(r"\b\d+ / \d+\b", words)


def test_a_part_of_the_tree_knows_what_is_above_it(shelf):
    """Parts that are bound hang under one root."""
    pdf = shelf.printed("four-sides", "campaign").pdf
    root: Element = document(pdf)
    assert root.kind == "Document"
    assert all(kid.parent == root.reference for kid in root.kids)
