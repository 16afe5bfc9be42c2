"""The headings of the rule book with what Muster does there, and the rulings that fill its gaps.

The texts are in ``data/headings.toml`` and ``data/rulings.toml``, in our own words. ``decided_by`` names modules and
functions of this package.
"""

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from rulebook.systems.en_garde.book.house_rules import house_rules

DATA = Path(__file__).parent.parent / "data"


class Heading(Struct, frozen=True, forbid_unknown_fields=True):
    """A heading of the rule book: what Muster does there, by which rulings. ``also`` are other words for it."""

    name: str
    chapter: str
    says: str
    rulings: tuple[str, ...] = ()
    decided_by: tuple[str, ...] = ()
    also: tuple[str, ...] = ()


class _HeadingFile(Struct, frozen=True, forbid_unknown_fields=True):
    heading: tuple[Heading, ...]
    not_applicable: Mapping[str, str]


@cache
def _file() -> _HeadingFile:
    return msgspec.convert(tomllib.loads((DATA / "headings.toml").read_text(encoding="utf-8")), type=_HeadingFile)


def headings() -> tuple[Heading, ...]:
    """The headings in the order of the rule book."""
    return _file().heading


def not_applicable() -> Mapping[str, str]:
    """Rulings that decide nothing in Muster, each with the reason."""
    return _file().not_applicable


@cache
def rulings() -> Mapping[str, str]:
    """Every ruling by its id, in a sentence."""
    found: Mapping[str, str] = tomllib.loads((DATA / "rulings.toml").read_text(encoding="utf-8"))["rulings"]
    return found


def headings_json() -> list[dict[str, Any]]:
    """The headings for people: without the modules that decide."""
    shown = ("name", "chapter", "says", "rulings", "also")
    return [{field: msgspec.to_builtins(getattr(each, field)) for field in shown} for each in headings()]


def rulings_json() -> list[dict[str, str]]:
    """The rulings for people, each with the house rule by which a campaign may settle it otherwise, if there is one."""
    settled = {key: rule.key for rule in house_rules() for key in rule.source.replace(",", " ").split()}
    return [{"key": key, "says": says, "house_rule": settled.get(key, "")} for key, says in rulings().items()]
