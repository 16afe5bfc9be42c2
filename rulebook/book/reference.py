"""Lists and tables to browse: from a rule system's catalogue, and from its data files."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rulebook.values.reference import Column, ListSection, ProfileLine, TableSection

Entry = Mapping[str, Any]
Numbers = Sequence[tuple[str, str, str]]
"""The numbers of a profile that a list may show: key, name and abbreviation."""


def profile_lists(
    factions: Sequence[Entry],
    numbers: Numbers,
    profile_line: Callable[[Entry, tuple[str, ...]], ProfileLine],
    facts: Callable[[Entry], Sequence[str]],
) -> tuple[ListSection, ...]:
    """Return each list with its profiles, under those of the numbers that one of them has."""
    sections = []
    for faction in factions:
        shown = [
            each for each in numbers if any(each[0] in profile for profile in faction["profiles"])
        ]
        sections.append(
            ListSection(
                key=faction["key"],
                name=faction["name"],
                summary=faction.get("summary", ""),
                facts=tuple(facts(faction)),
                columns=tuple(Column(name, short) for _, name, short in shown),
                profiles=tuple(
                    profile_line(
                        profile,
                        tuple(str(profile.get(key, "")).capitalize() for key, _, _ in shown),
                    )
                    for profile in faction["profiles"]
                ),
            )
        )
    return tuple(sections)


def plain_profile_line(profile: Entry, numbers: tuple[str, ...]) -> ProfileLine:
    """Return a profile of which the catalogue says no more than its name, its numbers and what it
    costs."""
    points, note = profile.get("points"), profile.get("note", "")
    return ProfileLine(
        profile["key"], profile["name"], numbers, "" if points is None else str(points), note=note
    )


def filled_tables(
    tables: Sequence[Entry], placeholders: Mapping[str, Any]
) -> tuple[TableSection, ...]:
    """Return tables of a data file with the figures of a rule system in their places.

    A table has an ``anchor``, a ``name``, ``rows`` and sometimes ``columns``. A place is written
    as in ``str.format``: "{morale[hill]:+d}".
    """
    return tuple(
        TableSection(
            table["anchor"],
            table["name"].format(**placeholders),
            tuple(table.get("columns", ())),
            tuple(tuple(cell.format(**placeholders) for cell in row) for row in table["rows"]),
        )
        for table in tables
    )
