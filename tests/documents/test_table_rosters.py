"""The roster for the table: one page for twenty of every list, with what the rule system asks
for."""

import re
from collections import OrderedDict
from collections.abc import Iterator
from typing import Any

import pytest
from django.conf import settings
from fontTools.ttLib import TTFont
from msgspec.structs import replace
from weasyprint.formatting_structure.boxes import TextBox

from documents import reference_columns, roster_fitting
from documents.content.blank_roster import NOBODY, blank_content
from documents.content.documents import WarbandRoster
from documents.content.print_jobs import plans
from documents.content.structs import RosterRow
from documents.languages import speaking
from documents.models import Language
from documents.printing import laid_out, markup
from documents.reference_columns import (
    LETTERS,
    WORD_SPACE,
    in_columns,
    is_brief,
    label_share,
    lines_of,
)
from documents.templatetags.charts import is_track
from rulebook.registry import newest_ruleset, rulesets
from rulebook.values.reference import TableSection
from rulebook.values.rosters import TickBoxes
from tests.documents.every_list import every_list, full_roster
from tests.documents.reading_pdfs import pages, printed

MILLIMETRE = 96 / 25.4


def pages_of(content: WarbandRoster, paper: str) -> int:
    return len(laid_out(markup(plans(content)[0]), paper=paper).pages)


def html_of(ruleset: str, faction: str) -> str:
    return re.sub(r"\s+", " ", markup(plans(full_roster(ruleset, faction))[0]))


@pytest.mark.soak("rosters of twenty fighters, one for each list", each=1, sample=3)
@pytest.mark.parametrize(("ruleset", "faction"), every_list())
def test_twenty_of_each_list_fit_one_page_in_numbers_for_arms_length(
    ruleset: str, faction: str
) -> None:
    """On the lower paper. The quick reference has the next page if there is no room.

    The x-height of numbers is at least 1.8 mm, measured by the font's own figures.
    """
    html = markup(plans(full_roster(ruleset, faction))[0])
    pages = laid_out(html, paper="Letter").pages
    assert len(pages) <= 2
    sizes = [[box.style["font_size"] for box in rows_on(page)] for page in pages]
    assert sizes[0]
    assert not any(sizes[1:])
    assert min(sizes[0]) * x_height() / MILLIMETRE >= 1.8


def test_type_grows_on_a_short_roster() -> None:
    few, many = (
        laid_out(markup(plans(full_roster("en-garde", "border-reivers", number))[0]), paper="A4")
        for number in (3, 20)
    )
    sizes = [
        {box.style["font_size"] for box in rows_on(each.pages[0], "earned")} for each in (few, many)
    ]
    assert min(sizes[0]) > max(sizes[1])


@pytest.mark.parametrize("number", [3, 10])
@pytest.mark.parametrize("ruleset", sorted({rules.key for rules in rulesets()}))
def test_the_quick_reference_is_on_the_page_or_on_the_next(ruleset: str, number: int) -> None:
    faction = next(list_key for key, list_key in every_list() if key == ruleset)
    content = full_roster(ruleset, faction, number)
    pages = laid_out(markup(plans(content)[0]), paper="A4").pages
    tables = [[box for box in _boxes(page) if _named(box, "look-up")] for page in pages]
    assert sum(map(len, tables)) == len(content.roster.tables)
    assert len([each for each in tables if each]) == 1, "it is never split"


def rows_on(page: Any, name: str = "figure") -> Iterator[Any]:
    """Yield the cells of fighters on a page, of this class. Words are left out."""
    for box in _boxes(page):
        if box.element_tag == "td" and _named(box, name) and not _named(box, "wordy"):
            yield box


def _boxes(page: Any) -> Iterator[Any]:
    return (box for box in page._page_box.descendants() if box.element is not None)


def _named(box: Any, name: str) -> bool:
    return name in box.element.get("class", "").split()


