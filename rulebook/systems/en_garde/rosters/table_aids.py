"""Tick boxes of a warband: losses, Morale, turns; and the features of a fighter's silhouette."""

from collections.abc import Collection, Mapping
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


class Hats(Struct, frozen=True, forbid_unknown_fields=True):
    """Headgear, by the keys of profiles, lists and armour."""

    profile: Mapping[str, str]
    always: Mapping[str, str]
    armour: Mapping[str, str]
    list: Mapping[str, str]


class Prints(Struct, frozen=True, forbid_unknown_fields=True):
    """``data/prints.toml``: see the comments there."""

    turns: int
    weapons: Mapping[str, str]
    shields: Mapping[str, str]
    mounts: Mapping[str, str]
    hats: Hats
    beasts: Mapping[str, str]
    wounds: Mapping[str, str]


@cache
def prints() -> Prints:
    """Return what is printed next to the figures of a fighter."""
    return read_data(DATA, Prints)


def roster_boxes(roster: Roster, group: str = "") -> tuple[TickBoxes, ...]:
    """Return the boxes for losses with a stroke where Morale Tests get harder, Morale, and turns.

    Rulings B4 to B6; rule book: "Test morale".
    """
    assembled = assemble(roster)
    size = assembled.size
    # Less than half is left after this many, and less than a quarter.
    ends = (size // 2 + 1, 3 * size // MORALE_TEST_SHARE + 1) if size else ()
    amounts = (1, assembled.rules.below_quarter_morale)
    marks = {
        end: f"{end} lost: Morale Test +{amount}"
        for end, amount in zip(ends, amounts, strict=False)
        if end < size
    }
    quarter = -(-size // MORALE_TEST_SHARE)
    note = (
        f"test after {quarter} in one turn, or the Leader"
        if size
        else ("test after a quarter in one turn, or the Leader")
    )
    return (
        TickBoxes(
            "losses",
            "Losses",
            ("",) * (size or MOST),
            tuple(marks),
            note,
            stroke_notes=tuple(marks.values()),
        ),
        TickBoxes("morale", "Morale", ("Wavering", "Routing")),
        TickBoxes("turns", "Turn", tuple(str(turn) for turn in range(1, prints().turns + 1))),
    )


def looks(outfit: Loadout) -> tuple[str, ...]:
    """Return what a silhouette shows: the mount, the hat, the most striking weapon and a shield.

    A beast is shown alone.
    """
    words = prints()
    if beast := words.beasts.get(outfit.profile.key):
        return (beast,)
    carried = {plain(key) for key in outfit.equipment}
    groups = (words.mounts, words.weapons, words.shields)
    shown = (next((look for key, look in group.items() if key in carried), "") for group in groups)
    return tuple(filter(None, (_hat(outfit, carried), *shown)))


def _hat(outfit: Loadout, carried: Collection[str]) -> str:
    """Return what is worn on the head."""
    hats = prints().hats
    armour = (look for key, look in hats.armour.items() if key in carried)
    return (
        hats.profile.get(outfit.profile.key)
        or hats.always.get(outfit.list_key)
        or next(armour, "")
        or hats.list.get(outfit.list_key, "brim")
    )
