"""The tables of the text as pages show them; a lost cell says that it is not in the source."""

from collections.abc import Iterable

from rulebook.systems.avant_garde.book import NOT_IN_SOURCE, Disorder, book, read_data
from rulebook.values.reference import TableSection


def reference() -> tuple[TableSection, ...]:
    """Every table of ``data/reference.toml``: a row for each entry, its name first, then a cell for each column."""
    return tuple(
        TableSection(
            table["anchor"],
            table["name"],
            tuple(label for _, label, *_ in table["columns"]),
            tuple(
                (row.name, *(cell(getattr(row, key), *empty) for key, _, *empty in table["columns"]))
                for row in getattr(book(), table["of"]).values()
            ),
        )
        for table in read_data("reference")["table"]
    )


def cell(value: Disorder | str | bool | Iterable[int], empty: str = NOT_IN_SOURCE) -> str:
    """A cell in words: "yes", "-2", "10-30", "not in the source"."""
    if value is None:
        return empty
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (int, str)):
        return str(value)
    return "-".join(map(str, value))
