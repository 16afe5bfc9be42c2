"""Tick boxes of a warband: losses, Morale, turns; and the features of a fighter's silhouette."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from msgspec import Struct

from rulebook.book.data import read_data
from rulebook.ruleset import Roster, TickBoxes
from rulebook.systems.en_garde.rosters.assembled_roster import MORALE_TEST_SHARE, assemble
from rulebook.systems.en_garde.rosters.builds import plain
from rulebook.systems.en_garde.rosters.loadouts import Loadout

DATA = Path(__file__).parent.parent / "data" / "prints.toml"
MOST = 20
"""The boxes of a roster on which nobody stands yet: the most figures of a side."""


class Prints(Struct, frozen=True, forbid_unknown_fields=True):
    """``data/prints.toml``: see the comments there."""

    turns: int
    weapons: Mapping[str, str]
    shields: Mapping[str, str]
    mounts: Mapping[str, str]
    hats: Mapping[str, str]
    wounds: Mapping[str, str]


@cache
def prints() -> Prints:
    """Return what is printed next to the figures of a fighter."""
    return read_data(DATA, Prints)


def roster_boxes(roster: Roster, group: str = "") -> tuple[TickBoxes, ...]:
    """Return the boxes for losses with a stroke after each quarter, the state of Morale, and turns.

    Ruling B4; rule book: "Test morale".
    """
    size = assemble(roster).size
    quarter = -(-size // MORALE_TEST_SHARE)
    strokes = tuple(range(quarter, size, quarter)) if size else ()
    note = "a quarter in one turn, or the Leader: test"
    return (
        TickBoxes("losses", "Losses", ("",) * (size or MOST), strokes, note),
        TickBoxes("morale", "Morale", ("Wavering", "Routing")),
        TickBoxes("turns", "Turn", tuple(str(turn) for turn in range(1, prints().turns + 1))),
    )


def looks(outfit: Loadout) -> tuple[str, ...]:
    """Return what a silhouette shows: the mount, the hat, the most striking weapon and a shield."""
    words = prints()
    carried = {plain(key) for key in outfit.equipment}
    # A hat that is worn, else that of the list.
    worn = (words.hats[key] for key in (*carried, outfit.list_key) if key in words.hats)
    groups = (words.mounts, words.weapons, words.shields)
    shown = (next((look for key, look in group.items() if key in carried), "") for group in groups)
    return tuple(filter(None, (next(worn, "brim"), *shown)))
