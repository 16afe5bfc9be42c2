"""Documents that are set in one go, and documents that are split."""

from msgspec.structs import replace

from documents.content.documents import CampaignSummary
from documents.content.page_breaks import type_of_career
from documents.content.print_jobs import Plan, entries, plans
from documents.printing import laid_out, markup
from tests.documents import samples


def content_of(plan: Plan) -> CampaignSummary:
    assert isinstance(plan.content, CampaignSummary)
    return plan.content


def test_everything_but_a_big_campaign_is_set_in_one_go() -> None:
    for content in (
        samples.warband(),
        samples.career(),
        samples.battle_summary(),
        samples.rank_ups(),
    ):
        assert plans(content) == (Plan(content),)
    assert len(plans(samples.campaign(9, 4))) == 1
    assert len(plans(samples.empty_campaign())) == 1


def test_the_parts_of_a_big_campaign_hold_everything_once_and_in_order() -> None:
    content = samples.campaign(100, 12)
    parts = plans(content)
    assert len(parts) > 5
    assert tuple(battle for part in parts for battle in content_of(part).battles) == content.battles
    assert tuple(roster for part in parts for roster in content_of(part).rosters) == content.rosters
    assert [content_of(part).veterans for part in parts if content_of(part).veterans] == [
        content.veterans
    ]
    assert [content_of(part).memorial for part in parts if content_of(part).memorial] == [
        content.memorial
    ]


def test_only_the_first_part_is_front_matter_and_only_the_last_one_ends() -> None:
    parts = plans(samples.campaign(100, 12))
    assert [part.shown.front for part in parts] == [True] + [False] * (len(parts) - 1)
    assert [part.shown.standings for part in parts] == [False, True] + [False] * (len(parts) - 2)
    assert [part.shown.end for part in parts] == [False] * (len(parts) - 1) + [True]
    assert all(part.shown.apart for part in parts)


def test_no_part_is_much_bigger_than_another() -> None:
    bodies = plans(samples.campaign(200, 20))[1:]
    assert max(len(content_of(part).battles) for part in bodies) <= 50
    assert max(len(content_of(part).rosters) for part in bodies) <= 20


def test_the_contents_list_what_there_is_and_nothing_else() -> None:
    assert [entry.title for entry in entries(samples.empty_campaign())] == ["Standings"]
    contents = entries(samples.campaign(2, 1, ("Ana",)))
    assert [entry.anchor for entry in contents] == [
        "standings",
        "battles",
        "battle-b1",
        "battle-b2",
        "veterans",
        "memorial",
        "roster-w0",
    ]


def test_a_career_whose_last_page_would_bear_little_stands_close_and_takes_a_page_less() -> None:
    usual = samples.career()
    assert plans(usual) == (Plan(usual),)
    longer = (replace(usual, ledger=usual.ledger * many) for many in range(1, 9))
    (plan,) = next(plans(each) for each in longer if type_of_career(each))
    pages = [
        len(laid_out(markup(each), paper="A4").pages) for each in (replace(plan, tight=()), plan)
    ]
    assert pages[1] == pages[0] - 1
