"""Documents that are set in one go, and documents that are split."""

from unittest.mock import patch

from msgspec.structs import replace

from documents import pagination
from documents.content.documents import (
    CampaignSummary,
    Fallen,
    HistoryItem,
    HistoryLine,
    HistoryStep,
    WarbandHistory,
)
from documents.content.print_jobs import (
    FALLEN_A_PART,
    Plan,
    ShownPictures,
    back_matter,
    entries,
    plans,
)
from documents.content.structs import RosterGroup
from documents.pagination import arranged, laid_out_plan
from documents.printing import laid_out, markup
from tests.documents import samples


def content_of(plan: Plan) -> CampaignSummary:
    assert isinstance(plan.content, CampaignSummary)
    return plan.content


def test_everything_but_a_big_campaign_is_set_in_one_go() -> None:
    for content in (
        samples.warband(),
        samples.career(),
        samples.rank_ups(),
    ):
        assert plans(content) == (Plan(content),)
    assert len(plans(samples.battle_summary())) == 1
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


def test_only_first_part_is_front_matter() -> None:
    parts = plans(samples.campaign(100, 12))
    assert [part.shown.front for part in parts] == [True] + [False] * (len(parts) - 1)
    assert [part.shown.standings for part in parts] == [False, True] + [False] * (len(parts) - 2)
    assert not any(part.shown.end for part in parts), "index and colophon are set when bound"
    back = back_matter(parts[0], {"fighter-a": "7"})
    assert back.shown.end
    assert back.pages == {"fighter-a": "7"}
    assert all(part.shown.apart for part in parts)


def test_no_part_is_much_bigger_than_another() -> None:
    bodies = plans(samples.campaign(200, 20))[1:]
    assert max(len(content_of(part).battles) for part in bodies) <= 20
    assert max(len(content_of(part).rosters) for part in bodies) <= 10


def test_many_fallen_are_several_parts_cut_between_battles() -> None:
    content = samples.campaign(40, 2)
    fallen = tuple(
        replace(content.memorial[0], at=f"fighter-{number}", battle_at=f"battle-b{number // 7}")
        for number in range(1000)
    )
    parts = [part for part in plans(replace(content, memorial=fallen)) if fallen_of(part)]
    shown = [fallen_of(part)[: part.shown.fallen or None] for part in parts]
    assert len(parts) == 3
    assert tuple(each for group in shown for each in group) == fallen
    assert not {each[-1].battle_at for each in shown[:-1]} & {
        each[0].battle_at for each in shown[1:]
    }
    assert max(map(len, shown)) <= FALLEN_A_PART + 7
    first, *others = map(markup, parts)
    assert first.count('id="memorial"') == 1
    assert not any('id="memorial"' in html for html in others)
    assert all('data-chapter="In memoriam"' in html for html in others)
    assert sum(html.count('id="fighter-') for html in (first, *others)) == len(fallen)


def fallen_of(plan: Plan) -> tuple[Fallen, ...]:
    return content_of(plan).memorial


def test_the_contents_list_what_there_is_and_nothing_else() -> None:
    assert [entry.title for entry in entries(samples.empty_campaign())] == [
        "Standings",
        "About this book",
    ]
    contents = entries(samples.campaign(2, 1, ("Ana",)))
    assert [entry.anchor for entry in contents] == [
        "standings",
        "battles",
        "battle-b1",
        "battle-b2",
        "veterans",
        "memorial",
        "roster-w0",
        "colophon",
    ]


def test_long_roster_is_laid_out_alone_before_its_battles() -> None:
    content = samples.campaign(2, 1)
    (roster,) = content.rosters
    rows = roster.groups[0].rows * 2
    content = replace(content, rosters=(replace(roster, groups=(RosterGroup("", rows),)),))
    (plan,) = plans(content)
    with patch.object(pagination, "laid_out", wraps=laid_out) as printer:
        layout = laid_out_plan(plan, paper="A4")
    printed = [call.args[0] for call in printer.call_args_list]
    (whole,) = [html for html in printed if 'id="colophon"' in html]
    assert f'class="chapter roster tight" id="roster-{roster.id}"' in whole
    tight = markup(replace(plan, tight=(*arranged(plan, "A4").tight, roster.id)))
    assert len(layout.pages) == len(laid_out(tight, paper="A4").pages)


def test_history_with_short_tail_is_set_smaller() -> None:
    line = HistoryLine("hurt", "Hurt", tuple(HistoryItem(f"Somebody {n}") for n in range(12)))
    saved = []
    for count in range(6, 13):
        steps = tuple(
            HistoryStep(f"Battle {n}", day="2026-03-07", lines=(line,) * 3) for n in range(count)
        )
        history = WarbandHistory("w", "The Crew", "Ana", remains=("They stand.",) * 9, steps=steps)
        content = replace(samples.empty_campaign(), warbands=(history,), rosters=())
        plan = Plan(content, ShownPictures(apart=True))
        usual = len(laid_out(markup(plan), paper="A4").pages)
        saved.append(usual - len(laid_out_plan(plan, paper="A4").pages))
    assert set(saved) == {0, 1}


def test_career_with_nearly_empty_last_page_is_set_closer() -> None:
    usual = samples.career()
    pages = [
        [
            len(layout.pages)
            for layout in (
                laid_out(markup(Plan(career)), paper="A4"),
                laid_out_plan(Plan(career), paper="A4"),
            )
        ]
        for career in (replace(usual, ledger=usual.ledger * many) for many in range(1, 9))
    ]
    assert all(planned <= normal for normal, planned in pages)
    assert any(planned == normal - 1 for normal, planned in pages)
    assert pages[0][0] == pages[0][1]
