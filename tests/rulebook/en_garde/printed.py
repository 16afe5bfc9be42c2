"""Cells of the plain-text tables: "inches=12, cover=heavy, twice" said as keyword arguments."""

from typing import Any

from tests.rulebook.en_garde.rosters import rows as rows

SPOKEN: dict[str, Any] = {"yes": True, "no": False}


def settings_of(cell: str) -> dict[str, Any]:
    """What a cell says, by name: whole numbers as numbers, yes and no as flags, a bare word as a
    flag that is set."""
    pairs = (part.partition("=") for part in cell.split(", ") if cell not in ("", "-"))
    return {name: _value(value) if equals else True for name, equals, value in pairs}


def words_of(cell: str) -> tuple[str, ...]:
    """The words of a cell that lists them with commas; none for a dash."""
    return () if cell == "-" else tuple(part.strip() for part in cell.split(","))


def numbers_of(cell: str) -> tuple[int, ...]:
    """The numbers of a cell; none for a dash."""
    return () if cell == "-" else tuple(int(part) for part in cell.split())


def _value(text: str) -> Any:
    if text.lstrip("-").isdigit():
        return int(text)
    return SPOKEN.get(text, text)
