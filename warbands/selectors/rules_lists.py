"""Lists with their profiles, and tables of things, as a rule system's page shows them. No queries."""

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from core.search_text import plain_name
from rulebook.values.reference import ListSection, TableSection


class Wanted:
    """What somebody looks for: words that must all stand in a line."""

    def __init__(self, query: str = "") -> None:
        self.words = plain_name(query).lower().split()

    def in_(self, *texts: str) -> bool:
        """Do all the words stand in these texts together?"""
        whole = plain_name(" ".join(texts)).lower()
        return all(word in whole for word in self.words)


def lists_of(lists: Iterable[ListSection], wanted: Wanted) -> Iterator[ListSection]:
    """The lists with the profiles that are wanted."""
    for section in lists:
        own = wanted.in_(section.name, section.summary)
        kept = tuple(
            line
            for line in section.profiles
            if own or wanted.in_(section.name, line.name, line.note, line.carries, line.knows, *line.options)
        )
        if kept:
            yield replace(section, profiles=kept)


def tables_of(tables: Iterable[TableSection], wanted: Wanted) -> Iterator[TableSection]:
    """The tables with the rows that are wanted."""
    for table in tables:
        own = bool(wanted.words) and wanted.in_(table.name)
        kept = tuple(row for row in table.rows if own or wanted.in_(*row))
        if kept:
            yield replace(table, rows=kept)
