"""The choice of pages and forms of battles, from heights in millimetres."""

from random import Random

import pytest
from msgspec.structs import replace

from documents.content.print_jobs import CHART, BattleForm, PhotoSize
from documents.page_filling import (
    BETWEEN,
    GAP,
    MAX_CHART,
    MAX_GAP,
    SLACK,
    Blocks,
    PageFiller,
    filled,
    may_share_page,
)
from documents.print_resources import MAIN_WIDTH, TEXT_WIDTH

TALL = 249.0


def height(battles: list[Blocks], forms: tuple[BattleForm, ...]) -> float:
    """Return the height of battles below each other."""
    tall = sum(each.tall(form, form.gap or GAP) for each, form in zip(battles, forms, strict=True))
    above = battles[1:] if forms[0].flows else battles
    journals = [each.journal for each in above if each.journal]
    return tall + sum(journals) + BETWEEN * (len(battles) + len(journals) - 1)


def any_battle(dice: Random) -> Blocks:
    """Return a battle as campaigns have them; it fits on a page in some form."""
    lines = dice.randint(0, 26)
    photo = dice.choice((0, 0, 0, 62, 118))
    return Blocks(
        head=dice.uniform(48, 66),
        text=dice.uniform(20, 90),
        rows=4 + 4.3 * lines,
        run=6 + 1.6 * lines,
        beside=6 + 5 * lines,
        aside=dice.uniform(20, 80),
        hits=dice.choice((0, 34, 34, 34)),
        photos={"large": photo, "row": photo, "margin": photo / 3, "after": photo, "end": photo}
        if photo
        else {},
        journal=dice.choice((0, 0, 0, 0, 40)),
    )


@pytest.mark.parametrize("seed", range(40))
def test_battles_of_a_page_fit_on_it(seed: int) -> None:
    dice = Random(seed)
    battles = [any_battle(dice) for _ in range(20)]
    pages = PageFiller(battles, TALL, first=30).pages()
    after = {page.start + len(page.forms) for page in pages if page.forms[-1].photos == "after"}
    assert [page.start for page in pages] == sorted({page.start for page in pages})
    assert sum(len(page.forms) for page in pages) == len(battles)
    for page in pages:
        group = battles[page.start : page.start + len(page.forms)]
        used = height(group, page.forms) + (
            30 if page.start == 0 and not page.forms[0].fresh else 0
        )
        assert used <= TALL, page
        assert not any(form.divided for form in page.forms)
        if page.start not in after and not page.forms[0].flows:
            assert page.forms[0].fresh or page.start == 0
        assert not any(form.fresh for form in page.forms[1:])


def test_pages_are_filled() -> None:
    """The mean over campaigns with battles of all heights is at least 85 percent."""
    fills = []
    for seed in range(40):
        dice = Random(seed)
        battles = [any_battle(dice) for _ in range(20)]
        fills += [1 - page.free / TALL for page in PageFiller(battles, TALL, first=30).pages()]
    assert sum(fills) / len(fills) >= 0.85


def test_short_battles_share_a_page() -> None:
    (page,) = PageFiller([Blocks(head=60, text=10)] * 3, TALL).pages()
    assert len(page.forms) == 3


def test_casualties_are_next_to_the_text_if_that_lets_two_battles_share_a_page() -> None:
    short = Blocks(head=64, text=48, rows=30, beside=44)
    (page,) = PageFiller([short, short], TALL).pages()
    assert [form.beside for form in page.forms] == [True, True]
    assert height([short, short], page.forms) <= TALL
    tall = replace(short, beside=80)
    assert len(PageFiller([tall, tall], TALL).pages()) == 2
    assert not any(form.beside for form in replace(short, photos={"margin": 30}).forms)


def test_no_column_is_empty_next_to_casualties() -> None:
    battle = Blocks(head=60, text=50, rows=60, beside=45)
    assert forms_in(battle, TALL)[0].beside
    assert not forms_in(replace(battle, aside=20), TALL)[0].beside
    assert not forms_in(replace(battle, beside=300), TALL)[0].beside


