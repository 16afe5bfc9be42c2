"""Cells of the plain-text tables, such as "inches=12, cover=heavy, twice", as keyword arguments."""

from typing import Any

from tests.rulebook.en_garde.rosters import rows as rows

SPOKEN: dict[str, Any] = {"yes": True, "no": False}


def settings_of(cell: str) -> dict[str, Any]:
    """Return the values of a cell by name: numbers, yes and no as flags, and bare words as True."""
    pairs = (part.partition("=") for part in cell.split(", ") if cell not in ("", "-"))
    return {name: _value(value) if equals else True for name, equals, value in pairs}


def words_of(cell: str) -> tuple[str, ...]:
    """Return the words of a comma-separated cell; none for a dash."""
    return () if cell == "-" else tuple(part.strip() for part in cell.split(","))


def numbers_of(cell: str) -> tuple[int, ...]:
    """Return the numbers of a cell; none for a dash."""
    return () if cell == "-" else tuple(int(part) for part in cell.split())


def _value(text: str) -> Any:
    if text.lstrip("-").isdigit():
        return int(text)
    return SPOKEN.get(text, text)
