"""The sheet's tables, its headings, the rulings and the house rules, read from ``data/*.toml``."""

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from rulebook.ruleset import HouseRule, Settings
from rulebook.values.problems import Violation

DATA = Path(__file__).parent / "data"
NO_FIREARM = "none"
"""What somebody carries who has no firearm."""


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
    forbids: bool = False


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
    """Every table of the sheet by key; see the comments in ``data/*.toml``."""

    clothing: Mapping[str, Clothing]
    mount: Mapping[str, Mount]
    formation: Mapping[str, int]
    terrain: Mapping[str, tuple[str, str]]
    firearm: Mapping[str, Firearm]
    circumstance: Mapping[str, Circumstance]
    cap: int
    weapon: Mapping[str, Weapon]
    lengths: tuple[tuple[str, str], ...]
    violation: Mapping[str, Mapping[str, str]]


@cache
def book() -> Book:
    """The tables of the sheet."""
    raw: dict[str, Any] = {}
    for name in ("movement", "firearms", "shooting", "melee", "violations"):
        raw |= read_data(name)
    tables = ("clothing", "mount", "firearm", "circumstance", "weapon")
    return msgspec.convert({**raw, **{key: {row["key"]: row for row in raw[key]} for key in tables}}, type=Book)


@cache
def read_data(name: str) -> dict[str, Any]:
    """A data file of this rule system as it stands: tables, "headings", "rulings", "house_rules", "calculators"."""
    return tomllib.loads((DATA / f"{name}.toml").read_text(encoding="utf-8"))


@cache
def house_rules() -> tuple[HouseRule, ...]:
    """Every house rule, in the order in which a page shows them."""
    return msgspec.convert(read_data("house_rules")["rule"], type=tuple[HouseRule, ...])


def setting(settings: Settings, key: str) -> Any:
    """What a club has settled for this house rule, else its default. Raises KeyError for an unknown key."""
    return settings.get(key, {rule.key: rule.default for rule in house_rules()}[key])


def broken(*checks: tuple[bool, str], **told: object) -> tuple[Violation, ...]:
    """A violation for each check that holds: its code, its sentence with what is ``told``, its rule."""
    rows = ((code, book().violation[code]) for wrong, code in checks if wrong)
    return tuple(Violation(code, row["says"].format(**told), row["rule"]) for code, row in rows)
