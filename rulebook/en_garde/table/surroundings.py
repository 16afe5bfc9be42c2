"""Doors, windows, decks and wagons. Rule book: "Terrain" (Buildings), "Ships", "Wagons"."""

from rulebook.en_garde.table.moving import Terrain
from rulebook.en_garde.table.shooting import Cover

DOOR_COST = 1
"""Inches that opening or closing an unlocked door or window takes off a move."""
WAGON_RATE = "fast"
"""The rate of a wagon that is drawn; it is activated like a fighter."""
INDOORS = Terrain.DIFFICULT
"""The ground inside a building, stairs included: they are walked, not climbed."""
ABOARD = Terrain.DIFFICULT
"""The ground aboard a ship; to leap from deck to deck or into a boat takes a Dexterity Check."""


def attackers_through(opening: str) -> int:
    """How many may fight somebody who stands in a "doorway" (2) or at a "window" (1). Raises KeyError for others."""
    return {"doorway": 2, "window": 1}[opening]


def wagon_cover(*, armoured: bool) -> Cover:
    """The cover in or behind a wagon: medium, heavy if it is armoured."""
    return Cover.HEAVY if armoured else Cover.MEDIUM
