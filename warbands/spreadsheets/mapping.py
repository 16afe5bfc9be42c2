"""Columns of a spreadsheet that Muster does not know: what they could be, and their renaming."""

import csv
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from io import StringIO

from msgspec import Struct

from core.csv_files import CellError, Grid, GridRow, plain, read_grid, unescape_cell
from rulebook.ruleset import CampaignTerms, Ruleset
from warbands.spreadsheets.columns import Column, Use, layout_of

UNKNOWN = "unknown-heading"
SAMPLES, SIMILAR = 3, 0.8


class UnknownColumn(Struct, frozen=True):
    """A column that Muster does not know.

    ``samples`` are its first cells, ``suggestion`` the heading of the column that it probably is,
    "" if it should be ignored.
    """

    place: int
    heading: str
    samples: tuple[str, ...]
    suggestion: str


class ColumnMapping(Struct, frozen=True):
    """The unknown columns of a spreadsheet, and the columns that it does not have yet."""

    unknown: tuple[UnknownColumn, ...]
    free: tuple[Column, ...]


def column_mapping(
    rules: Ruleset, terms: CampaignTerms, grid: Grid, errors: Iterable[CellError]
) -> ColumnMapping | None:
    """Return the unknown columns among these errors, or None if there are none."""
    layout = layout_of(rules, terms)
    present = [layout.column(unescape_cell(heading)) for heading in grid.headings.cells]
    free = [each for each in layout.columns if each not in present and each.use is not Use.FURTHER]
    headings = {plain(each.heading): each.heading for each in free}
    unknown = []
    for error in errors:
        if error.code == UNKNOWN:
            heading = grid.headings.cell(error.column)
            close = get_close_matches(plain(heading)[:100], headings, n=1, cutoff=SIMILAR)
            cells = [row.cell(error.column) for row in grid.rows]
            samples = tuple(dict.fromkeys(each for each in cells if each))[:SAMPLES]
            suggestion = headings[close[0]] if close else ""
            unknown.append(UnknownColumn(error.column, heading, samples, suggestion))
    return ColumnMapping(tuple(unknown), tuple(free)) if unknown else None


def renamed_columns(
    rules: Ruleset, terms: CampaignTerms, content: bytes | str, headings: Mapping[int, str]
) -> str:
    """Return a spreadsheet with other headings for columns that Muster does not know.

    ``headings`` are the new ones by the number of their column; "" removes the column. Raises
    UnreadableSpreadsheet.
    """
    layout = layout_of(rules, terms)
    grid = read_grid(content, layout.knows)
    changed = {
        place: heading
        for place, heading in headings.items()
        if not layout.knows(unescape_cell(grid.headings.cell(place)))
    }
    width = max(len(row.cells) for row in (grid.headings, *grid.rows))
    kept = [place for place in range(width) if changed.get(place, "kept")]
    first = [changed.get(place, grid.headings.cell(place)) for place in kept]
    written = StringIO()
    writer = csv.writer(written, delimiter=grid.separator, lineterminator="\n")
    writer.writerows([first, *(_cells(row, kept) for row in grid.rows)])
    return written.getvalue()


def _cells(row: GridRow, places: Iterable[int]) -> list[str]:
    return [row.cell(place) for place in places]
