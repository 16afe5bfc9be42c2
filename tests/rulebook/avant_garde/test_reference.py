"""The tables as pages show them."""

from rulebook.book.headings import read_headings
from rulebook.registry import newest_ruleset
from rulebook.systems.avant_garde.book import DATA, tables
from rulebook.systems.avant_garde.reference import cell, left_to_the_players, reference

TABLES = {table.anchor: {row[0]: row[1:] for row in table.rows} for table in reference()}


def test_every_row_has_a_cell_for_each_column():
    for table in reference():
        assert {len(row) for row in table.rows} == {len(table.columns) + 1}, table.anchor
        assert all(word for row in table.rows for word in row)


def test_what_is_lost_says_so_and_what_does_not_exist_does_not():
    assert set(TABLES["commanders"]["Charismatic"]) == {"A", "not in the source"}
    assert TABLES["small-arms"]["Rifle"] == ("9", "–", "9", "yes")
    assert TABLES["ground"]["Rough ground"][:2] == ("not in the source", "auto (N-V3)")
    assert TABLES["structures"]["Stone buildings"] == ("not in the source", "not in the source")


def column(anchor: str, label: str) -> dict[str, str]:
    """Return the cells of a column by row."""
    table = next(each for each in reference() if each.anchor == anchor)
    place = table.columns.index(label)
    return {row[0]: row[1 + place] for row in table.rows}


def test_cells_that_a_ruling_fills_name_it():
    assert column("artillery", "Morale") == {
        "Raw": "7 (N-M10)",
        "Regular": "8 (N-M10)",
        "Veteran": "9 (N-M10)",
        "Guard": "10 (N-M10)",
    }
    for grade in ("Elite", "Guard"):
        assert column("cavalry", "Points")[grade] == "15 (N-P2)"
        assert column("cavalry", "Morale")[grade] == "10 (N-P5)"
    assert column("infantry", "Points")["Elite"] == "6 (N-P3)"
    assert column("infantry", "Morale")["Guard"] == "10 (N-P4)"
    assert column("infantry", "Fire and hand to hand")["Elite"] == "1 (N-S10)"
    assert column("cavalry", "Drilled")["Veteran"] == "yes (N-P13)"
    assert column("ground", "Infantry, charge")["Light woods"] == "-4"
    assert column("ground", "Infantry, charge")["Stream"] == "-4 (N-V3)"
    assert [key for key, cell in column("ground", "Guns unlimber").items() if cell == "yes"] == [
        "Open ground, gentle slope"
    ]
    assert [
        key for key, cell in column("ground", "Guns pass limbered").items() if cell == "no"
    ] == ["Heavy woods"]
    assert column("guns", "Limbered, horse")["Heavy gun"] == "– (N-V5)"
    assert column("small-arms", "Long range beyond")["Musket"] == "5 (N-S1)"
    assert column("commanders", "Command radius")["Uninspiring"] == "7 (N-C2)"


def test_woods_and_fields_have_no_hit_points():
    """Slide 31 prints N/a there, not 0."""
    assert TABLES["structures"]["Woods"] == ("-1", "n/a")
    assert TABLES["structures"]["Fields or crops"] == ("0", "n/a")


def test_every_source_of_a_cell_is_a_ruling_for_a_field_of_its_row():
    rulings = read_headings(DATA).rulings
    for rows in tables().values():
        for row in rows:
            for field, ruling in row.get("sources", {}).items():
                assert ruling.removeprefix("Ruling ") in rulings, (row["key"], field)
                assert ruling.startswith("Ruling ")


def test_cells_read_as_words():
    assert [cell(each) for each in (True, False, -2, (10, 30), "auto", None)] == [
        "yes",
        "no",
        "-2",
        "10–30",
        "auto",
        "not in the source",
    ]


def test_what_is_left_to_the_players_is_said_on_the_page():
    assert left_to_the_players() in newest_ruleset("avant-garde").reference({}).tables


def test_nations_table_describes_flank_support():
    assert TABLES["nations"]["Britain"][5] == "line by line"
    assert TABLES["nations"]["Prussia, after 1813"][5] == "line by line, column by column"
