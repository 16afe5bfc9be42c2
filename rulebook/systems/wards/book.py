"""The sheet's figures, headings, rulings and house rules, read from ``data/*.toml``."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Literal

import msgspec
from msgspec import Struct

from rulebook.book.data import read_toml
from rulebook.book.house_rules import HouseRuleBook
from rulebook.book.reference import filled_tables
from rulebook.book.violations import ViolationBook
from rulebook.values.reference import TableSection

DATA = Path(__file__).parent / "data"
CAVALRY = "Cavalry"
"""The group of all cavalry of a side: it belongs to no Ward."""
GONE = {
    "destroyed": "destroyed",
    "routed": "routed",
    "killed": "killed",
    "lost": "lost to the enemy",
}
"""The ends of a unit, a gun or a General in a battle, by key, as text."""
Figures = Mapping[str, Any]
"""Figures of one table of ``data/dice.toml``, by name."""


class Quality(Struct, frozen=True, forbid_unknown_fields=True):
    """The quality of a unit: the lowest die that saves one of its casualties."""

    key: str
    name: str
    save: int


class Arm(Struct, frozen=True, forbid_unknown_fields=True):
    """A row of an army list. ``save`` is its own where it has one, ``dice`` is the number of dice
    of a gun's shot."""

    key: str
    name: str
    save: int = 0
    risked: int = 0
    dice: int = 0


class Step(Struct, frozen=True, forbid_unknown_fields=True):
    """One of the thirteen steps of a turn; ``both`` players take the last six."""

    key: str
    name: str
    both: bool = False


class Book(Struct, frozen=True, forbid_unknown_fields=True):
    """Every table of the sheet; see the comments in ``data/*.toml``. Qualities stand from the worst
    to the best."""

    quality: Mapping[str, Quality]
    arm: Mapping[str, Arm]
    attribute: Mapping[str, str]
    place: Mapping[str, str]
    step: Mapping[str, Step]


@cache
def book() -> Book:
    """Return the tables of the sheet."""
    raw: dict[str, Any] = {**read_data("units"), **read_data("turn")}
    rows = {key: {row["key"]: row for row in raw[key]} for key in ("quality", "arm", "step")}
    return msgspec.convert({**raw, **rows}, type=Book)


@cache
def figures(table: str) -> Figures:
    """Return the figures of one procedure: "morale", "shooting", "fight", "turn" ..."""
    table_figures: Figures = read_data("dice")[table]
    return table_figures


def reference_tables() -> tuple[TableSection, ...]:
    """Return the tables of ``data/reference.toml`` as pages show them."""
    return filled_tables(read_data("reference")["table"], _placeholders())


def quick_reference(rules: "HouseRules") -> tuple[TableSection, ...]:
    """Return the tables of ``data/quick_reference.toml``, for the table, on these house rules."""
    written, places = read_data("quick_reference"), _placeholders()
    chosen = {}
    for key, words in written["house_rule"].items():
        value = getattr(rules, key)
        choice = value if isinstance(value, str) else "on" if value else "off"
        chosen[key] = words[choice].format(**{**places, key: value})
    return filled_tables(written["table"], {**places, **chosen})


def _placeholders() -> dict[str, Any]:
    """Return the figures of the sheet by the names that tables use."""
    whole = book()
    return {
        **read_data("dice"),
        "outcome": [*figures("morale")["outcome"].values()],
        "quality": whole.quality,
        "arm": whole.arm,
        "step": {key: step.name for key, step in whole.step.items()},
        "both_from": 1 + [step.both for step in whole.step.values()].index(True),
    }


@cache
def read_data(name: str) -> dict[str, Any]:
    """Return a data file of this rule system as it stands: tables, "headings", "rulings",
    "calculators"."""
    return read_toml(DATA / f"{name}.toml")


class HouseRules(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The house rules of a club; ``data/house_rules.toml`` describes each."""

    general_actions: bool = False
    restored_wards: bool = False
    free_rerolls: bool = False
    full_load: int = 0
    unreliable_dice: Literal["turn", "battle"] = "turn"
    losses_stay: bool = False
    refit: bool = False
    steadiness: bool = False
    levy_wins: int = 2
    retinue_wins: int = 4
    household_steps: int = 1


HOUSE_RULES = HouseRuleBook(DATA / "house_rules.toml", HouseRules)
"""The house rules with their texts."""
VIOLATIONS = ViolationBook(DATA / "violations.toml")
"""The violations of the sheet's rules."""
broken, problem = VIOLATIONS.broken, VIOLATIONS.problem
