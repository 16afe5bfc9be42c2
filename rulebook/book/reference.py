"""Lists to browse, put together from a rule system's catalogue and the columns that it names."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rulebook.values.reference import Column, ListSection, ProfileLine

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
