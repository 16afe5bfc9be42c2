"""Spreadsheets as grids of cells: reading CSV files and pasted text, and writing CSV that no
program executes.

Reading accepts any encoding, separator and quotes, and skips blank rows and comments. What a cell
means is not known here.
"""

import csv
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from io import StringIO

from django.http import StreamingHttpResponse
from django.utils.formats import get_format
from django.utils.translation import gettext
from msgspec import Struct

from core.errors import InvalidInput
from core.search_text import plain_name

MAX_BYTES = 256 * 1024
MAX_ROWS = 200
MAX_COLUMNS = 100
MAX_LETTERS = 2000
"""Of one cell."""
WORKBOOKS = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")
"""How the files begin that LibreOffice and Excel keep for themselves."""
SEPARATORS = ",;\t"
COMMENT = "#"
BYTE_ORDER_MARK = "\ufeff"
"""By this spreadsheets know that a file is UTF-8."""
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")
"""What a spreadsheet takes for the beginning of a formula."""
PERILOUS = re.compile(r"'*[=+\-@#\t\r]")
"""How a cell begins that a spreadsheet would take for a formula, or a reader for a comment."""
TOLD_SEPARATOR = re.compile(r"sep=([,;\t])\r?\n?", re.IGNORECASE)
"""What Excel writes and reads above the headings."""


class GridRow(Struct, frozen=True):
    """A row with the number under which a spreadsheet shows it."""

    number: int
    cells: tuple[str, ...]

    def cell(self, column: int) -> str:
        """What stands in a column, "" where nothing does."""
        return self.cells[column] if column < len(self.cells) else ""


class Grid(Struct, frozen=True):
    """The cells of a file. ``encoding`` is None for text that was pasted."""

    headings: GridRow
    rows: tuple[GridRow, ...]
    text: str
    encoding: str | None
    separator: str


class CellError(Struct, frozen=True):
    """What is wrong with one cell: a stable code, a sentence, what was found, and the nearest that
    is known."""

    row: int
    column: int
    code: str
    sentence: str
    found: str = ""
    nearest: str = ""

    @property
    def cell(self) -> str:
        """As a spreadsheet names it: "C7"."""
        return f"{column_name(self.column)}{self.row}"


class UnreadableSpreadsheet(InvalidInput):
    """What was sent as a spreadsheet cannot be used. ``cells`` has what is wrong cell by cell; none
    where it is the file as a whole."""

    def __init__(
        self, code: str, sentence: str, cells: Iterable[CellError] = (), grid: Grid | None = None
    ) -> None:
        super().__init__(code, sentence, field="csv")
        self.cells = tuple(cells)
        self.grid = grid


def column_name(column: int) -> str:
    """How a spreadsheet names a column, counted from 0.

    >>> column_name(0), column_name(25), column_name(26), column_name(99)
    ('A', 'Z', 'AA', 'CV')
    """
    name = ""
    column += 1
    while column:
        column, letter = divmod(column - 1, 26)
        name = chr(ord("A") + letter) + name
    return name


def plain(text: str) -> str:
    """Words as they are compared: case, accents, white space, and the ways of one sign to be
    written do not count.

    >>> plain("  2 × Shield "), plain("Jörg") == plain("JORG")
    ('2 x shield', True)
    """
    letters = unicodedata.normalize("NFKD", plain_name(text).casefold())
    folded = "".join(each for each in letters if not unicodedata.combining(each))
    return " ".join(folded.replace("×", "x").split())


def read_text(content: bytes) -> tuple[str, str]:
    """The text of a file, and the encoding that it turned out to have. Raises
    UnreadableSpreadsheet."""
    if len(content) > MAX_BYTES:
        raise _too_large()
    if content.startswith(WORKBOOKS):
        raise _no_text()
    encodings = ["utf-8-sig", "cp1252"]
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        encodings = ["utf-16"]
    elif b"\0" in content[:200]:
        # Excel's Unicode text without a mark: of plain letters one byte of two is empty.
        encodings = ["utf-16-le" if content[1:2] == b"\0" else "utf-16-be"]
    for encoding in encodings:
        try:
            return content.decode(encoding), {"utf-8-sig": "UTF-8", "cp1252": "Windows-1252"}.get(
                encoding, "UTF-16"
            )
        except UnicodeDecodeError:
            continue
    raise _no_text()


def read_grid(content: bytes | str, is_heading: Callable[[str], bool]) -> Grid:
    """The grid of a file or of pasted text; ``is_heading`` knows headings, by which the separator
    is found.

    Raises UnreadableSpreadsheet for what is too large, no text, without a heading, or with quotes
    left open, and for overlong cells.
    """
    text, encoding = (
        read_text(content)
        if isinstance(content, bytes)
        else (content.removeprefix(BYTE_ORDER_MARK), None)
    )
    if len(text) > MAX_BYTES:
        raise _too_large()
    if "\0" in text:
        raise _no_text()
    declared = TOLD_SEPARATOR.match(text)
    body = text[declared.end() :] if declared else text
    separator = declared[1] if declared else _separator(body, is_heading)
    rows = [
        row
        for row in _rows(body, separator)
        if any(row.cells) and not row.cells[0].startswith(COMMENT)
    ]
    if not rows:
        raise UnreadableSpreadsheet(
            "no-rows", gettext("There is nothing in it: a row of headings comes first.")
        )
    headings, *others = rows
    if len(others) > MAX_ROWS:
        raise UnreadableSpreadsheet(
            "too-many-rows",
            gettext("%(number)s rows; at most %(most)s are read at once.")
            % {"number": len(others), "most": MAX_ROWS},
        )
    grid = Grid(headings, tuple(others), text, encoding, separator)
    if overlong := [*_overlong(rows)]:
        raise UnreadableSpreadsheet("wrong-cells", _wrong_cells(len(overlong)), overlong, grid)
    return grid


