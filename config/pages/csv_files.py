"""Tables as CSV, sent while they are read, with nothing in them that a spreadsheet would carry out."""

import csv
from collections.abc import Iterable, Iterator, Sequence

from django.http import StreamingHttpResponse

from warbands.spreadsheets.grid import BYTE_ORDER_MARK, no_formula


class _Echo:
    """A file that gives back what is written."""

    def write(self, text: str) -> str:
        return text


def defused(cell: object) -> str:
    """A cell as text, and no formula; a number is none."""
    if isinstance(cell, int | float):
        return str(cell)
    return "" if cell is None else no_formula(str(cell))


def csv_file(name: str, header: Sequence[str], rows: Iterable[Sequence[object]]) -> StreamingHttpResponse:
    """The table as a file of that name to be downloaded."""
    answer = StreamingHttpResponse(_lines(header, rows), content_type="text/csv; charset=utf-8")
    answer.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return answer


def _lines(header: Sequence[str], rows: Iterable[Sequence[object]]) -> Iterator[str]:
    writer = csv.writer(_Echo())
    yield BYTE_ORDER_MARK + writer.writerow(header)
    for row in rows:
        yield writer.writerow([defused(cell) for cell in row])