def x_height() -> float:
    """Return the x-height of the typeface of numbers, as a share of its size."""
    file = next((settings.BASE_DIR / "static" / "fonts").glob("alegreya-sans-medium.woff2"))
    font = TTFont(file)
    return font["OS/2"].sxHeight / font["head"].unitsPerEm


@pytest.mark.parametrize("language", Language.values)
@pytest.mark.parametrize("ruleset", sorted({rules.key for rules in rulesets()}))
def test_printed_words_of_a_blank_roster_can_be_read(ruleset: str, language: str) -> None:
    """At least 7 points where one writes, and 7.5 points in the quick reference behind it."""
    with speaking(language):
        pages = laid_out(markup(plans(blank_content(newest_ruleset(ruleset)))[0]), paper="A4").pages
    assert len(pages) <= 2
    rows, *reference = ([*sizes_of_text(page)] for page in pages)
    assert min(rows) >= 7
    assert all(min(sizes) >= 7.5 for sizes in reference)


def sizes_of_text(page: Any) -> Iterator[float]:
    """Yield the sizes of all printed words of a page in points."""
    for box in page._page_box.descendants():
        if isinstance(box, TextBox) and box.text.strip():
            yield round(box.style["font_size"] * 0.75, 2)


def test_labels_of_a_quick_reference_are_as_wide_as_saves_lines() -> None:
    long_labels = TableSection("x", "X", (), (("A label that is long", "+1"),) * 3)
    long_values = TableSection("x", "X", (), (("Short", "one sentence after another " * 3),) * 3)
    shares = [float(label_share(each).rstrip("%")) for each in (long_labels, long_values)]
    assert shares[0] > 38 > shares[1]
    assert label_share(TableSection("x", "X", ("a", "b", "c"), (("1", "2", "3"),))) == ""


def test_labels_of_the_same_words_are_measured_once(monkeypatch: pytest.MonkeyPatch) -> None:
    table = TableSection("tests", "Tests", (), (("Measured only once", "+1"), ("Pinned", "-2")))
    share = label_share(table)
    monkeypatch.setattr(reference_columns, "_lines_with", None)
    assert label_share(table) == share


def test_labels_of_a_quick_reference_end_before_their_values() -> None:
    """Also in the three columns of a roster, where "Assaulter" was printed into its value."""
    table = TableSection("t", "T", (), (("Assaulter wins", "with 2 hits more, saved or not"),) * 2)
    longest = len("Assaulter")
    assert int(label_share(table).rstrip("%")) >= 100 * (WORD_SPACE * longest + 2) / LETTERS


def test_tables_of_figures_are_brief() -> None:
    assert is_brief(TableSection("t", "T", (), (("Wind", "-1"), ("Target hidden", "no shot"))))
    assert not is_brief(TableSection("t", "T", (), (("5, 6", "one goes"), ("Engaged", "-1"))))


def test_columns_of_a_quick_reference_follow_the_words_of_the_language() -> None:
    """A table with a long translation counts as high, though its English words are few."""
    tables = newest_ruleset("avant-garde").roster_tables(NOBODY)
    heights = {}
    for language in Language.values:
        with speaking(language):
            heights[language] = [lines_of(table) for table in tables]
            columns = in_columns(tables, 3)
            sums = [sum(map(lines_of, column)) for column in columns]
            assert [table for column in columns for table in column] == list(tables)
            assert max(sums) < 1.2 * min(sums)
    assert heights["de"] != heights["en"]


def test_more_than_twenty_take_two_pages() -> None:
    assert pages_of(full_roster("en-garde", "landsknechts", 30), "A4") >= 2


def test_the_head_has_losses_with_strokes_morale_and_turns() -> None:
    html = html_of("en-garde", "landsknechts")
    assert "20 boxes to tick, with a stroke after 11, 16" in html
    assert "11 lost: Morale Test +1" in html
    assert "16 lost: Morale Test +3" in html
    assert "test after 5 in one turn, or the Leader" in html
    assert "Wavering" in html
    assert "12 boxes to tick" in html


