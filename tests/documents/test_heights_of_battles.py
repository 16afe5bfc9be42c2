"""Estimated heights against those that the printer comes to: what pages are planned with has to be
true."""

import pytest
from msgspec.structs import replace

from documents.content.documents import CampaignSummary
from documents.content.page_breaks import FORMS
from documents.content.print_jobs import Plan, ShownPictures
from documents.content.structs import BattleNarrative
from documents.content.text_heights import FontFace, battle_height, lines, serif
from documents.printing import laid_out, markup
from tests.documents import samples
from tests.documents.played import Shelf

MILLIMETRE = 25.4 / 96
TOO_LOW, TOO_HIGH = 6.0, 15.0
"""The tolerance of an estimate in millimetres: one line too low, or several too high."""


def test_words_go_on_in_the_next_line_where_one_does_not_hold_them() -> None:
    assert lines([], 10) == 0
    assert lines([4, 6.5], 10) == 1, "the space behind the last word hangs over"
    assert lines([4, 6.5, 1], 10) == 2
    assert lines([4, 7], 10) == 2
    assert lines([25, 5, 1], 10) == 3, "one that is wider than a line is broken"
    assert lines([25, 8], 10) == 4


def test_a_text_is_as_wide_as_its_letters() -> None:
    face = FontFace("alegreya-sans-regular", 10, 4)
    narrow, wide = (sum(face.words(text)) for text in ("illi fili", "WWWW MMMM"))
    assert wide > 3 * narrow
    assert sum(serif(20, 1).words("Jan")) == pytest.approx(2 * sum(serif(10, 1).words("Jan")))
    assert sum(face.words("محمد")) > 0


@pytest.mark.django_db
@pytest.mark.one_database
@pytest.mark.soak("battles whose heights are estimated", each=4, sample=2)
@pytest.mark.parametrize(
    "case",
    [
        "four-sides",
        "nobody-left",
        "all-tied",
        *(f"long-names-{name}" for name in ("en-garde", "argad", "wards")),
    ],
)
def test_a_battle_is_about_as_tall_as_it_is_estimated_in_every_form(
    shelf: Shelf, case: str
) -> None:
    content = shelf.case(case).contents["campaign"]
    assert isinstance(content, CampaignSummary)
    for battle in content.battles:
        shortened = replace(battle, journal=())
        for small, form in enumerate(FORMS):
            estimated = battle_height(shortened, content.words, **form)
            taken = set_height(content, shortened, small)
            assert taken - TOO_LOW <= estimated <= taken + TOO_HIGH, (battle.number, form)


def set_height(content: CampaignSummary, battle: BattleNarrative, form: int) -> float:
    """Return the height of the battle when it is set on one tall page."""
    bare = samples.campaign_with(
        battles=(battle,), veterans=(), records=(), memorial=(), rosters=(), words=content.words
    )
    ids = [(battle.id,) if form > least else () for least in range(3)]
    plan = Plan(bare, ShownPictures(apart=True), tight=ids[0], runs=ids[1], packed=ids[2])
    html = markup(plan).replace(
        "</head>", "<style>@page { size: 210mm 2000mm !important }</style></head>"
    )
    (page, *others) = laid_out(html, paper="A4").pages
    assert not others
    boxes = (box for box in page._page_box.descendants() if type(box).__name__ == "BlockBox")
    (article,) = (box for box in boxes if box.element is not None and box.element.tag == "article")
    return (article.margin_height() - article.margin_top - article.margin_bottom) * MILLIMETRE
