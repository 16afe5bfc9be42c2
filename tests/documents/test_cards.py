"""Cards: nine to a page of every list, each with a silhouette and the arms of its warband."""

import pytest
from msgspec.structs import replace

from documents.content.print_jobs import plans
from documents.printing import laid_out, markup
from documents.templatetags.charts import figure_of
from tests.documents import samples
from tests.documents.every_list import every_list, full_roster


def cards_of(ruleset: str, faction: str) -> str:
    return markup(plans(full_roster(ruleset, faction, 9, ("cards",)))[0])


@pytest.mark.soak("cards of nine", each=1, sample=3)
@pytest.mark.parametrize(("ruleset", "faction"), every_list())
def test_nine_cards_of_each_list_fit_one_page(ruleset: str, faction: str) -> None:
    """Letter is the lower one; on A4 cards are higher."""
    assert len(laid_out(cards_of(ruleset, faction), paper="Letter").pages) == 2


def test_each_card_has_a_silhouette_and_the_arms_of_its_warband() -> None:
    html = cards_of("wards", "army")
    assert html.count("Figure of ") == 9
    assert html.count("The arms of The Long Company") == 10


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
