"""The tables of the text as pages show them; a lost cell says that it is not in the source.

A cell that a ruling fills names the ruling, "10 (N-P5)".
"""

from collections.abc import Iterable, Mapping
from typing import Any

from msgspec.structs import asdict

from rulebook.systems.avant_garde.book import NOT_IN_SOURCE, Disorder, book, read_data, words
from rulebook.values.reference import TableSection


def reference() -> tuple[TableSection, ...]:
    """Return every table of ``data/reference.toml``.

    A row for each entry, its name first, then a cell for each column.
    """
    sections = []
    for table in read_data("reference")["table"]:
        rows = (
            {**asdict(row), **getattr(row, "paces", {})}
            for row in getattr(book(), table["of"]).values()
        )
        columns = table["columns"]
        cells = (
            (row["name"], *(_marked(row, key, *empty) for key, _, *empty in columns))
            for row in rows
        )
        titles = tuple(label for _, label, *_ in columns)
        sections.append(TableSection(table["anchor"], table["name"], titles, tuple(cells)))
    return tuple(sections)


def _marked(row: Mapping[str, Any], key: str, *empty: str) -> str:
    """Return a cell as text, with the ruling that filled it where it is none of the table's
    own."""
    ruling = row.get("sources", {}).get(key, "").removeprefix("Ruling ")
    if not ruling:
        return cell(row.get(key), *empty)
    # A ruling that leaves a cell empty says that there is nothing, not that it was lost.
    return f"{cell(row.get(key), '–')} ({ruling})"


def left_to_the_players() -> TableSection:
    """Return the table of what no log can decide, and is left to the players."""
    left = read_data("reference")["left"]
    return TableSection(
        left["anchor"], left["name"], tuple(left["columns"]), tuple(map(tuple, left["rows"]))
    )


def cell(value: Disorder | str | bool | Iterable[int | str], empty: str = NOT_IN_SOURCE) -> str:
    """Return a cell as text: "yes", "-2", "10–30", "not in the source"."""
    if value is None:
        return empty
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (int, str)):
        return words("supports").get(str(value), str(value))
    return "–".join(map(str, value))
