"""Workbooks of Excel and LibreOffice become the same cells as CSV files, or a clear refusal."""

from collections.abc import Sequence
from datetime import date, datetime
from io import BytesIO
from typing import Any
from xml.sax.saxutils import escape
from zipfile import ZIP_DEFLATED, ZipFile

import pytest
from openpyxl import Workbook

from core import workbooks
from core.csv_files import UnreadableSpreadsheet, read_grid
from core.workbooks import UnreadableWorkbook, workbook_rows

ODS = "application/vnd.oasis.opendocument.spreadsheet"
NAMES = (
    'xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" '
    'xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" '
    'xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"'
)


def xlsx(rows: Sequence[Sequence[Any]]) -> bytes:
    """Return a workbook with these cells, and a second sheet that is not read."""
    book = Workbook()
    assert book.active is not None
    for row in rows:
        book.active.append([*row])
    book.create_sheet("Notes").append(["not read"])
    file = BytesIO()
    book.save(file)
    return file.getvalue()


def ods_of(table: str, mimetype: str = ODS) -> bytes:
    """Return a workbook with this table, written as LibreOffice writes it."""
    file = BytesIO()
    with ZipFile(file, "w", ZIP_DEFLATED) as parts:
        parts.writestr("mimetype", mimetype)
        parts.writestr(
            "content.xml",
            f'<?xml version="1.0"?><office:document-content {NAMES}><office:body>'
            f'<office:spreadsheet><table:table table:name="A">{table}</table:table>'
            '<table:table table:name="B"><table:table-row><table:table-cell>'
            "<text:p>not read</text:p></table:table-cell></table:table-row></table:table>"
            "</office:spreadsheet></office:body></office:document-content>",
        )
    return file.getvalue()


def ods_cell(value: Any) -> str:
    if isinstance(value, bool):
        kind = f'boolean" office:boolean-value="{str(value).lower()}'
    elif isinstance(value, int | float):
        kind = f'float" office:value="{value}'
    elif isinstance(value, date):
        kind = f'date" office:date-value="{value.isoformat()}'
    else:
        kind = "string"
    text = "" if value is None else f"<text:p>{escape(str(value))}</text:p>"
    return f'<table:table-cell office:value-type="{kind}">{text}</table:table-cell>'


def ods(rows: Sequence[Sequence[Any]]) -> bytes:
    """Return a workbook with these cells, with the blank rest of the sheet after them."""
    blank = '<table:table-cell table:number-columns-repeated="16380"/>'
    lines = [
        f"<table:table-row>{''.join(map(ods_cell, row))}{blank}</table:table-row>" for row in rows
    ]
    rest = f'<table:table-row table:number-rows-repeated="1048570">{blank}</table:table-row>'
    return ods_of("".join(lines) + rest)


CELLS = [
    ["Name", "Points", "Born", "Alive", "Share"],
    ['Götz, the "Iron"', 12, date(1480, 11, 5), True, 0.5],
    [],
    ["Hans\nof two lines", 12.0, None, False, 1200],
]


@pytest.mark.parametrize("write", [xlsx, ods])
def test_cells_are_read_as_a_spreadsheet_shows_them(write: Any) -> None:
    rows = [[each for each in row if each] for row in workbook_rows(write(CELLS))]
    assert rows == [
        ["Name", "Points", "Born", "Alive", "Share"],
        ['Götz, the "Iron"', "12", "1480-11-05", "yes", "0.5"],
        [],
        ["Hans\nof two lines", "12", "no", "1200"],
    ]


@pytest.mark.parametrize("write", [xlsx, ods])
def test_grid_has_the_row_numbers_of_the_workbook(write: Any) -> None:
    grid = read_grid(write(CELLS), lambda heading: heading == "Name")
    assert grid.headings.cells == ("Name", "Points", "Born", "Alive", "Share")
    assert [row.number for row in grid.rows] == [2, 4]
    assert grid.rows[0].cells[0] == 'Götz, the "Iron"'
    again = read_grid(grid.text, lambda heading: heading == "Name")
    assert again.rows == grid.rows


def test_repeated_cells_and_rows_are_all_there() -> None:
    row = (
        '<table:table-row table:number-rows-repeated="2"><table:table-cell '
        'table:number-columns-repeated="3"><text:p>a<text:s text:c="2"/>b</text:p>'
        "</table:table-cell><table:covered-table-cell/></table:table-row>"
    )
    assert workbook_rows(ods_of(row)) == [["a  b"] * 3 + [""]] * 2


def test_times_of_excel_are_days_or_moments() -> None:
    cells = [[datetime(2026, 3, 7), datetime(2026, 3, 7, 19, 30)]]
    assert workbook_rows(xlsx(cells)) == [["2026-03-07", "2026-03-07T19:30:00"]]


def _without(part: str) -> bytes:
    file = BytesIO()
    with ZipFile(BytesIO(xlsx([["a"]]))) as source, ZipFile(file, "w") as damaged:
        for name in source.namelist():
            if name != part:
                damaged.writestr(name, source.read(name))
    return file.getvalue()


BOMB = '<table:table-row table:number-rows-repeated="{}"><table:table-cell table:number-columns-repeated="{}"><text:p>x</text:p></table:table-cell></table:table-row>'
ENTITIES = b'<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "bbbb">]><a>&b;</a>'


def _with_entities() -> bytes:
    file = BytesIO()
    with ZipFile(file, "w") as parts:
        parts.writestr("mimetype", ODS)
        parts.writestr("content.xml", ENTITIES)
    return file.getvalue()


@pytest.mark.parametrize(
    "content",
    [
        b"PK\x03\x04 a workbook",
        b"PK\x03\x04",
        _without("xl/workbook.xml"),
        xlsx([["a"]])[:-40],
        ods_of(BOMB.format(1, 10**9)),
        ods_of(BOMB.format(10**9, 1)),
        ods_of(BOMB.format("many", 1)),
        ods_of("<broken"),
        ods_of("", mimetype="application/vnd.oasis.opendocument.text"),
        _with_entities(),
    ],
)
def test_damaged_or_malicious_workbook_is_refused(content: bytes) -> None:
    with pytest.raises(UnreadableWorkbook):
        workbook_rows(content)
    with pytest.raises(UnreadableSpreadsheet) as refused:
        read_grid(content, bool)
    assert refused.value.code == "unreadable-workbook"


def test_packed_bomb_is_refused_before_it_is_unpacked(monkeypatch: pytest.MonkeyPatch) -> None:
    file = BytesIO()
    with ZipFile(file, "w", ZIP_DEFLATED) as parts:
        parts.writestr("xl/workbook.xml", b" " * (workbooks.MOST_UNPACKED + 1))
    monkeypatch.setattr("openpyxl.load_workbook", lambda *_, **__: pytest.fail("It is read."))
    with pytest.raises(UnreadableWorkbook, match="too large"):
        workbook_rows(file.getvalue())