def test_chart_is_below_text_next_to_casualties() -> None:
    battle = Blocks(head=60, text=40, rows=60, beside=120, hits=34, highest_chart=64)
    bare, charted = BattleForm(beside=True), BattleForm(beside=True, chart=CHART)
    assert battle.tall(charted, GAP) == battle.tall(bare, GAP) == 60 + GAP + 120
    form, _ = forms_in(battle, 190)
    assert form.beside
    assert CHART < form.chart <= 64 * MAIN_WIDTH / TEXT_WIDTH
    short = replace(battle, beside=50)
    assert short.tall(charted, GAP) == 60 + GAP + 40 + GAP + 34


def test_battle_that_is_taller_than_a_page_gets_its_own() -> None:
    battles = [Blocks(head=60, text=10), Blocks(head=60, text=300), Blocks(head=60, text=10)]
    pages = PageFiller(battles, TALL).pages()
    assert [(page.start, len(page.forms)) for page in pages] == [(0, 1), (1, 1), (2, 1)]


def test_long_journal_flows_and_its_battle_follows() -> None:
    battles = [Blocks(head=60, text=20), Blocks(head=60, text=20, journal=220)]
    pages = PageFiller(battles, TALL).pages()
    assert not pages[-1].forms[-1].fresh


def forms_in(battle: Blocks, room: float) -> tuple[BattleForm, float]:
    """Return the form of a single battle on a page, and the height that remains free."""
    chosen = filled([battle], room)
    assert chosen is not None
    ((form,), free) = chosen
    return form, free


def test_spacious_form_is_chosen_if_it_fits() -> None:
    battle = Blocks(head=60, text=50, rows=60, run=20)
    assert not forms_in(battle, TALL - SLACK)[0].run
    assert forms_in(battle, 160)[0].run
    assert filled([battle], 100) is None


def test_gaps_grow_only_as_far_as_is_readable() -> None:
    form, free = forms_in(Blocks(head=60, text=50, rows=1), TALL)
    assert form.gap == MAX_GAP
    assert free > 100


def test_chart_fills_page_that_has_room_for_it() -> None:
    battle = Blocks(head=60, text=50, rows=60, hits=34)
    assert forms_in(battle, 190)[0].chart == 0
    assert forms_in(battle, 218)[0].chart > CHART
    assert forms_in(battle, TALL)[0].chart <= MAX_CHART
    low = replace(battle, highest_chart=38)
    assert forms_in(low, TALL)[0].chart == 38


def test_chart_of_strength_fills_page_that_has_room_for_it() -> None:
    battle = Blocks(head=60, text=50, rows=40, hits=34, highest_chart=34, strength=34)
    form, free = forms_in(battle, TALL)
    assert (form.chart, form.strength) == (34, 45)
    assert free < 1
    form, _ = forms_in(battle, 195)
    assert form.chart
    assert not form.strength
    form, free = forms_in(replace(battle, rows=0), TALL)
    assert form.strength == MAX_CHART
    assert free > 0


def test_chart_is_below_both_columns_if_the_page_would_be_white() -> None:
    battle = Blocks(head=60, text=40, rows=60, beside=100, hits=34, highest_chart=60)
    form, free = forms_in(battle, TALL)
    assert (form.beside, form.wide) == (True, True)
    assert free < 0.15 * TALL
    form, _ = forms_in(battle, 190)
    assert (form.beside, form.wide, form.chart > 0) == (True, False, True)


def test_heads_are_lower_if_that_lets_two_battles_share_a_page() -> None:
    short = Blocks(head=64, low_head=55, text=58)
    (page,) = PageFiller([short, short], TALL).pages()
    assert [form.low for form in page.forms] == [True, True]
    assert height([short, short], page.forms) <= TALL
    (page,) = PageFiller([replace(short, text=50)] * 2, TALL).pages()
    assert not any(form.low for form in page.forms)


