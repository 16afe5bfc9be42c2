"""The type of a book: its sizes, hyphens, and mirrored margins."""

import re
from collections.abc import Iterator
from io import BytesIO
from typing import Any
from unittest.mock import patch

import pypdfium2
import pytest
from msgspec.structs import replace
from weasyprint.formatting_structure.boxes import LineBox, TextBox

from documents.content import print_jobs
from documents.content.print_jobs import Plan, plans
from documents.languages import speaking
from documents.pagination import laid_out_plan
from documents.printing import SOFT_HYPHEN, with_breaks
from documents.services.parts import print_whole
from tests.documents import samples
from tests.documents.played import Shelf
from tests.documents.reading_pdfs import IDENTIFIER, reader

MAX_SIZES = 9
MILLIMETRE = 72 / 25.4
HYPHENS = ("-", "‐", SOFT_HYPHEN)
LONG_NAMES = (
    "Aurelius Theophrastus van den Berg-Villaverde",
    "Ocelotl, Juan de Trujillo",
    samples.LONG,
    samples.ENDLESS,
)


def book_plan() -> Plan:
    (plan,) = plans(samples.campaign(4, 2, samples.NAMES))
    return plan


def lines(layout: Any) -> Iterator[Any]:
    for page in layout.pages:
        yield from (each for each in page._page_box.descendants() if isinstance(each, LineBox))


def type_sizes(plan: Plan) -> set[float]:
    """Return all sizes of type of a plan, in points."""
    return {
        round(box.style["font_size"] * 0.75, 2)
        for page in laid_out_plan(plan, paper="A4").pages
        for box in page._page_box.descendants()
        if isinstance(box, TextBox) and box.text.strip()
    }


@pytest.mark.parametrize("of", ["book", "report"])
def test_few_sizes_of_type(of: str) -> None:
    sizes = type_sizes(book_plan() if of == "book" else Plan(samples.battle_summary(4)))
    assert len(sizes) <= MAX_SIZES, sorted(sizes)


@pytest.mark.django_db
@pytest.mark.one_database
def test_few_sizes_of_type_in_a_whole_played_book(shelf: Shelf) -> None:
    (plan,) = plans(shelf.case("nobody-left").contents["campaign"])
    assert len(type_sizes(plan)) <= MAX_SIZES


def test_type_is_same_size_in_every_battle() -> None:
    """However many casualties there are."""
    sizes = []
    for many in (1, 12, 30):
        side = samples.battle(1).sides[0]
        sides = tuple(
            replace(each, casualties=side.casualties[:1] * many) for each in samples.battle(1).sides
        )
        battle = replace(samples.battle(1), sides=sides, told=samples.TOLD)
        content = samples.campaign_with(
            battles=(battle,), journal=(), veterans=(), records=(), memorial=(), rosters=()
        )
        layout = laid_out_plan(plans(content)[0], paper="A4")
        sizes.append(
            {
                box.style["font_size"]
                for page in layout.pages
                for box in page._page_box.descendants()
                if isinstance(box, TextBox)
                and box.element is not None
                and "name" in (box.element.get("class") or "")
            }
        )
    assert sizes[0] == sizes[1] == sizes[2]


def named_battle() -> Plan:
    """Return a book of one battle in which everybody has a very long name."""
    bare = samples.battle(1)
    hurt = tuple(
        samples.Casualty(name, "", 2, "Grievous wound", (samples.Person(LONG_NAMES[0]),))
        for name in LONG_NAMES
    )
    sides = tuple(
        replace(side, warband=name, player=name, casualties=hurt)
        for side, name in zip(bare.sides, LONG_NAMES[2:], strict=True)
    )
    content = samples.campaign_with(
        battles=(replace(bare, sides=sides),),
        journal=(),
        veterans=(),
        records=(),
        memorial=(),
        rosters=(),
    )
    return plans(content)[0]


