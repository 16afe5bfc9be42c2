"""Full pages of documents: no page is half empty or ends with a heading."""

from collections.abc import Iterator
from itertools import pairwise

import pytest

from documents.models import DocumentKind, Language, papers_of
from scripts.prints.measures import page_fills
from tests.documents.played import Shelf
from tests.documents.reading_pdfs import reader
from tests.documents.reading_tags import Element, Mark, document, words_of

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]

HALF = 0.5
CAMPAIGNS = [
    "four-sides",
    "nobody-left",
    "all-tied",
    "long-names-en-garde",
    "long-names-argad",
    "long-names-wards",
]
DOCUMENTS = [
    *((case, "campaign") for case in CAMPAIGNS),
    ("four-sides", "battle"),
    ("four-sides", "career"),
    ("four-sides", "roster-1-with-all"),
    ("long-names-wards", "roster-1-with-all"),
]
KINDS = ("campaign", "battle", "career", "roster-1-with-all")
CASE_OF = {Language.ENGLISH: "four-sides", Language.GERMAN: "nobody-left"}
SAMPLE = [(CASE_OF[language], name, language) for language in CASE_OF for name in KINDS]
"""One document of each kind in each language. A normal run prints these, and `make soak` also the
others: all of them take minutes."""
OTHERS = [
    (case, name, language)
    for case, name in DOCUMENTS
    for language in CASE_OF
    if (case, name, language) not in SAMPLE
]
sampled = pytest.mark.parametrize(("case", "name", "language"), SAMPLE)


def others(test):
    """Give a test the documents that are not in the sample."""
    soak = pytest.mark.soak("difficult documents whose pages are well filled", each=1, sample=0)
    return soak(pytest.mark.parametrize(("case", "name", "language"), OTHERS)(test))


@pytest.fixture
def pdf(shelf: Shelf, case: str, name: str, language: str) -> bytes:
    return shelf.printed(case, name, language=language).pdf


@sampled
def test_no_page_is_less_than_half_full_but_the_last_of_a_part(pdf, name):
    pages_are_filled(pdf, roster=name.startswith("roster"))


@others
def test_no_page_of_other_documents_is_less_than_half_full(pdf, name):
    pages_are_filled(pdf, roster=name.startswith("roster"))


def pages_are_filled(pdf: bytes, *, roster: bool = False) -> None:
    begun = {*beginnings(pdf, roster=roster), len(reader(pdf).pages)}
    fills = list(page_fills(pdf))
    front = [label.isalpha() for label in reader(pdf).page_labels]
    scant = {
        page: round(fill, 2) for page, fill in enumerate(fills) if fill < HALF and not front[page]
    }
    assert {page: fill for page, fill in scant.items() if page + 1 not in begun} == {}


def beginnings(pdf: bytes, *, roster: bool) -> Iterator[int]:
    """Yield the pages (from 0) on which a part begins, by the bookmarks.

    The bookmarks of a roster are below its name.
    """
    file = reader(pdf)
    for mark in file.outline:
        parts = mark if isinstance(mark, list) else [mark]
        if roster or mark is not parts:
            yield from (
                file.get_destination_page_number(part) or 0
                for part in parts
                if not isinstance(part, list)
            )


@sampled
def test_no_page_ends_with_heading(pdf):
    headings_have_text(pdf)


@others
def test_no_page_of_other_documents_ends_with_heading(pdf):
    headings_have_text(pdf)


def headings_have_text(pdf: bytes) -> None:
    """The next text, table or picture is on the heading's page."""
    leaves = list(_leaves(document(pdf), None))
    for (mark, heading), (after, following) in pairwise(leaves):
        if heading is not None and following is not heading:
            assert after.page == mark.page, words_of(pdf, heading)


def _leaves(element: Element, heading: Element | None) -> Iterator[tuple[Mark, Element | None]]:
    """Yield every piece of content in reading order, with its heading."""
    heading = element if len(element.kind) == 2 and element.kind[0] == "H" else heading
    for each in element.order:
        if isinstance(each, Mark):
            yield each, heading
        else:
            yield from _leaves(each, heading)


@pytest.mark.parametrize("paper", papers_of(DocumentKind.ROSTER))
@pytest.mark.parametrize("name", ["roster-1", "roster-2"])
def test_twenty_long_names_fit_one_page(shelf, name, paper):
    """The quick reference may be on the next page."""
    _, *others = reader(shelf.printed("long-names-en-garde", name, paper).pdf).pages
    assert all(page.extract_text().startswith("Quick reference") for page in others)
    assert len(others) <= 1


@pytest.mark.parametrize("case", ["four-sides", "long-names-en-garde", "long-names-wards"])
def test_a_battle_takes_three_pages_at_most(shelf, case):
    assert shelf.printed(case, "battle").pages <= 3


@pytest.mark.parametrize(("case", "most"), [("four-sides", 5), ("long-names-en-garde", 3)])
def test_a_battle_takes_one_page_of_the_book_and_so_does_a_roster(shelf, case, most):
    """Of four sides as well, and of twenty with long names.

    The first battle with long names is taller than a page (267 of 249 mm), as its type does not
    shrink. The second one has a page.
    """
    book = shelf.printed(case, "campaign")
    after = book.anchors.get("ending", book.anchors["veterans"])
    assert after - book.anchors["battles"] <= most
    chapters = sorted(
        (page, anchor)
        for anchor, page in book.anchors.items()
        if anchor.startswith(("warband-", "roster-")) or anchor == "index"
    )
    rosters = [
        following - page
        for (page, anchor), (following, _) in pairwise(chapters)
        if anchor.startswith("roster-")
    ]
    assert max(rosters) <= 1
