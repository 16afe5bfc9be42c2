"""The first sheet of a workbook of Excel (.xlsx) or LibreOffice (.ods), as rows of text.

Workbooks are zip archives of XML from anybody, so everything is read piece by piece and within
limits. `defusedxml` refuses entities and document types.
"""

import warnings
from collections.abc import Iterator
from datetime import date, datetime, time
from io import BytesIO
from typing import Any, Final
from zipfile import BadZipFile, ZipFile

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import ParseError, iterparse
from django.utils.translation import gettext

MOST_UNPACKED: Final = 20 * 1024 * 1024
"""The most bytes of an unpacked workbook."""
MOST_CELLS: Final = 200_000
"""The most rows, and the most cells of the sheet, blank ones included."""
ODS_TYPE: Final = b"application/vnd.oasis.opendocument.spreadsheet"
TABLE: Final = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
OFFICE: Final = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}"
TEXT: Final = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"


class UnreadableWorkbook(Exception):
    """A workbook that is damaged, too large, or of another kind. The text says why."""


def workbook_rows(content: bytes) -> list[list[str]]:
    """Return the rows of the first sheet, as a spreadsheet shows their values.

    Whole numbers have no fraction, days are 2026-03-07, and yes or no are "yes" and "no". Blank
    rows are included. Raises UnreadableWorkbook.
    """
    try:
        with ZipFile(BytesIO(content)) as parts:
            if sum(part.file_size for part in parts.infolist()) > MOST_UNPACKED:
                raise _too_large()
            names = parts.namelist()
            is_ods = "mimetype" in names and parts.read("mimetype").startswith(ODS_TYPE)
            rows = [*(_ods_rows(parts) if is_ods else _xlsx_rows(content))]
    except (
        BadZipFile,
        DefusedXmlException,
        KeyError,
        IndexError,
        NotImplementedError,
        OSError,
        ParseError,
        RuntimeError,
        TypeError,
        ValueError,
    ) as error:
        # All of these come from zipfile, openpyxl and the parser for files that are damaged.
        raise _damaged() from error
    while rows and not any(rows[-1]):
        rows.pop()
    return rows


def _xlsx_rows(content: bytes) -> Iterator[list[str]]:
    # Loaded here, because it takes 4 MB, and most processes never read a workbook.
    from openpyxl import load_workbook  # noqa: PLC0415 - see above
    from openpyxl.utils.exceptions import InvalidFileException  # noqa: PLC0415 - see above

    with warnings.catch_warnings():
        # openpyxl warns of styles and extensions that it leaves out.
        warnings.simplefilter("ignore")
        try:
            book = load_workbook(BytesIO(content), read_only=True, data_only=True, keep_links=False)
        except InvalidFileException as error:
            raise _damaged() from error
        cells = 0
        # Sheets of charts have no rows.
        for row in book.worksheets[0].iter_rows(values_only=True):
            cells += max(1, len(row))
            if cells > MOST_CELLS:
                raise _too_large()
            yield [_as_text(value) for value in row]


def _ods_rows(parts: ZipFile) -> Iterator[list[str]]:
    """Yield the rows of the first table. A number can say how often a row or cell is repeated."""
    cells = 0
    row: list[str] = []
    with parts.open("content.xml") as file:
        for event, element in iterparse(file, events=("start", "end")):
            if event == "start":
                if element.tag == f"{TABLE}table-row":
                    row = []
                continue
            if element.tag in (f"{TABLE}table-cell", f"{TABLE}covered-table-cell"):
                value = _ods_value(element)
                repeats = int(element.get(f"{TABLE}number-columns-repeated", "1"))
                # The blank rest of a row is one cell that is repeated to the end of the sheet.
                row += [value] * (min(repeats, MOST_CELLS + 1) if value else min(repeats, 200))
                if len(row) > MOST_CELLS:
                    raise _too_large()
                element.clear()
            elif element.tag == f"{TABLE}table-row":
                repeats = int(element.get(f"{TABLE}number-rows-repeated", "1"))
                repeats = repeats if any(row) else min(repeats, 200)
                cells += repeats * max(1, len(row))
                if cells > MOST_CELLS:
                    raise _too_large()
                for _ in range(repeats):
                    yield [*row]
                element.clear()
            elif element.tag == f"{TABLE}table":
                return


def _ods_value(cell: Any) -> str:
    kind = cell.get(f"{OFFICE}value-type", "string")
    if kind in ("float", "percentage", "currency"):
        return _as_text(float(cell.get(f"{OFFICE}value", "0")))
    if kind == "date":
        return str(cell.get(f"{OFFICE}date-value", "")).partition("T")[0]
    if kind == "boolean":
        return _as_text(cell.get(f"{OFFICE}boolean-value") == "true")
    # Comments are paragraphs too, inside an element of their own.
    return "\n".join("".join(_words(each)) for each in cell.findall(f"{TEXT}p"))


def _words(paragraph: Any) -> Iterator[str]:
    yield paragraph.text or ""
    for piece in paragraph:
        if piece.tag == f"{TEXT}s":
            yield " " * min(int(piece.get(f"{TEXT}c", "1")), 100)
        elif piece.tag == f"{TEXT}line-break":
            yield "\n"
        else:
            yield from _words(piece)
        yield piece.tail or ""


def _as_text(value: Any) -> str:
    match value:
        case None:
            return ""
        case bool():
            return "yes" if value else "no"
        case float() if value.is_integer() and abs(value) < 1e15:
            return str(int(value))
        case datetime() if value.time() == time(0):
            return value.date().isoformat()
        case date() | time():
            return value.isoformat()
    return str(value)


def _damaged() -> UnreadableWorkbook:
    sentence = gettext("This file cannot be read. Save it as .xlsx, .ods or CSV and try again.")
    return UnreadableWorkbook(sentence)


def _too_large() -> UnreadableWorkbook:
    sentence = gettext("This workbook is too large. Copy the cells that you need to a new one.")
    return UnreadableWorkbook(sentence)
