"""Spreadsheets as grids of cells: read CSV files and pasted text, and write CSV without formulas.

The reader accepts several encodings and separators, with or without quotes, and skips blank rows
and comments. This module does not know the meaning of cells.
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
from core.workbooks import UnreadableWorkbook, workbook_rows

MAX_BYTES = 256 * 1024
MAX_ROWS = 200
MAX_COLUMNS = 100
MAX_LETTERS = 2000
"""The maximum length of a cell, in characters."""
WORKBOOK, OLD_WORKBOOK = b"PK\x03\x04", b"\xd0\xcf\x11\xe0"
"""The first bytes of workbooks (.xlsx and .ods), and of those of Excel before 2007 (.xls)."""
ACCEPTED = ".xlsx,.ods,.csv,.tsv,.txt,text/csv,text/plain,text/tab-separated-values"
"""The kinds of file that a page lets people choose."""
SEPARATORS = ",;\t"
COMMENT = "#"
BYTE_ORDER_MARK = "\ufeff"
"""Spreadsheets recognise a UTF-8 file by this mark."""
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")
"""Characters that start a formula in a spreadsheet."""
PERILOUS = re.compile(r"'*[=+\-@#\t\r]")
"""Matches a cell that a spreadsheet would read as a formula, or our reader as a comment."""
TOLD_SEPARATOR = re.compile(r"sep=([,;\t])\r?\n?", re.IGNORECASE)
"""Matches the separator line that Excel writes and reads above the headings."""


class GridLimits(Struct, frozen=True):
    """The largest size of a spreadsheet, and whether rows that begin with # are comments."""

    most_bytes: int = MAX_BYTES
    most_rows: int = MAX_ROWS
    has_comments: bool = True


ROSTER = GridLimits()


class GridRow(Struct, frozen=True):
    """A row, with the number that a spreadsheet shows for it."""

    number: int
    cells: tuple[str, ...]

    def cell(self, column: int) -> str:
        """Return the content of a column, or "" if the row has no such cell."""
        return self.cells[column] if column < len(self.cells) else ""


class Grid(Struct, frozen=True):
    """The cells of a file. ``encoding`` is None for pasted text."""

    headings: GridRow
    rows: tuple[GridRow, ...]
    text: str
    encoding: str | None
    separator: str


class CellError(Struct, frozen=True):
    """An error in one cell: a stable code, a sentence, the cell's content, and the nearest known
    value."""

    row: int
    column: int
    code: str
    sentence: str
    found: str = ""
    nearest: str = ""

    @property
    def cell(self) -> str:
        """The name of the cell in a spreadsheet, such as "C7"."""
        return f"{column_name(self.column)}{self.row}"


class UnreadableSpreadsheet(InvalidInput):
    """The error for a spreadsheet that cannot be used.

    ``cells`` has the errors of single cells. It is empty if the file as a whole is wrong.
    """

    def __init__(
        self, code: str, sentence: str, cells: Iterable[CellError] = (), grid: Grid | None = None
    ) -> None:
        super().__init__(code, sentence, field="csv")
        self.cells = tuple(cells)
        self.grid = grid


