"""Related parts stay together in print: records with veterans, the rows of a club night, a battle."""

from typing import Any
from unittest.mock import patch

import pytest
from msgspec.structs import replace

from documents import pagination
from documents.content.documents import CampaignSummary
from documents.content.print_jobs import Plan, ShownPictures, plans
from documents.content.structs import BattleNarrative, Casualty, Person, Story, Written
from documents.languages import speaking
from documents.pagination import laid_out_plan, print_plan
from documents.printing import laid_out, markup
from documents.prose.variation import with_names
from documents.templatetags.printed import row_size
from scripts.prints.measures import page_fills
from tests.documents import samples
from tests.documents.reading_pdfs import IDENTIFIER
from tests.documents.test_filled_pages import HALF

ALONE = ShownPictures(apart=True)


def rows_by_page(content: CampaignSummary, paper: str) -> list[set[Any]]:
    """Return the elements of each page that are rows of people, or records."""
    rows = []
    for page in laid_out(markup(Plan(content, ALONE)), paper=paper).pages:
        elements = {box.element for box in page._page_box.descendants() if box.element is not None}
        rows.append(
            {each for each in elements if {"roll", "records"} & set(each.get("class", "").split())}
        )
    return rows


def only_people(**people: Any) -> CampaignSummary:
    return replace(samples.empty_campaign(), **people)


def test_records_never_stand_alone_on_a_page() -> None:
    campaign = samples.campaign(2)
    veterans = tuple(
        replace(campaign.veterans[0], name=f"Ana the {place}th") for place in range(12)
    )
    content = only_people(veterans=veterans, records=campaign.records * 7)
    last = [page for page in rows_by_page(content, "Letter") if page][-1]
    assert sum("records" in each.get("class") for each in last) == 1
    assert len(last) >= 2, "a row of veterans stands above the records"


def test_records_without_veterans_have_a_title_and_a_line_in_the_contents() -> None:
    content = only_people(records=samples.campaign(2).records)
    html = markup(plans(content)[0])
    assert '<h1 class="chapter-title">Records</h1>' in html
    assert '<a href="#records">Records</a>' in "".join(html.split("\n"))


def test_headings_of_evenings_have_people_below():
    fallen = samples.campaign(2).memorial[0]
    people = tuple(
        replace(fallen, name=f"Jan of {evening}", battle_at=f"battle-{evening}", killer=None)
        for evening, count in (("Ham", 13), ("Spa", 6), ("Ulm", 12))
        for _ in range(count)
    )
    pages = rows_by_page(only_people(memorial=people), "Letter")
    assert sum(len(page) for page in pages) == 7 + 3 + 6
    assert len(pages[-1]) > 1


def test_a_name_is_set_as_small_as_its_line_on_a_roster_needs() -> None:
    roster = samples.roster("The Guard", ("Ana",))
    (row, *_) = roster.groups[0].rows
    named = [
        replace(row, name="Jan " * length, profile="Soldier", place="") for length in (2, 10, 40)
    ]
    assert [row_size(each, roster) for each in named] == ["short", "long", "endless"]
    sizes = {
        row_size(replace(named[0], name="Jan " * 5, profile="x" * beside), roster)
        for beside in range(40)
    }
    assert sizes == {"short", "noted", "long"}, (
        "what stands beside a name becomes small before it does"
    )
    assert (
        row_size(replace(named[0], profile="Bearer of the very old banner " * 2), roster) != "short"
    )


def test_no_head_of_a_german_rank_up_sheet_is_cut() -> None:
    with speaking("de"):
        layout = laid_out(markup(Plan(samples.rank_ups())), paper="A4")
    boxes = [box for page in layout.pages for box in page._page_box.descendants()]
    heads = [
        box
        for box in boxes
        if type(box).__name__ == "TableCellBox" and box.element.get("scope") == "col"
    ]
    assert "Nächster Aufstieg" in {
        " ".join("".join(head.element.itertext()).split()) for head in heads
    }
    for head in heads:
        words = [
            word
            for box in head.descendants()
            if type(box).__name__ == "TextBox"
            for word in box.text.split()
        ]
        assert set(words) <= set("".join(head.element.itertext()).split())


def test_a_sentence_of_the_rules_keeps_names_that_read_from_the_right_together() -> None:
    sentence = with_names("Victory for فرسان: 4 to 2, against Reds.", ["فرسان", "Reds"])
    assert sentence == "Victory for \u2068فرسان\u2069: 4 to 2, against Reds."


def test_a_book_in_parts_has_its_running_heads_on_the_first_page_of_each_part() -> None:
    content = replace(samples.campaign(2), battles=(), journal=(), rosters=())
    first, *_ = laid_out(markup(Plan(content, ALONE)), paper="A4").pages
    heads = {
        box.at_keyword: box for box in first._page_box.children if getattr(box, "at_keyword", "")
    }
    texts = {
        place: "".join(getattr(each, "text", "") for each in box.descendants())
        for place, box in heads.items()
    }
    assert texts["@top-left"] == content.title
    assert texts["@top-right"] == "Veterans"


def test_battles_of_the_same_title_are_told_apart_in_the_contents_by_their_days() -> None:
    same = [replace(battle_of(number, 2), title="Skirmish") for number in (1, 2)]
    content = samples.campaign_with(battles=(same[0], replace(same[1], fought_on="2026-03-14")))
    listed = " ".join(
        markup(plans(content)[0]).split('class="contents')[1].split("</nav>")[0].split()
    )
    assert "1. Skirmish, 7 March 2026</a>" in listed
    assert "2. Skirmish, 14 March 2026</a>" in listed


