"""The sheet's tables, headings, rulings and house rules, read from ``data/*.toml``, and how its
dice are read."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Struct

from rulebook.battle_log.kinds import length
from rulebook.book.data import read_toml
from rulebook.book.house_rules import HouseRuleBook
from rulebook.book.violations import ViolationBook
from rulebook.dice.open_ended import Dice
from rulebook.values.fields import LengthMeasure

Length = Literal["long", "semi-long", "short", "very-short"]
DATA = Path(__file__).parent / "data"
TRIPLE = (6, 6, 6)
CENTIMETRES = LengthMeasure("centimetre", "centimetres", " cm")
Centimetres = Annotated[float, length(CENTIMETRES, 300)]
MOST = 3
"""Nobody throws more dice than this for one shot or blow."""
NO_FIREARM = "none"
GONE = {"killed": "killed", "out": "out of action", "captured": "captured", "missing": "missing"}
"""The ends of a fighter in a battle, by key, as text."""


class Clothing(Struct, frozen=True, forbid_unknown_fields=True):
    """Clothing: ``armour`` is 0 without any; ``mark`` is how it is written where that differs."""

    key: str
    name: str
    armour: int
    mark: str = ""


class Mount(Struct, frozen=True, forbid_unknown_fields=True):
    """A way to move: centimetres a turn by clothing, slowing dice, and how many sixes block him
    where."""

    key: str
    name: str
    move: Mapping[str, int]
    dice: int
    blocked_by: Mapping[str, int]


class Band(Struct, frozen=True, forbid_unknown_fields=True, rename={"at_most": "upto"}):
    """A range band: up to so many centimetres, the total that hits, the armour that takes 1 off (0:
    none does)."""

    at_most: int
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
    formation: Mapping[str, tuple[str, int]]
    terrain: Mapping[str, tuple[str, str, str]]
    firearm: Mapping[str, Firearm]
    circumstance: Mapping[str, Circumstance]
    cap: int
    weapon: Mapping[str, Weapon]
    stance: Mapping[str, str]
    lengths: tuple[tuple[str, str], ...]


@cache
def book() -> Book:
    """Return the tables of the sheet."""
    raw: dict[str, Any] = {}
    for name in ("movement", "firearms", "shooting", "melee"):
        raw |= read_data(name)
    tables = ("clothing", "mount", "firearm", "circumstance", "weapon")
    return msgspec.convert(
        {**raw, **{key: {row["key"]: row for row in raw[key]} for key in tables}}, type=Book
    )


@cache
def read_data(name: str) -> dict[str, Any]:
    """Return a data file of this rule system as it stands: tables, "headings", "rulings",
    "calculators"."""
    return read_toml(DATA / f"{name}.toml")


class HouseRules(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Every house rule as it stands; ``HouseRules()`` is the sheet with its rulings. What it does
    not name is off."""

    highest_class: int = 6
    shot_effect: Literal["out", "killed"] = "out"
    triple_six_shooting: bool = False
    class_one_in_melee: bool = False
    length_pole: Length = "long"
    length_lance: Length = "long"
    length_two_handed: Length = "semi-long"
    length_tool: Length = "short"
    length_dagger: Length = "very-short"
    out_of_action_check: bool = False
    renown: bool = False
    renown_threshold: int = 5
    renown_ceiling: int = 5


HOUSE_RULES = HouseRuleBook(DATA / "house_rules.toml", HouseRules)
USUAL, settled = HOUSE_RULES.usual, HOUSE_RULES.settled
VIOLATIONS = ViolationBook(DATA / "violations.toml")
"""The violations of the sheet's rules."""
broken, problem = VIOLATIONS.broken, VIOLATIONS.problem


def natural(dice: Dice, *, disorder: bool = False, triple: int = 7) -> int:
    """Return the value of the dice: a double 6 is 7, three sixes are ``triple``, in disorder both
    are a 6.

    Rulings A-S4, A-M8.

    >>> natural((6, 6)), natural((6, 6), disorder=True), natural((6, 2))
    (7, 6, 6)
    """
    if disorder or dice[:2] != TRIPLE[:2]:
        return dice[0]
    return triple if dice == TRIPLE else 7