def row_of(**changes: Any) -> RosterRow:
    """Return the row of a fighter with these changes."""
    content = full_roster("en-garde", "landsknechts", 1)
    (row,) = content.roster.groups[0].rows
    return replace(row, **changes)


def test_a_row_has_experience_with_the_cost_of_the_next_rank() -> None:
    assert re.fullmatch(r"3 / \d+", row_of().experience)


def test_a_row_says_who_misses_the_next_battle() -> None:
    content = full_roster("en-garde", "landsknechts", 2)
    group = content.roster.groups[0]
    rows = (replace(group.rows[0], absence="misses the next battle"), group.rows[1])
    roster = replace(content.roster, groups=(replace(group, rows=rows),))
    html = markup(plans(replace(content, roster=roster))[0])
    assert html.count('class="absence"') == 1


@pytest.mark.parametrize(
    ("points", "rank_ups", "explained"), [(520, 4, True), (520, 0, False), (480, 4, False)]
)
def test_points_over_the_limit_are_explained_by_rank_ups(
    points: int, rank_ups: int, explained: bool
) -> None:
    content = full_roster("en-garde", "landsknechts", 2)
    roster = replace(content.roster, points=points, rank_ups=rank_ups)
    html = re.sub(r"\s+", " ", markup(plans(replace(content, roster=roster))[0]))
    assert ("The limit of 500 points is for a new" in html) is explained


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
    text = " ".join(pages(printed(content).pdf))
    assert "Wound Table" in text
    assert "Light + Light" in text
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


def test_a_roster_and_its_cards_take_two_layouts(monkeypatch: pytest.MonkeyPatch) -> None:
    layouts: list[Any] = []
    measures = roster_fitting._measures

    def counted(layout: Any) -> Any:
        layouts.append(layout)
        return measures(layout)

    monkeypatch.setattr(roster_fitting, "_measures", counted)
    content = full_roster("en-garde", "landsknechts", 9, ("cards",))
    laid_out(markup(plans(content)[0]), paper="A4")
    assert len(layouts) == 2


def test_roster_that_is_higher_than_its_estimate_takes_one_more_layout(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A layout that does not fit shows how wrong the estimate was."""
    pages_of_sheets: list[set[int]] = []
    measures, sheet_height = roster_fitting._measures, roster_fitting.Estimates._sheet_height

    def counted(layout: Any) -> Any:
        measured = measures(layout)
        pages_of_sheets.append(measured.sheet_pages)
        return measured

    def too_low(self: roster_fitting.Estimates, size: float) -> float:
        return 0.88 * sheet_height(self, size)

    monkeypatch.setattr(roster_fitting, "_measures", counted)
    monkeypatch.setattr(roster_fitting.Estimates, "_sheet_height", too_low)
    laid_out(markup(plans(full_roster("en-garde", "landsknechts", 20))[0]), paper="A4")
    assert pages_of_sheets == [{0}, {0, 1}, {0}]


def test_the_same_quick_reference_is_measured_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(roster_fitting, "_REFERENCES", OrderedDict())
    fitted = roster_fitting.fitted
    rules: list[str] = []

    def watched(html: str, lay_out: roster_fitting.LayOut, paper: str) -> Any:
        def noted(more: str) -> Any:
            rules.append(more)
            return lay_out(more)

        return fitted(html, noted, paper)

    monkeypatch.setattr("documents.printing.fitted", watched)
    few, many = (markup(plans(full_roster("wards", "army", number))[0]) for number in (6, 12))
    first = laid_out(many, paper="A4")
    laid_out(few, paper="A4")
    again = laid_out(many, paper="A4")
    hidden = [".reference { display: none }" in each for each in rules if "3000mm" in each]
    assert hidden == [False, True, True]
    assert sizes_of_references(again) == sizes_of_references(first)


def sizes_of_references(layout: Any) -> list[float]:
    return [
        box.style["font_size"]
        for page in layout.pages
        for box in _boxes(page)
        if _named(box, "reference")
    ]
