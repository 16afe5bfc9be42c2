"""A book of sixty battles, which is set in parts: whatever holds for a small one holds for it."""

import pytest

from scripts.prints.measures import page_fills
from tests.documents import test_filled_pages as filling
from tests.documents import test_tags as tagging
from tests.documents import test_truth_of_books as truth
from tests.documents.played import Shelf
from tests.documents.reading_tags import document

CASE = "sixty-battles"
MEAN_FILL = 0.85
"""The least mean share of a page that its battles take."""
PAGES = (
    filling.pages_are_filled,
    filling.headings_have_text,
    tagging.test_page_content_is_tagged_or_artefact,
    tagging.test_marks_lead_back_to_their_elements,
    tagging.test_headings_begin_at_the_top_and_skip_no_level,
    tagging.test_tables_are_whole_and_their_header_cells_say_what_they_head,
    tagging.test_figures_have_text_alternatives,
    tagging.test_links_say_where_they_lead_and_get_there,
)
FACTS = (
    truth.test_the_table_is_what_the_battles_came_to,
    truth.test_each_side_has_its_points_with_their_reasons,
    truth.test_deaths_match_result_sheet_and_memorial,
    truth.test_everybody_who_died_is_remembered_once,
    truth.test_memorial_has_day_battle_and_killer,
    truth.test_veterans_have_served_and_earned_what_their_chronicle_says,
)

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]


@pytest.mark.soak("checks of a book of sixty battles", each=1, sample=0)
@pytest.mark.parametrize("check", PAGES, ids=lambda check: check.__name__)
def test_its_pages(shelf: Shelf, check):
    check(shelf.printed(CASE, "campaign").pdf)


@pytest.mark.soak("checks of a book of sixty battles", each=1, sample=0)
@pytest.mark.parametrize("check", FACTS, ids=lambda check: check.__name__)
def test_its_facts(shelf: Shelf, check):
    played = shelf.case(CASE)
    check(played, played.contents["campaign"])


def battle_pages(pdf: bytes) -> list[set[int]]:
    """Return the pages (from 0) of each battle of a book."""
    articles = [each for each in document(pdf).walk() if each.kind == "Art"]
    return [{mark.page for mark in each.all_marks()} for each in articles]


@pytest.mark.soak("pages of the battles of hard cases", each=1, sample=1)
@pytest.mark.parametrize("paper", ["A4", "Letter"])
def test_no_page_begins_inside_a_battle(shelf: Shelf, paper: str) -> None:
    pages = battle_pages(shelf.printed(CASE, "campaign", paper).pdf)
    assert len(pages) == 60
    assert [place for place, on in enumerate(pages, start=1) if len(on) != 1] == []


@pytest.mark.soak("pages of the battles of hard cases", each=1, sample=1)
@pytest.mark.parametrize("paper", ["A4", "Letter"])
def test_pages_of_battles_are_filled(shelf: Shelf, paper: str) -> None:
    pdf = shelf.printed(CASE, "campaign", paper).pdf
    fills = [*page_fills(pdf)]
    pages = sorted(set().union(*battle_pages(pdf)))
    assert sum(fills[page] for page in pages) / len(pages) >= MEAN_FILL
