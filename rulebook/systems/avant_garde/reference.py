"""The tables of the text as pages show them; a lost cell says that it is not in the source."""

from collections.abc import Iterable

from msgspec.structs import asdict

from rulebook.systems.avant_garde.book import NOT_IN_SOURCE, Disorder, book, read_data, words
from rulebook.values.reference import TableSection


def reference() -> tuple[TableSection, ...]:
    """Every table of ``data/reference.toml``: a row for each entry, its name first, then a cell for each column."""
    sections = []
    for table in read_data("reference")["table"]:
        rows = ({**asdict(row), **getattr(row, "paces", {})} for row in getattr(book(), table["of"]).values())
        cells = ((row["name"], *(cell(row.get(key), *empty) for key, _, *empty in table["columns"])) for row in rows)
        titles = tuple(label for _, label, *_ in table["columns"])
        sections.append(TableSection(table["anchor"], table["name"], titles, tuple(cells)))
    return tuple(sections)


def left_to_the_players() -> TableSection:
    """Return the table of what no log can decide, and is left to the players."""
    left = read_data("reference")["left"]
    return TableSection(left["anchor"], left["name"], tuple(left["columns"]), tuple(map(tuple, left["rows"])))


def cell(value: Disorder | str | bool | Iterable[int | str], empty: str = NOT_IN_SOURCE) -> str:
    """A cell in words: "yes", "-2", "10–30", "not in the source"."""
    if value is None:
        return empty
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (int, str)):
        return words("supports").get(str(value), str(value))
    return "–".join(map(str, value))
