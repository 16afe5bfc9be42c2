"""The headings of a rule book with what Muster does there, and the rulings that fill its gaps, in
our own words."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from rulebook.book.data import read_toml
from rulebook.values.fields import HouseRule


class Heading(Struct, frozen=True, forbid_unknown_fields=True):
    """A heading of the rule book: what Muster does there, by which rulings. ``also`` are other
    words for it.

    ``decided_by`` names modules and functions of the rule system.
    """

    name: str
    chapter: str
    says: str
    rulings: tuple[str, ...] = ()
    decided_by: tuple[str, ...] = ()
    also: tuple[str, ...] = ()


class HeadingBook(Struct, frozen=True):
    """A rule book heading by heading, and the rulings by their ids, each in a sentence.

    ``not_applicable`` are the rulings that decide nothing in Muster, each with the reason.
    """

    heading: tuple[Heading, ...]
    rulings: Mapping[str, str]
    not_applicable: Mapping[str, str] = {}


def read_headings(folder: Path) -> HeadingBook:
    """Return the headings and rulings of ``headings.toml`` and ``rulings.toml`` in this folder."""
    return msgspec.convert(
        read_toml(folder / "headings.toml") | read_toml(folder / "rulings.toml"), HeadingBook
    )


def headings_json(headings: Iterable[Heading]) -> list[dict[str, Any]]:
    """Return the headings for people: without the modules that decide."""
    shown = ("name", "chapter", "says", "rulings", "also")
    return [
        {field: msgspec.to_builtins(getattr(each, field)) for field in shown} for each in headings
    ]


def rulings_json(
    rulings: Mapping[str, str], house_rules: Iterable[HouseRule]
) -> list[dict[str, str]]:
    """Return the rulings for people, each with the house rule that can change it, "" if there is
    none."""
    house_rule_of: dict[str, str] = {}
    for rule in house_rules:
        # A source may name several rulings, with commas between them.
        house_rule_of |= dict.fromkeys(rule.source.replace(",", " ").split(), rule.key)
    return [
        {"key": key, "says": says, "house_rule": house_rule_of.get(key, "")}
        for key, says in rulings.items()
    ]
