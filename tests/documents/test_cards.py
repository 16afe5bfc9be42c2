"""Cards: 63 by 88 mm on every paper, with figures in the same place and backs behind their fronts."""

from collections.abc import Iterator
from typing import Any

import pytest
from msgspec.structs import replace

from documents.content.print_jobs import plans
from documents.printing import laid_out, markup
from documents.templatetags.charts import figure_of
from documents.templatetags.printed import card_pages
from tests.documents import samples
from tests.documents.every_list import every_list, full_roster

MILLIMETRE = 96 / 25.4
SLOT = (63 * MILLIMETRE, 88 * MILLIMETRE)


def cards_of(ruleset: str, faction: str, number: int = 9) -> str:
    return markup(plans(full_roster(ruleset, faction, number, ("cards",)))[0])


def boxes(page: Any, tag: str, name: str) -> Iterator[Any]:
    """Yield the boxes of a page with this tag and class."""
    for box in page._page_box.descendants():
        element = box.element if box.element_tag == tag else None
        if element is not None and name in element.get("class", "").split():
            yield box


def pages_of_cards(html: str, paper: str) -> list[Any]:
    pages = laid_out(html, paper=paper).pages
    return [page for page in pages if any(boxes(page, "div", "slot"))]


@pytest.mark.soak("pages of nine cards, one for each list", each=1, sample=3)
@pytest.mark.parametrize(("ruleset", "faction"), every_list())
def test_nine_cards_of_each_list_fit_a_page_in_the_size_of_a_sleeve(
    ruleset: str, faction: str
) -> None:
    pages = pages_of_cards(cards_of(ruleset, faction), "Letter")
    assert len(pages) == 2, "the fronts and the backs"
    for page in pages:
        sizes = [(box.margin_width(), box.margin_height()) for box in boxes(page, "div", "slot")]
        assert len(sizes) == 9
        assert all(size == pytest.approx(SLOT, abs=0.5) for size in sizes)


def test_margins_of_a_full_card_stay_in_its_slot() -> None:
    """This list has a card that is full to the last line: a margin below it broke the page."""
    assert len(pages_of_cards(cards_of("argad", "company"), "Letter")) == 2


def test_text_is_as_large_as_its_card_allows() -> None:
    page, _ = pages_of_cards(cards_of("en-garde", "conquistadors"), "A4")
    faces = list(boxes(page, "div", "face"))
    sizes = {box.style["font_size"] for box in faces}
    assert len(sizes) > 1, "fighters with little on their card have larger type"
    assert max(box.margin_height() for box in faces) <= 85 * MILLIMETRE + 0.5


def test_the_figure_is_in_the_same_place_on_every_card() -> None:
    html = markup(plans(full_roster("en-garde", "landsknechts", 9, ("cards", "dead"), dead=3))[0])
    (page, _) = pages_of_cards(html, "Letter")
    slots = list(boxes(page, "div", "slot"))
    # A floating box is there twice, with the same position.
    pictures = sorted({(box.position_y, box.position_x) for box in boxes(page, "div", "picture")})
    places = {
        (round(x - slot.position_x, 1), round(y - slot.position_y, 1))
        for slot, (y, x) in zip(slots, pictures, strict=True)
    }
    assert len(places) == 1


@pytest.mark.parametrize("number", range(1, 29))
def test_no_page_has_a_single_card(number: int) -> None:
    cards = [samples.card("Ana", 1)] * number
    counts = [
        sum(slot.card is not None for row in page for slot in row) for page in card_pages(cards)
    ]
    assert sum(counts) == number
    assert max(counts) <= 9
    assert number == 1 or min(counts) > 1


def test_backs_lie_behind_their_fronts_when_both_sides_are_printed() -> None:
    html = cards_of("wards", "army", 9)
    fronts, backs = pages_of_cards(html, "A4")
    width = fronts._page_box.margin_width()
    names = [
        {
            (round(box.position_x, 1), round(box.position_y, 1)): "".join(box.element.itertext())
            for box in boxes(page, "div", "slot")
        }
        for page in (fronts, backs)
    ]
    for (x, y), face in names[0].items():
        behind = names[1][round(width - x - SLOT[0], 1), y]
        assert behind.split("\n")[-1].strip() in face or behind.strip()[-8:] in face


def test_each_card_has_a_silhouette_and_the_arms_of_its_warband_on_the_back() -> None:
    html = cards_of("wards", "army")
    assert html.count("Figure of ") == 9
    assert html.count("The arms of The Long Company") == 10


def test_a_move_has_its_lengths() -> None:
    assert "3″, 6″, 9″" in cards_of("en-garde", "landsknechts")


def test_the_dead_have_memorial_cards_without_numbers() -> None:
    content = full_roster("en-garde", "landsknechts", 2, ("cards", "dead"), dead=1)
    html = markup(plans(content)[0])
    assert html.count('class="face memorial"') == html.count('class="face"') == 1
    _, memorial = html.split('class="face memorial"')
    assert "killed" in memorial
    assert 'class="figures"' not in memorial


def test_a_card_with_much_on_it_is_set_smaller() -> None:
    plain = samples.card("Ana", 1)
    notes = tuple(
        samples.Glossed(f"Attribute {number}", "and what it means at length") for number in range(9)
    )
    assert plain.fullness == ""
    assert replace(plain, attributes=(), weapons=(), ticked=()).fullness == "sparse"
    assert replace(plain, attributes=notes).fullness == "full"
    assert replace(plain, attributes=notes * 2).fullness == "brimming"


def test_cards_of_gone_fighters_are_pale() -> None:
    card = full_roster("en-garde", "landsknechts", 2, ("cards", "dead"), dead=1).roster.cards
    same = [figure_of(each, "#7a2e2e") == figure_of(each, "#2b4c7e") for each in card]
    assert same == [False, True], "the colour of a warband is for those who serve"
