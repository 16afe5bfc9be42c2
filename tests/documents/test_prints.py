"""`make prints`: which documents of a campaign are printed, and how their pages are shown."""

import pytest
from PIL import Image

from battles.models import Battle
from campaigns.models import Campaign
from documents.models import DocumentKind
from scripts.prints.pictures import ACROSS, GAP, THUMBNAIL, contact_sheet, draw_pages
from scripts.prints.press import wishes
from tests.documents import samples
from tests.documents.conftest import subject_of
from tests.documents.reading_pdfs import printed

pytestmark = pytest.mark.one_database


def test_a_pdf_is_drawn_page_by_page_and_on_a_sheet(tmp_path):
    pdf = tmp_path / "empty.pdf"
    result = printed(samples.empty_campaign())
    pdf.write_bytes(result.pdf)
    sheet, *pages = draw_pages(pdf)
    assert sheet.name == "empty-sheet.png"
    assert [page.relative_to(tmp_path).as_posix() for page in pages] == [
        f"empty/page-{number:03}.png" for number in range(1, result.pages + 1)
    ]


@pytest.mark.parametrize(("pages", "rows"), [(1, 1), (ACROSS, 1), (ACROSS + 1, 2)])
def test_a_sheet_has_its_pages_in_rows(pages, rows):
    sheet = contact_sheet([Image.new("RGB", (600, 800), "#ffffff")] * pages)
    assert sheet.size == (GAP + min(pages, ACROSS) * (THUMBNAIL + GAP), GAP + rows * (400 + GAP))


@pytest.mark.django_db
def test_of_a_campaign_every_kind_of_document_is_printed(campaign: Campaign, battle: Battle):
    for kind in (DocumentKind.FIXTURES, DocumentKind.PROGRAMME, DocumentKind.CERTIFICATE):
        subject_of(kind, battle, campaign)
    campaign.refresh_from_db()
    names = [each.name for each in wishes(campaign)]
    of_both = [
        name
        for place in (1, 2)
        for name in (f"roster-{place}", f"roster-{place}-with-all", f"rank-ups-{place}")
    ]
    sheets = ["quick-reference", "result-sheet", "standings", "fixtures"]
    programmes = ["programme", "programme-with-names"]
    of_battle = ["battle", "result-card"]
    keepsakes = ["certificate", "memorial", "history"]
    assert names == [
        *("campaign", *of_battle, *of_both, "career", "blank"),
        *(*sheets, *programmes, *keepsakes),
    ]
    assert {each.kind for each in wishes(campaign)} == set(DocumentKind)


@pytest.mark.django_db
def test_before_the_first_battle_there_is_none_to_print(campaign: Campaign):
    assert "battle" not in [each.name for each in wishes(campaign)]
