"""A book as a booklet, and for a print shop."""

from typing import Any

import pytest
from msgspec.structs import replace

from core.errors import InvalidInput
from documents.content.documents import MakeUp
from documents.content.print_jobs import Plan, back_matter, plans
from documents.imposition import MAX_SECTION, booklet, saddle_stitched
from documents.models import DocumentKind, DocumentOption
from documents.pagination import print_plan
from documents.printing import markup, page_numbers, typeset
from documents.services.parts import made_up
from documents.services.requesting import stored_options
from tests.documents import samples
from tests.documents.reading_pdfs import IDENTIFIER, pages, printed, reader

MILLIMETRE = 72 / 25.4


@pytest.fixture(scope="module")
def book() -> bytes:
    return printed(samples.campaign_with()).pdf


@pytest.fixture(scope="module")
def folded(book: bytes) -> bytes:
    return booklet(book, paper="A4", identifier=IDENTIFIER)[0]


def test_eight_pages_are_in_the_order_of_two_folded_sheets() -> None:
    assert list(saddle_stitched(8)) == [(7, 0), (1, 6), (5, 2), (3, 4)]


def test_the_last_pages_are_blank_up_to_a_multiple_of_four() -> None:
    assert list(saddle_stitched(5)) == [(None, 0), (1, None), (None, 2), (3, 4)]


@pytest.mark.parametrize("count", [1, MAX_SECTION, MAX_SECTION + 1, 255])
def test_every_page_is_on_the_sheets_once(count: int) -> None:
    sides = list(saddle_stitched(count))
    assert len(sides) == 2 * -(-count // 4)
    assert sorted(page for side in sides for page in side if page is not None) == [*range(count)]


def test_a_long_book_has_several_sections() -> None:
    sides = list(saddle_stitched(MAX_SECTION + 4))
    first, second = sides[:18], sides[18:]
    assert {page for side in first for page in side} == {*range(36)}
    assert {page for side in second for page in side} == {*range(36, 68)}


def test_a_side_of_a_booklet_has_two_pages_of_the_book(book: bytes, folded: bytes) -> None:
    count = len(pages(book))
    sides = list(saddle_stitched(count))
    file = reader(folded)
    assert len(file.pages) == len(sides)
    assert [round(float(edge)) for edge in file.pages[0].mediabox[2:]] == [842, 595]
    for (left, right), text in zip(sides, pages(folded), strict=True):
        for page in (left, right):
            if page is not None:
                assert pages(book)[page][:30] in text


def test_a_booklet_does_not_claim_to_be_accessible(folded: bytes) -> None:
    catalogue: Any = reader(folded).root_object
    assert {"/StructTreeRoot", "/MarkInfo", "/Metadata", "/Names"}.isdisjoint(catalogue)
    assert catalogue["/ViewerPreferences"]["/Duplex"] == "/DuplexFlipShortEdge"


def test_the_same_book_makes_the_same_booklet(book: bytes, folded: bytes) -> None:
    assert booklet(book, paper="A4", identifier=IDENTIFIER) == (folded, len(reader(folded).pages))


def test_only_a_booklet_is_folded(book: bytes) -> None:
    content = samples.campaign_with()
    whole = printed(content)
    assert made_up(content, whole, paper="A4", identifier=IDENTIFIER) is whole
    as_booklet = replace(content, make_up=MakeUp.BOOKLET)
    folded = made_up(as_booklet, whole, paper="Letter", identifier=IDENTIFIER)
    assert [float(edge) for edge in reader(folded.pdf).pages[0].mediabox[2:]] == [792, 612]


def test_a_print_shop_gets_three_millimetres_around_each_page() -> None:
    content = samples.campaign_with(make_up=MakeUp.PRINT_SHOP)
    (whole,) = plans(content)
    colophon = print_plan(back_matter(whole, {}), paper="A4", identifier=IDENTIFIER)
    numbers = typeset(page_numbers(1, bleeds=True), paper="A4", identifier=IDENTIFIER)
    for page in (*reader(colophon.pdf).pages, *reader(numbers.pdf).pages):
        trim, media = page.trimbox, page.mediabox
        assert page.bleedbox == media
        assert float(trim.left - media.left) == pytest.approx(3 * MILLIMETRE, abs=0.01)
        assert float(media.top - trim.top) == pytest.approx(3 * MILLIMETRE, abs=0.01)
        assert float(trim.width) == pytest.approx(210 * MILLIMETRE, abs=0.01)


def test_other_books_have_no_bleed() -> None:
    assert "bleed" not in markup(Plan(samples.campaign_with()))


def test_a_booklet_for_a_print_shop_is_refused() -> None:
    options = (DocumentOption.PRINT_SHOP, DocumentOption.BOOKLET)
    with pytest.raises(InvalidInput) as refused:
        stored_options(DocumentKind.CAMPAIGN, options)
    assert (refused.value.code, refused.value.field) == ("options-exclude", "options")


def test_options_of_a_book_are_stored_in_their_order() -> None:
    options = (DocumentOption.COVER_PHOTO, DocumentOption.BOOKLET)
    assert stored_options(DocumentKind.CAMPAIGN, options) == "booklet,cover-photo"