def column_name(column: int) -> str:
    """Return the name of a column in a spreadsheet. Columns count from 0.

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
    """Return the text in a form for comparisons.

    Ignores case, accents, white space and different encodings of the same character.

    >>> plain("  2 × Shield "), plain("Jörg") == plain("JORG")
    ('2 x shield', True)
    """
    letters = unicodedata.normalize("NFKD", plain_name(text).casefold())
    folded = "".join(each for each in letters if not unicodedata.combining(each))
    return " ".join(folded.replace("×", "x").split())


def read_text(content: bytes) -> tuple[str, str]:
    """Return the text of a file and its detected encoding. Raises UnreadableSpreadsheet."""
    if content.startswith(OLD_WORKBOOK):
        raise _no_text()
    encodings = ["utf-8-sig", "cp1252"]
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        encodings = ["utf-16"]
    elif b"\0" in content[:200]:
        # Excel's Unicode text without a mark: for ASCII letters, one byte of two is zero.
        encodings = ["utf-16-le" if content[1:2] == b"\0" else "utf-16-be"]
    for encoding in encodings:
        try:
            return content.decode(encoding), {"utf-8-sig": "UTF-8", "cp1252": "Windows-1252"}.get(
                encoding, "UTF-16"
            )
        except UnicodeDecodeError:
            continue
    raise _no_text()


def read_grid(
    content: bytes | str, is_heading: Callable[[str], bool], limits: GridLimits = ROSTER
) -> Grid:
    """Return the grid of a file or of pasted text.

    ``is_heading`` recognises headings; the separator that finds most of them is used. Raises
    UnreadableSpreadsheet if the content is too large, is not text, is empty, has too many rows or
    columns, has an unclosed quotation mark, or has overlong cells.
    """
    if len(content) > limits.most_bytes:
        raise _too_large(limits)
    text, encoding = _text_of(content)
    if len(text) > limits.most_bytes:
        raise _too_large(limits)
    if "\0" in text:
        raise _no_text()
    declared = TOLD_SEPARATOR.match(text)
    body = text[declared.end() :] if declared else text
    separator = declared[1] if declared else _separator(body, is_heading, limits)
    rows = [
        row
        for row in _rows(body, separator)
        if any(row.cells) and not (limits.has_comments and row.cells[0].startswith(COMMENT))
    ]
    if not rows:
        raise UnreadableSpreadsheet(
            "no-rows", gettext("The file is empty. Its first row must have the column headings.")
        )
    headings, *others = rows
    if len(others) > limits.most_rows:
        raise UnreadableSpreadsheet(
            "too-many-rows",
            gettext("The file has %(number)s rows. At most %(most)s are allowed.")
            % {"number": len(others), "most": limits.most_rows},
        )
    grid = Grid(headings, tuple(others), text, encoding, separator)
    if overlong := [*_overlong(rows)]:
        raise UnreadableSpreadsheet("wrong-cells", _wrong_cells(len(overlong)), overlong, grid)
    return grid


def _text_of(content: bytes | str) -> tuple[str, str | None]:
    """Return the text of pasted cells, a CSV file, or the first sheet of a workbook."""
    if isinstance(content, str):
        return content.removeprefix(BYTE_ORDER_MARK), None
    if not content.startswith(WORKBOOK):
        return read_text(content)
    try:
        rows = workbook_rows(content)
    except UnreadableWorkbook as error:
        raise UnreadableSpreadsheet("unreadable-workbook", str(error)) from error
    written = StringIO()
    # Commas are declared, so that no other separator is guessed. Blank rows keep their numbers.
    csv.writer(written, lineterminator="\n").writerows(row or [""] for row in rows)
    return f"sep=,\n{written.getvalue()}", None


def write_csv(rows: Iterable[Sequence[str]]) -> str:
    """Return the rows as CSV, with quotes where needed.

    The separator is a comma, or a semicolon in languages with a decimal comma: spreadsheets there
    expect it.
    """
    written = StringIO()
    separator = ";" if get_format("DECIMAL_SEPARATOR") == "," else ","
    csv.writer(written, delimiter=separator).writerows(rows)
    return written.getvalue()


def no_formula(text: str) -> str:
    """Return a text for a file that Muster never reads back.

    An apostrophe is put before a formula, which is how spreadsheets mark texts.
    """
    return f"'{text}" if text.startswith(FORMULA) else text


def escape_formula(text: str) -> str:
    """Return a text that spreadsheets do not read as a formula, nor our reader as a comment.

    ``unescape_cell`` returns the original text.

    >>> escape_formula("=1+1"), escape_formula("Hans"), unescape_cell(escape_formula("'=1"))
    ("'=1+1", 'Hans', "'=1")
    """
    return f"'{text}" if PERILOUS.match(text) else text


def unescape_cell(cell: str) -> str:
    """Return the original text of a cell that ``escape_formula`` may have changed."""
    return cell[1:] if cell.startswith("'") and PERILOUS.match(cell[1:]) else cell


def wrong_cells(errors: Sequence[CellError], grid: Grid) -> UnreadableSpreadsheet:
    """Return the error for a spreadsheet with these cell errors, in the order of its cells."""
    ordered = sorted(errors, key=lambda error: (error.row, error.column))
    return UnreadableSpreadsheet("wrong-cells", _wrong_cells(len(ordered)), ordered, grid)


def _wrong_cells(number: int) -> str:
    if number == 1:
        return gettext("1 cell is not valid. Nothing was imported.")
    return gettext("%(number)s cells are not valid. Nothing was imported.") % {"number": number}


def _no_text() -> UnreadableSpreadsheet:
    sentence = gettext(
        "This is not a spreadsheet that Muster can read. Save it as .xlsx, .ods or CSV (UTF-8) "
        "and try again."
    )
    return UnreadableSpreadsheet("not-text", sentence)


def _too_large(limits: GridLimits) -> UnreadableSpreadsheet:
    sentence = gettext("The file is larger than %(most)s kB. Import a smaller one.") % {
        "most": limits.most_bytes // 1024
    }
    return UnreadableSpreadsheet("too-large", sentence)


def _separator(text: str, is_heading: Callable[[str], bool], limits: GridLimits) -> str:
    """Return the separator that gives the most known headings, then the most cells."""
    comments = (COMMENT, f'"{COMMENT}') if limits.has_comments else ()
    lines = (
        line for line in text.splitlines() if line.strip(' ",;\t') and not line.startswith(comments)
    )
    first = next(lines, "")

    def heading_count(separator: str) -> tuple[int, int]:
        cells = next(csv.reader([first], delimiter=separator, skipinitialspace=True), [])
        return sum(is_heading(each) for each in cells), len(cells)

    return max(SEPARATORS, key=heading_count)


def _rows(text: str, separator: str) -> Iterator[GridRow]:
    """Yield every row. Blank rows are included because they count in the row numbers."""
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
                "A quotation mark is not closed, or is in the middle of a cell. See row %(row)s."
            )
            raise UnreadableSpreadsheet("open-quotes", sentence % {"row": number}) from error
        stripped = [cell.strip() for cell in cells]
        while stripped and not stripped[-1]:
            stripped.pop()
        if len(stripped) > MAX_COLUMNS:
            sentence = gettext("Row %(row)s has %(number)s columns. At most %(most)s are allowed.")
            values = {"number": len(stripped), "row": number, "most": MAX_COLUMNS}
            raise UnreadableSpreadsheet("too-many-columns", sentence % values)
        yield GridRow(number, tuple(stripped))


def _overlong(rows: Iterable[GridRow]) -> Iterator[CellError]:
    for row in rows:
        for column, cell in enumerate(row.cells):
            if len(cell) > MAX_LETTERS:
                values = {"number": len(cell), "most": MAX_LETTERS}
                sentence = gettext("Use at most %(most)s characters, not %(number)s.") % values
                yield CellError(row.number, column, "too-long", sentence, cell[:40])


class _Echo:
    """A file object that returns what is written to it."""

    def write(self, text: str) -> str:
        return text


def safe_cell(cell: object) -> str:
    """Return a cell as text that is not a formula. Numbers are safe as they are."""
    if isinstance(cell, int | float):
        return str(cell)
    return "" if cell is None else no_formula(str(cell))


def csv_file(
    name: str, header: Sequence[str], rows: Iterable[Sequence[object]]
) -> StreamingHttpResponse:
    """Return the table as a file of that name to download."""
    answer = StreamingHttpResponse(_csv_lines(header, rows), content_type="text/csv; charset=utf-8")
    answer.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return answer


def _csv_lines(header: Sequence[str], rows: Iterable[Sequence[object]]) -> Iterator[str]:
    writer = csv.writer(_Echo())
    yield BYTE_ORDER_MARK + writer.writerow(header)
    for row in rows:
        yield writer.writerow([safe_cell(cell) for cell in row])
