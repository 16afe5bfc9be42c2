"""The sheet's tables, the rulings and the house rules, read from ``data/*.toml``."""

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from rulebook.ruleset import HouseRule, Settings

DATA = Path(__file__).parent / "data"
NO_FIREARM = "none"
"""What somebody without a firearm carries."""


class Heading(Struct, frozen=True, forbid_unknown_fields=True):
    """A heading of the sheet: what Muster does there, by which rulings, and what decides it."""

    name: str
    chapter: str
    says: str
    rulings: tuple[str, ...] = ()
    decided_by: tuple[str, ...] = ()
    also: tuple[str, ...] = ()


class Clothing(Struct, frozen=True, forbid_unknown_fields=True):
    """What is worn: ``armour`` is 0 without any; ``mark`` is how it is written where that differs."""

    key: str
    name: str
    armour: int
    mark: str = ""


class Mount(Struct, frozen=True, forbid_unknown_fields=True):
    """How somebody moves: centimetres a turn by clothing, slowing dice, and how many sixes block him where."""

    key: str
    name: str
    move: Mapping[str, int]
    dice: int
    blocked_by: Mapping[str, int]


class Formation(Struct, frozen=True, forbid_unknown_fields=True):
    """How a close order moves, and how far."""

    key: str
    name: str
    cm: int


class Terrain(Struct, frozen=True, forbid_unknown_fields=True):
    """How hard ground is going, "open", "difficult" or "very-difficult", on foot and mounted."""

    key: str
    name: str
    foot: str
    mounted: str


class Band(Struct, frozen=True, forbid_unknown_fields=True):
    """A range band: up to so many centimetres, the total that hits, the armour that takes 1 off (0: none does)."""

    upto: int
    need: int
    armour_from: int = 0


class Firearm(Struct, frozen=True, forbid_unknown_fields=True):
    """A firearm: turns of reloading, its bands, and those of its volley if it has one."""

    key: str
    name: str
    reload: int
    bands: tuple[Band, ...]
    volley: tuple[Band, ...] = ()


class Circumstance(Struct, frozen=True, forbid_unknown_fields=True):
    """Something ticked for a shot; see ``data/shooting.toml``."""

    key: str
    label: str
    cell: str
    cause: str
    amount: int
    foot: bool = False
    help: str = ""
    forbids: str = ""


class Weapon(Struct, frozen=True, forbid_unknown_fields=True):
    """A melee weapon: its printed length, or the house rule that suggests one (A-M1)."""

    key: str
    name: str
    length: str = ""
    length_rule: str = ""
    pole: bool = False
    heavy: bool = False
    improvised: bool = False


class Book(Struct, frozen=True, forbid_unknown_fields=True):
    """Every table of the sheet by key."""

    clothing: Mapping[str, Clothing]
    mount: Mapping[str, Mount]
    formation: Mapping[str, Formation]
    terrain: Mapping[str, Terrain]
    firearm: Mapping[str, Firearm]
    circumstance: Mapping[str, Circumstance]
    weapon: Mapping[str, Weapon]
    cap: int
    lengths: Mapping[str, str]


@cache
def book() -> Book:
    """The tables of the sheet."""
    raw: dict[str, Any] = {}
    for name in ("movement", "firearms", "shooting", "melee"):
        raw |= read_data(name)
    tables = {
        key: {row["key"]: row for row in rows}
        for key, rows in raw.items()
        if isinstance(rows, list) and key != "lengths"
    }
    return msgspec.convert({**raw, **tables, "lengths": dict(raw["lengths"])}, type=Book)


def read_data(name: str) -> dict[str, Any]:
    """A data file of this rule system as it stands."""
    return tomllib.loads((DATA / f"{name}.toml").read_text(encoding="utf-8"))


@cache
def headings() -> tuple[Heading, ...]:
    """The headings of the sheet in its order, and after them what it does not speak of."""
    return msgspec.convert(read_data("headings")["heading"], type=tuple[Heading, ...])


@cache
def rulings() -> Mapping[str, str]:
    """Every ruling by its id, in a sentence."""
    found: Mapping[str, str] = read_data("rulings")["rulings"]
    return found


@cache
def house_rules() -> tuple[HouseRule, ...]:
    """Every house rule, in the order in which a page shows them."""
    return msgspec.convert(read_data("house_rules")["rule"], type=tuple[HouseRule, ...])


def setting(settings: Settings, key: str) -> Any:
    """What a club has settled for this house rule, else its default. Raises KeyError for an unknown key."""
    return settings.get(key, {rule.key: rule.default for rule in house_rules()}[key])
