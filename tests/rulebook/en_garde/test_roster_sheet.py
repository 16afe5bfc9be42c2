"""The head and foot of a printed roster: losses, Morale, turns, and the Wound Table."""

import pytest

from rulebook.ruleset import Roster, RosterFighter
from rulebook.systems.en_garde.reference import roster_tables
from rulebook.systems.en_garde.rosters.table_aids import prints, roster_boxes
from rulebook.systems.en_garde.table.wounds import (
    WoundResult,
    WoundTable,
    score_bands,
    wound_costs,
    wound_result,
)
from tests.rulebook.en_garde.rosters import build, terms
from tests.rulebook.en_garde.rosters import roster as written_roster


def roster(number: int, list_key: str = "landsknechts", raw="doppelsoldner") -> Roster:
    on = terms(list_key)
    made = build(raw, on)
    return Roster(
        on, tuple(RosterFighter(f"f{place}", f"F{place}", made) for place in range(number))
    )


@pytest.mark.parametrize(
    ("number", "strokes"), [(1, ()), (4, (1, 2, 3)), (17, (5, 10, 15)), (20, (5, 10, 15))]
)
def test_losses_have_a_box_for_everybody_and_a_stroke_after_each_quarter(number, strokes):
    losses, morale, turns = roster_boxes(roster(number))
    assert (len(losses.boxes), losses.strokes) == (number, strokes)
    assert morale.boxes == ("Wavering", "Routing")
    assert turns.boxes[-1] == str(prints().turns)


def test_a_roster_on_which_nobody_stands_yet_has_boxes_for_twenty():
    losses = roster_boxes(roster(0))[0]
    assert (len(losses.boxes), losses.strokes) == (20, ())


def test_the_wound_table_stands_at_the_foot_with_what_a_wound_costs():
    (table,) = roster_tables(roster(3))
    assert table.columns == ("Final Wound Score", "0 or less", "1", "2–3", "4–5", "6+")
    assert table.rows[0] == (
        "Result",
        "Scratch",
        "Stunned",
        "Light",
        "Grievous",
        "Critical: killed",
    )
    assert table.rows[1][4] == "Initiative, Fight, Shoot -2"


def test_a_large_body_has_a_row_and_a_huge_one_a_table_of_its_own():
    on = terms("fantastical", fantastical=True)
    (table,) = roster_tables(written_roster(on, ["beast"]))
    assert table.rows[1][:4] == ("Large", "Scratch", "Stunned", "Stunned")
    huge = {"profile": "custom/rank-3", "options": {"attributes": ["huge"]}}
    on = terms("custom", fantastical=True)
    tables = roster_tables(written_roster(on, [huge]))
    assert [each.name for each in tables] == ["Wound Table", "Wound Table, huge"]


@pytest.mark.parametrize("table", [WoundTable.STANDARD, WoundTable.HUGE])
def test_the_bands_of_scores_are_those_by_which_wounds_are_found(table):
    for band, result in score_bands(table):
        score = int(band.replace("+", " ").replace("–", " ", 1).split()[0])
        assert wound_result(score, table) is result


def test_a_critical_wound_costs_no_characteristics():
    assert wound_costs(WoundResult.CRITICAL).fight == 0
    assert wound_costs("second_stunned").fight == -1