def test_charts_fill_the_last_page_of_a_divided_battle() -> None:
    battle = Blocks(head=60, text=190, rows=60, run=40, hits=34, highest_chart=50, strength=34)
    first, second = PageFiller([battle, Blocks(head=60, text=170)], TALL).pages()
    (form,) = first.forms
    assert form.divided
    assert form.chart
    assert form.strength
    assert second.forms[0].fresh


def test_large_photo_is_chosen_if_it_fits() -> None:
    battle = Blocks(head=60, text=50, photos={"large": 118, "row": 66, "margin": 36, "after": 118})
    assert forms_in(battle, TALL)[0].photos == "large"
    assert forms_in(battle, 190)[0].photos == "row"
    assert forms_in(battle, 130)[0].photos == "margin"


def test_photos_of_a_divided_battle_fill_its_last_page() -> None:
    """A battle of four sides is a little longer than a page without its photos."""
    sizes: dict[PhotoSize, float] = {
        "large": 84.0,
        "row": 84.0,
        "margin": 104.0,
        "after": 216.0,
        "end": 180.0,
    }
    battle = Blocks(head=60, text=190, rows=60, run=10, aside=10, photos=sizes)
    other = Blocks(head=60, text=100, rows=80)
    first, second = PageFiller([battle, other], TALL).pages()
    (form,) = first.forms
    assert (form.divided, form.photos) == (True, "end")
    assert first.free < 0.2 * TALL
    assert second.forms[0].fresh


def test_photos_of_a_divided_battle_are_smaller_if_they_do_not_fit_on_its_last_page() -> None:
    sizes: dict[PhotoSize, float] = {
        "large": 110.0,
        "row": 84.0,
        "margin": 104.0,
        "after": 216.0,
        "end": 192.0,
    }
    battle = Blocks(head=60, text=240, rows=60, run=50, aside=10, photos=sizes)
    (page,) = PageFiller([battle], TALL).pages()
    assert page.forms[0].divided
    assert not page.forms[0].follow


def test_photos_that_do_not_fit_begin_next_page() -> None:
    battle = Blocks(
        head=60, text=180, aside=50, photos={"large": 118, "row": 66, "margin": 230, "after": 118}
    )
    first, second = PageFiller([battle, Blocks(head=60, text=40)], TALL).pages()
    assert (first.forms[0].photos, first.forms[0].divided) == ("after", False)
    assert not second.forms[0].fresh, "the next battle is below the photos"


def test_short_journal_ends_the_page_of_a_divided_battle() -> None:
    battles = [Blocks(head=60, text=300), Blocks(head=60, text=120, journal=50)]
    divided, following = PageFiller(battles, TALL).pages()
    assert divided.forms[0].divided
    assert following.forms[0].is_fresh


def test_short_journal_is_below_battle_before_it_if_next_page_is_full() -> None:
    battles = [Blocks(head=60, text=60), Blocks(head=60, text=175, journal=50)]
    first, second = PageFiller(battles, TALL).pages()
    assert first.free > 0
    assert second.forms[0].is_fresh


@pytest.mark.parametrize("seed", range(20))
def test_battles_with_low_heads_on_a_shared_page_were_measured(seed: int) -> None:
    dice = Random(seed)
    battles = [any_battle(dice) for _ in range(12)]
    low = [replace(each, low_head=each.head * dice.uniform(0.5, 0.9)) for each in battles]
    places = may_share_page(battles, TALL)
    fewer = [low[place] if place in places else each for place, each in enumerate(battles)]
    assert PageFiller(fewer, TALL).pages() == PageFiller(low, TALL).pages()


def test_only_battles_that_may_share_a_page_need_low_heads() -> None:
    long, short = Blocks(head=60, text=180), Blocks(head=60, text=40)
    assert may_share_page([long, long, short, short, long], TALL) == {2, 3}
    assert may_share_page([short], TALL) == set()
