"""Each page of a career has the ledger of its own battles, wherever a late battle was entered."""

from django.core.paginator import Paginator

from warbands.selectors.service_record import CareerMoment, CareerPart
from warbands.views.fighters import _part_on

LAST = 35


def parts(*sequences: int) -> list[CareerPart]:
    """Return the pages of a career with two battles each.

    The numbers are the entries of the battles, latest in the order of play first.
    """
    career = [CareerMoment(sequence, friendly=False, rank=1, deeds=0) for sequence in sequences]
    pages = Paginator(career, 2)
    return [_part_on(pages.page(number), career, LAST) for number in pages.page_range]


def shown(part: CareerPart) -> set[int]:
    """Return the entries whose lines the page shows."""
    between = {each for each in range(LAST + 1) if part.since <= each < part.before} - {
        *part.elsewhere
    }
    return between | {*part.battles}


def test_pages_follow_each_other_as_battles_were_entered() -> None:
    newer, older = (shown(part) for part in parts(30, 20, 10, 5))
    assert newer == {*range(20, LAST + 1)}
    assert older == {*range(20)}


def test_a_late_battle_is_on_the_page_where_it_stands() -> None:
    newer, older = (shown(part) for part in parts(20, 10, 30, 5))
    assert newer == {*range(10, LAST + 1)} - {30}
    assert older == {*range(10), 30}


def test_every_entry_is_on_one_page() -> None:
    pages = [shown(part) for part in parts(20, 31, 10, 30, 5, 33)]
    assert sorted(each for page in pages for each in page) == [*range(LAST + 1)]