def write_csv(rows: Iterable[Sequence[str]]) -> str:
    """The rows as CSV, quotes where needed: with commas, or semicolons where people write numbers
    with a comma, for there spreadsheets expect them."""
    written = StringIO()
    separator = ";" if get_format("DECIMAL_SEPARATOR") == "," else ","
    csv.writer(written, delimiter=separator).writerows(rows)
    return written.getvalue()


def no_formula(text: str) -> str:
    """A text for a file that nobody reads back: a formula begins with an apostrophe, as
    spreadsheets mark texts."""
    return f"'{text}" if text.startswith(FORMULA) else text


def escape_formula(text: str) -> str:
    """A cell of words in a form that no spreadsheet takes for a formula, and no reader for a
    comment; ``unescape_cell`` gives the words back.

    >>> defused("=1+1"), defused("Hans"), taken_as_text(defused("'=1"))
    ("'=1+1", 'Hans', "'=1")
    """
    return f"'{text}" if PERILOUS.match(text) else text


def unescape_cell(cell: str) -> str:
    """The words of a cell that may have been defused."""
    return cell[1:] if cell.startswith("'") and PERILOUS.match(cell[1:]) else cell


def wrong_cells(errors: Sequence[CellError], grid: Grid) -> UnreadableSpreadsheet:
    """The refusal of a spreadsheet with these errors, in the order of its cells."""
    ordered = sorted(errors, key=lambda error: (error.row, error.column))
    return UnreadableSpreadsheet("wrong-cells", _wrong_cells(len(ordered)), ordered, grid)


def _wrong_cells(number: int) -> str:
    if number == 1:
        return gettext("One cell cannot be used. Nothing was made.")
    return gettext("%(number)s cells cannot be used. Nothing was made.") % {"number": number}


def _no_text() -> UnreadableSpreadsheet:
    sentence = gettext(
        "This is no text. Save the spreadsheet as CSV, best in UTF-8, and send that."
    )
    return UnreadableSpreadsheet("not-text", sentence)


def _too_large() -> UnreadableSpreadsheet:
    sentence = gettext("More than %(most)s kB: a roster takes far less.") % {
        "most": MAX_BYTES // 1024
    }
    return UnreadableSpreadsheet("too-large", sentence)


def _separator(text: str, is_heading: Callable[[str], bool]) -> str:
    """The separator by which the headings are known best; between equals the one that makes more of
    them."""
    lines = (
        line
        for line in text.splitlines()
        if line.strip(' ",;\t') and not line.startswith((COMMENT, '"#'))
    )
    first = next(lines, "")

    def heading_count(separator: str) -> tuple[int, int]:
        cells = next(csv.reader([first], delimiter=separator, skipinitialspace=True), [])
        return sum(is_heading(each) for each in cells), len(cells)

    return max(SEPARATORS, key=heading_count)


def _rows(text: str, separator: str) -> Iterator[GridRow]:
    """Every row, blank ones too: they count."""
    reader = csv.reader(
        StringIO(text, newline=""), delimiter=separator, skipinitialspace=True, strict=True
    )
    number = 0
    while True:
        number += 1
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            sentence = gettext(
                "A quotation mark is not closed, or stands in the midst of a cell: see row %(row)s."
            )
            raise UnreadableSpreadsheet("open-quotes", sentence % {"row": number}) from error
        stripped = [cell.strip() for cell in cells]
        while stripped and not stripped[-1]:
            stripped.pop()
        if len(stripped) > MAX_COLUMNS:
            sentence = gettext("%(number)s columns in row %(row)s; at most %(most)s are read.")
            values = {"number": len(stripped), "row": number, "most": MAX_COLUMNS}
            raise UnreadableSpreadsheet("too-many-columns", sentence % values)
        yield GridRow(number, tuple(stripped))


def _overlong(rows: Iterable[GridRow]) -> Iterator[CellError]:
    for row in rows:
        for column, cell in enumerate(row.cells):
            if len(cell) > MAX_LETTERS:
                values = {"number": len(cell), "most": MAX_LETTERS}
                sentence = gettext("%(number)s characters; at most %(most)s fit.") % values
                yield CellError(row.number, column, "too-long", sentence, cell[:40])


class _Echo:
    """A file that gives back what is written."""

    def write(self, text: str) -> str:
        return text


def safe_cell(cell: object) -> str:
    """A cell as text, and no formula; a number is none."""
    if isinstance(cell, int | float):
        return str(cell)
    return "" if cell is None else no_formula(str(cell))


def csv_file(
    name: str, header: Sequence[str], rows: Iterable[Sequence[object]]
) -> StreamingHttpResponse:
    """The table as a file of that name to be downloaded."""
    answer = StreamingHttpResponse(_csv_lines(header, rows), content_type="text/csv; charset=utf-8")
    answer.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return answer


def _csv_lines(header: Sequence[str], rows: Iterable[Sequence[object]]) -> Iterator[str]:
    writer = csv.writer(_Echo())
    yield BYTE_ORDER_MARK + writer.writerow(header)
    for row in rows:
        yield writer.writerow([safe_cell(cell) for cell in row])
