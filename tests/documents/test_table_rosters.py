"""The roster for the table: one page for twenty of every list, with what the rule system asks
for."""

import re

import pytest

from documents.content.documents import WarbandRoster
from documents.content.print_jobs import plans
from documents.printing import laid_out, markup
from documents.templatetags.charts import is_track
from rulebook.values.rosters import TickBoxes
from tests.documents.every_list import every_list, full_roster
from tests.documents.reading_pdfs import pages, printed


def pages_of(content: WarbandRoster, paper: str) -> int:
    return len(laid_out(markup(plans(content)[0]), paper=paper).pages)


def html_of(ruleset: str, faction: str) -> str:
    return re.sub(r"\s+", " ", markup(plans(full_roster(ruleset, faction))[0]))


@pytest.mark.soak("rosters of twenty armed for the table", each=1, sample=3)
@pytest.mark.parametrize(("ruleset", "faction"), every_list())
def test_twenty_of_each_list_fit_one_page(ruleset: str, faction: str) -> None:
    content = full_roster(ruleset, faction)
    assert {paper: pages_of(content, paper) for paper in ("A4", "Letter")} == {"A4": 1, "Letter": 1}


def test_more_than_twenty_take_two_pages() -> None:
    assert pages_of(full_roster("en-garde", "landsknechts", 26), "A4") == 2


def test_the_head_has_losses_with_strokes_morale_and_turns() -> None:
    html = html_of("en-garde", "landsknechts")
    assert "20 boxes to tick, with a stroke after 5, 10, 15" in html
    assert "Wavering" in html
    assert "12 boxes to tick" in html


def test_each_row_tells_weapons_with_range_and_rules_and_move_with_its_lengths() -> None:
    content = full_roster("en-garde", "landsknechts")
    row = next(row for group in content.roster.groups for row in group.rows if row.arms)
    pike = next(weapon for weapon in row.arms if weapon.name == "Pike")
    assert "two-handed" in pike.rules
    assert next(each.note for each in row.figures if each.label == "Move") == "3″, 6″, 9″"
    assert next(each.note for each in row.figures if each.label == "Combat Pool") == ""


def test_row_lists_equipment_once() -> None:
    for ruleset, faction in every_list():
        for group in full_roster(ruleset, faction).roster.groups:
            for row in group.rows:
                assert not {weapon.name for weapon in row.arms} & set(row.carried)


def test_the_foot_has_the_wound_table_and_each_attribute_once() -> None:
    content = full_roster("en-garde", "landsknechts")
    page = pages(printed(content).pdf)[0]
    assert "Final Wound Score" in page
    names = [item.name for item in content.roster.attributes]
    assert len(names) == len(set(names))
    assert all(item.note for item in content.roster.attributes)


def test_a_group_has_boxes_of_its_own() -> None:
    assert "Faltering from" in html_of("avant-garde", "france")


def test_box_rows_are_drawn_next_to_words() -> None:
    assert is_track(TickBoxes("losses", "Losses", ("",) * 8))
    assert is_track(TickBoxes("figures", "Figures", ("",) * 3, (2,)))
    assert not is_track(TickBoxes("stunned", "Stunned", ("", "")))
    assert not is_track(TickBoxes("wound", "Wound", ("Light", "Grievous", "Critical"), (1,)))