def test_settings_are_in_the_colophon() -> None:
    html = markup(plans(samples.campaign(2))[0])
    assert html.index('id="memorial"') < html.index('id="colophon"') < html.index('id="terms"')


def test_a_rate_of_move_has_room_in_a_roster_of_smaller_type() -> None:
    roster = samples.roster("The Guard", ("Ana", "Otto"))
    (group, *_) = roster.groups
    moves = tuple(
        replace(
            row,
            figures=(
                replace(row.figures[0], value="Infantry", note="3″, 6″, no run"),
                *row.figures[1:],
            ),
        )
        for row in group.rows
    )
    content = only_people(rosters=(replace(roster, groups=(replace(group, rows=moves),)),))
    layout = laid_out(markup(Plan(content, ALONE, tight=(roster.id,))), paper="A4")
    boxes = [box for page in layout.pages for box in page._page_box.descendants()]
    cells = [
        box for box in boxes if type(box).__name__ == "TableCellBox" and box.element.tag == "td"
    ]
    reaches = [cell for cell in cells if "reach" in cell.element.get("class", "")]
    assert reaches
    for cell in reaches:
        text_boxes = [box for box in cell.descendants() if type(box).__name__ == "TextBox"]
        assert (
            max(box.position_x + box.width for box in text_boxes)
            <= cell.position_x + cell.border_width() + 0.5
        )


def battle_of(number: int, casualties: int, sides: int = 2) -> BattleNarrative:
    hurt = tuple(
        Casualty(f"Jan van den Berg the {place}th", harm="Light wound")
        for place in range(casualties)
    )
    bare = samples.battle(number, sides=sides, story="")
    new_sides = tuple(
        replace(side, warband="Reds", lines=side.lines[:1], casualties=hurt) for side in bare.sides
    )
    return replace(bare, sides=new_sides, told=Story())


def test_battle_with_many_casualties_fits_page() -> None:
    battles = tuple(
        replace(battle_of(number, casualties), told=samples.TOLD)
        for number, casualties in enumerate((2, 30, 2), start=1)
    )
    layout = laid_out_plan(Plan(only_battles(battles), BODY), paper="Letter")
    pages = [set(page.anchors) for page in layout.pages]
    assert sum("battle-b2" in page for page in pages) == 1
    assert battles_divided(layout) == set()


BODY = ShownPictures(battles_begin=True, apart=True)


def only_battles(battles: tuple[BattleNarrative, ...]) -> CampaignSummary:
    return samples.campaign_with(
        battles=battles, journal=(), veterans=(), records=(), memorial=(), rosters=()
    )


def battles_divided(layout: Any) -> set[str]:
    """Return the ids of battles that are on several pages."""
    seen: set[str] = set()
    divided: set[str] = set()
    for page in layout.pages:
        elements = {
            box.element
            for box in page._page_box.descendants()
            if box.element is not None and box.element.tag == "article"
        }
        here = {each.find(".//h2").get("id") for each in elements}
        divided |= here & seen
        seen |= here
    return divided


def test_final_fate_follows_attacker() -> None:
    spared = Casualty("Old Tom", harm="killed", by=(Person("Gilles"),), after="but lived")
    side = samples.battle().sides[0]
    battle = replace(samples.battle(), sides=(replace(side, casualties=(spared,)),))
    html = " ".join(markup(Plan(replace(samples.battle_summary(), battle=battle))).split())
    assert "killed, by <bdi>Gilles</bdi>, but lived" in html


def test_journal_precedes_next_battle() -> None:
    entry = Written("2026-03-06", "Inés", "Nobody <b>talks</b> of the mill.\n\nNobody.")
    battles = (battle_of(1, 2), replace(battle_of(2, 2), journal=(entry,)))
    content = samples.campaign_with(battles=battles, journal=(replace(entry, text="The end."),))
    html = markup(plans(content)[0])
    places = [
        html.index(each)
        for each in ('battle-b1"', "Nobody &lt;b&gt;talks", 'id="battle-b2"', "The end.")
    ]
    assert places == sorted(places)
    assert html.count("From the journal") == 2
    assert "6 March 2026, <bdi>Inés</bdi>" in html


@pytest.mark.parametrize(("casualties", "lines"), [(2, 9), (12, 6), (30, 9), (12, 15)])
def test_no_page_is_less_than_half_full_whatever_was_written_before_a_battle(
    casualties: int, lines: int
) -> None:
    """Of some lines, up to most of a page."""
    entry = Written(
        "2026-03-06", "Inés", "\n\n".join(["Nobody talks of the mill that burnt. " * 7] * lines)
    )
    battles = tuple(battle_of(number, casualties) for number in (1, 2, 3))
    written = (battles[0], replace(battles[1], journal=(entry,)), battles[2])
    content = samples.campaign_with(
        battles=written, veterans=(), records=(), memorial=(), rosters=()
    )
    printed = print_plan(Plan(content, BODY), paper="Letter", identifier=IDENTIFIER)
    assert min([*page_fills(printed.pdf)][:-1]) >= HALF


def test_report_saves_a_page_with_little_on_it() -> None:
    summary = samples.battle_summary(2)
    side = summary.battle.sides[0]
    hits = tuple((1, 1) for _ in range(6))
    sides = tuple(
        replace(each, casualties=side.casualties[:1] * 14, hits=hits)
        for each in summary.battle.sides
    )
    summary = replace(summary, battle=replace(summary.battle, sides=sides))
    (plan,) = plans(summary)
    with patch.object(pagination, "SHORT_END", 0):
        assert len(laid_out_plan(plan, paper="A4").pages) == 2
    assert len(laid_out_plan(plan, paper="A4").pages) == 1
