"""Fighters for tests of the table rules, and the reader of their plain-text tables."""

from pathlib import Path
from typing import Any

from rulebook.systems.en_garde.table.combatant import Combatant, Steed
from rulebook.systems.en_garde.table.wounds import Wound, WoundState

DATA = Path(__file__).parent.parent / "data"
LIGHT = WoundState(wound=Wound.LIGHT)
GRIEVOUS = WoundState(wound=Wound.GRIEVOUS)
HORSE = Steed("horse")


def rows(name: str) -> list[tuple[str, ...]]:
    """Return the rows of a plain-text table: cells between bars, `#` for comments."""
    lines = (DATA / name).read_text(encoding="utf-8").splitlines()
    return [
        tuple(cell.strip() for cell in line.split("|"))
        for line in lines
        if line and not line.startswith("#")
    ]


def somebody(**changes: Any) -> Combatant:
    """Return a Rank 2 swordsman without anything special."""
    plain: dict[str, Any] = {
        "id": "1",
        "name": "Somebody",
        "rank": 2,
        "combat_pool": 2,
        "fight": 2,
        "weapons": ("sword",),
    }
    return Combatant(**{**plain, **changes})
