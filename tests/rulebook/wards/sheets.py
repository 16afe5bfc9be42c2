"""The plain-text tables of the tests of Wards, and the reader of their cells."""

from pathlib import Path
from typing import Any

from rulebook.systems.wards.dice import Nerve, Party

DATA = Path(__file__).parent / "data"


def rows(name: str) -> list[list[str]]:
    """Return the rows of a plain-text table, split at the bars."""
    lines = (DATA / name).read_text(encoding="utf-8").splitlines()
    return [
        [cell.strip() for cell in line.split("|")]
        for line in lines
        if line and not line.startswith("#")
    ]


def said(cell: str) -> dict[str, str]:
    """Parse a cell: "levy, rear=4" is {"levy": "true", "rear": "4"}, a dash nothing."""
    parts = [part.partition("=") for part in cell.split(", ") if cell != "-"]
    return {name: value if equals else "true" for name, equals, value in parts}


def nerve(cell: str) -> Nerve:
    """Return what a Ward's morale depends on, from a cell."""
    return Nerve(**{key: _value(value) for key, value in said(cell).items()})


def party(cell: str) -> Party:
    """Return one side of a fight, from a cell."""
    kwargs: dict[str, Any] = {
        key: _value(value)
        for key, value in said(cell).items()
        if key not in ("frontages", "mounted")
    }
    widths = said(cell).get("frontages", "4")
    return Party(tuple(map(float, widths.split(";"))), foot="mounted" not in said(cell), **kwargs)


def _value(text: str) -> Any:
    if text == "true":
        return True
    return float(text) if text.replace(".", "").isdigit() else text