@pytest.mark.parametrize("paper", ["A4", "Letter"])
@pytest.mark.parametrize("language", ["en", "de"])
def test_no_name_breaks_without_hyphen(language: str, paper: str) -> None:
    with speaking(language):
        layout = laid_out_plan(named_battle(), paper=paper)
    words = {word for name in LONG_NAMES for word in re.split(r"[\s-]+", name)}
    broken = []
    for line in lines(layout):
        text = "".join(box.text for box in line.descendants() if isinstance(box, TextBox)).strip()
        last = re.split(r"[\s-]+", text)[-1] if text else ""
        begun = [word for word in words if len(last) > 2 and word.startswith(last) and word != last]
        if begun and not text.endswith(HYPHENS) and last not in words:
            broken.append(text)
    assert broken == []


@pytest.mark.parametrize("paper", ["A4", "Letter"])
def test_long_names_stay_within_margins(paper: str) -> None:
    for page in laid_out_plan(named_battle(), paper=paper).pages:
        body = page._page_box.children[0]
        right = body.content_box_x() + body.width
        ends = [
            box.position_x + box.width
            for box in body.descendants()
            if isinstance(box, TextBox) and box.text.strip()
        ]
        assert max(ends, default=0) <= right + 1


def test_numbers_of_battalions_stay_together() -> None:
    html = with_breaks("<head></head><p>I./57th and 1/2 of a/b</p><a href='x/1/2'>I./2</a>")
    assert html == (
        "<head></head><p>I./\u206057th and 1/\u20602 of a/b</p><a href='x/1/2'>I./\u20602</a>"
    )
    battle = replace(samples.battle(1), story="They marched with the I./57th Foot. " * 30)
    content = samples.campaign_with(battles=(battle,), veterans=(), memorial=(), rosters=())
    for line in lines(laid_out_plan(plans(content)[0], paper="A4")):
        text = "".join(box.text for box in line.descendants() if isinstance(box, TextBox)).strip()
        assert not text.endswith("I./")


def test_title_of_file_has_no_soft_hyphens() -> None:
    assert with_breaks(f"<title>{'a' * 40}</title></head>") == f"<title>{'a' * 40}</title></head>"


@pytest.mark.parametrize(
    ("language", "word"), [("en", "extraordinarily"), ("de", "Gefechtsberichterstatter")]
)
def test_running_text_is_hyphenated(language: str, word: str) -> None:
    battle = replace(samples.battle(1), story=f"{word} and ab " * 60)
    content = samples.campaign_with(battles=(battle,), veterans=(), memorial=(), rosters=())
    with speaking(language):
        layout = laid_out_plan(plans(content)[0], paper="A4")
    texts = [
        "".join(box.text for box in line.descendants() if isinstance(box, TextBox))
        for line in lines(layout)
    ]
    assert any(text.strip().endswith("‐") for text in texts)


@pytest.mark.parametrize("apart", [False, True], ids=["whole", "parts"])
def test_margins_are_mirrored(apart: bool) -> None:
    """The inner margin is 24 mm and the outer one 18, also if a part begins on a left page."""
    content = samples.campaign(5, 2, samples.NAMES[:5])
    most = 0 if apart else print_jobs.IN_ONE_GO
    with patch.object(print_jobs, "IN_ONE_GO", most), patch.object(print_jobs, "PAGES_A_PART", 1):
        pdf = print_whole(content, paper="A4", identifier=IDENTIFIER).pdf
    file = pypdfium2.PdfDocument(BytesIO(pdf))
    first = reader(pdf).page_labels.index("1")
    assert first % 2 == 0, "the first page of the body is a right page"
    seen = set()
    for number, page in enumerate(file):
        picture = (
            page.render(scale=2, grayscale=True).to_pil().point(lambda grey: 255 * (grey < 200))
        )
        box = picture.getbbox()
        if number < first or box is None or box[2] - box[0] < 160 * MILLIMETRE * 2:
            continue
        left = box[0] / 2 / MILLIMETRE
        expected = 24 if number % 2 == 0 else 18
        assert left == pytest.approx(expected, abs=1), number
        seen.add(expected)
    file.close()
    assert seen == {18, 24}
