"""Tables, house rules and violations of Skeleton Game.

They are read from ``data/book.toml``.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct

from rulebook.book.data import read_data, read_toml
from rulebook.book.house_rules import HouseRuleBook
from rulebook.book.violations import ViolationBook

DATA = Path(__file__).parent / "data"
BOOK = DATA / "book.toml"
TABLES: Mapping[str, Any] = read_toml(BOOK)
"""The raw data, for parts that are passed on: scenarios, ready builds, columns, tallies."""


class Profile(Struct, frozen=True, forbid_unknown_fields=True):
    """A profile that a fighter can have."""

    name: str
    bonus: int
    points: int


class Weapon(Struct, frozen=True, forbid_unknown_fields=True):
    """The weapon of a fighter."""

    name: str
    bonus: int
    points: int
    look: str


class Armour(Struct, frozen=True, forbid_unknown_fields=True):
    """The armour of a fighter; ``defence`` is the total that a blow needs to hit it."""

    name: str
    defence: int
    points: int


# Reading a table as a type reports a misspelt key when Muster starts, not in the middle of a
# battle.
FACTIONS = read_data(BOOK, dict[str, str], "faction")
PROFILES = read_data(BOOK, dict[str, Profile], "profile")
WEAPONS = read_data(BOOK, dict[str, Weapon], "weapon")
ARMOURS = read_data(BOOK, dict[str, Armour], "armour")
GONE = read_data(BOOK, dict[str, str], "gone")
SCORE = read_data(BOOK, dict[str, int], "score")


class HouseRules(Struct, frozen=True, kw_only=True):
    """Every house rule with its default.

    Label, help and bounds are in the data under the same key.
    """

    hits: int = 2


HOUSE_RULES = HouseRuleBook(BOOK, HouseRules)
VIOLATIONS = ViolationBook(BOOK)
broken = VIOLATIONS.broken
