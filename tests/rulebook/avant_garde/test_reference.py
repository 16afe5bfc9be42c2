"""The tables as pages show them."""

from rulebook.registry import newest_ruleset
from rulebook.systems.avant_garde.reference import cell, left_to_the_players, reference
from tests.rulebook.documented import DOCUMENTS

TABLES = {table.anchor: {row[0]: row[1:] for row in table.rows} for table in reference()}


def test_every_row_has_a_cell_for_each_column():
    for table in reference():
        assert {len(row) for row in table.rows} == {len(table.columns) + 1}, table.anchor
        assert all(word for row in table.rows for word in row)


def test_what_is_lost_says_so_and_what_does_not_exist_does_not():
    assert set(TABLES["commanders"]["Charismatic"]) == {"A", "not in the source"}
    assert TABLES["small-arms"]["Rifle"] == ("9", "–", "9", "yes")
    assert TABLES["ground"]["Rough ground"][:2] == ("not in the source", "auto")


def test_cells_read_as_words():
    assert [cell(each) for each in (True, False, -2, (10, 30), "auto", None)] == [
        "yes",
        "no",
        "-2",
        "10–30",
        "auto",
        "not in the source",
    ]


def test_what_is_left_to_the_players_is_said_on_the_page_and_in_the_document():
    table, document = left_to_the_players(), (DOCUMENTS / "avant-garde.md").read_text(encoding="utf-8").splitlines()
    assert table in newest_ruleset("avant-garde").reference({}).tables
    for row in table.rows:
        assert f"| {' | '.join(row)} |" in document


def test_who_supports_whom_is_told_in_words():
    assert TABLES["nations"]["Britain"][5] == "line by line"
    assert TABLES["nations"]["Prussia, after 1813"][5] == "line by line, column by column"
