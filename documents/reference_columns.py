"""The columns of a quick reference: where its tables are divided, and how wide labels are.

Both follow from estimated lines, of the words in the reader's language. A column has about as many
letters on a line in all sizes of type in which a quick reference fits its pages.
"""

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations, pairwise

from core.ruleset_words import rules_text
from rulebook.values.reference import TableSection

Columns = list[Sequence[TableSection]]
Rows = tuple[tuple[str, ...], ...]
LETTERS, BETWEEN_ROWS = 50, 0.22
"""The letters on a line of a column, and the space between two rows, in lines."""
ROOMIER = (0.9, 0.95, 1, 1.05, 1.1)
"""Factors of these letters for which widths are compared, because letters differ in width."""
SHARES = tuple(percent / 100 for percent in range(16, 86, 2))
"""The widths that the labels of a table can have, as shares of a column."""
USUAL_SHARE = 0.38
"""The width that the labels have if no other one saves a line."""
WORD_SPACE = 1.15
"""The room for a word, as a factor of its letters, because letters differ in width."""
AFTER_LABEL = 2.5
"""The space between a label and its value in letters, as in static/print/print.css at most."""
SHORT_VALUE = 10
"""The most letters of a short value."""
SHORTEST_CELL = 6
"""The letters for which a column of a wide table has room at least."""
COLUMNS_A_PAGE, LINES_A_PAGE = 2, 130
"""The columns of a page of a quick reference, and the most lines of both together."""


def in_columns(tables: Sequence[TableSection], count: int) -> Columns:
    """Return tables in columns of about the same height, in their order.

    Of all ways to cut them, this is the one whose highest column is lowest.
    """
    return _cut(tables, [lines_of(table) for table in tables], count)


def reference_pages(tables: Sequence[TableSection]) -> list[Columns]:
    """Return the columns of each page of a quick reference: two on one page, or on each of two."""
    heights = [lines_of(table) for table in tables]
    pages = 1 if sum(heights) <= LINES_A_PAGE else 2
    columns = _cut(tables, heights, COLUMNS_A_PAGE * pages)
    starts = range(0, len(columns), COLUMNS_A_PAGE)
    return [columns[start : start + COLUMNS_A_PAGE] for start in starts]


def is_brief(table: TableSection) -> bool:
    """Return whether a table has only short values next to its labels, such as "-1"."""
    is_short = all(len(row) == 2 and len(row[1]) <= SHORT_VALUE for row in table.rows)
    return is_short and any(map(str.isdigit, table.rows[0][1]))


def label_share(table: TableSection) -> str:
    """Return the width of the labels of a table in percent, "" for a table of more columns.

    Of the widths in which all words have room, it is the one with the fewest lines; of several,
    the one that is nearest to the usual width.
    """
    rows = _translated(table)
    if max(map(len, rows)) != 2:
        return ""
    return f"{100 * _best_share(rows):.0f}%"


def lines_of(table: TableSection) -> float:
    """Return the estimated number of lines of a table, with its heading."""
    rows = _translated(table)
    cells = max(map(len, rows))
    if cells == 2:
        wrapped = _lines_with(rows, _best_share(rows))
    else:
        # Columns are as wide as their words need: about in the proportion of their longest cells.
        longest = [max(len(row[place]) for row in rows) for place in range(cells)]
        widths = [max(SHORTEST_CELL, length) for length in longest]
        wrapped = _lines(rows, [LETTERS * width / sum(widths) for width in widths])
    return 2 + bool(table.columns) + wrapped


def _translated(table: TableSection) -> Rows:
    """Return the rows of a table in the reader's language."""
    return tuple(tuple(rules_text(cell) if cell else "" for cell in row) for row in table.rows)


@lru_cache(maxsize=512)
def _best_share(rows: Rows) -> float:
    """Return the width of the labels. Cached, because all rosters of a system have its tables."""
    words = [
        max((len(word) for row in rows for word in row[place].split()), default=0)
        for place in (0, 1)
    ]
    label, value = (WORD_SPACE * letters / LETTERS for letters in words)
    label += AFTER_LABEL / LETTERS
    fitting = [share for share in SHARES if label <= share <= 1 - value] or [USUAL_SHARE]

    def cost(share: float) -> tuple[float, float]:
        lines = sum(_lines_with(rows, share, LETTERS * factor) for factor in ROOMIER)
        return round(lines, 2), abs(share - USUAL_SHARE)

    return min(fitting, key=cost)


def _lines_with(rows: Rows, share: float, letters: float = LETTERS) -> float:
    return _lines(rows, [letters * share, letters * (1 - share)])


def _lines(rows: Rows, room: Sequence[float]) -> float:
    """Return the lines of rows whose cells have room for ``room`` letters on a line."""
    return sum(
        max(_wrapped(cell, most) for cell, most in zip(row, room, strict=False)) + BETWEEN_ROWS
        for row in rows
    )


def _wrapped(text: str, most: float) -> int:
    """Return the number of lines of a text with at most so many letters on a line."""
    lines, used = 1, 0
    for word in text.split():
        if used and used + 1 + len(word) > most:
            lines, used = lines + 1, len(word)
        else:
            used += len(word) + bool(used)
    return lines


def _cut(tables: Sequence[TableSection], heights: Sequence[float], count: int) -> Columns:
    """Return tables in columns of about the same height, by the heights of the tables."""
    cuts = combinations(range(len(tables) + 1), count - 1)
    columns = [
        [slice(start, end) for start, end in pairwise((0, *ends, len(tables)))] for ends in cuts
    ]
    best = min(columns, key=lambda slices: max(sum(heights[each]) for each in slices))
    return [tables[each] for each in best]
