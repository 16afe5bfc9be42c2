"""Weapons as stories name them: what each does, and its noun in languages other than English."""

from collections.abc import Mapping
from pathlib import Path

import msgspec
from msgspec import Struct

from rulebook.book.data import read_toml


class WeaponNoun(Struct, frozen=True, forbid_unknown_fields=True):
    """A weapon in another language: the noun and its gender ("m", "f" or "n").

    ``bent`` is the noun after an article in the dative, if it changes there.
    """

    noun: str
    gender: str
    bent: str = ""


class _Weapons(Struct, frozen=True, forbid_unknown_fields=True):
    """The data file: weapons by their English nouns."""

    shoots: frozenset[str]
    cuts: frozenset[str]
    nouns: Mapping[str, Mapping[str, WeaponNoun]]


_WEAPONS = msgspec.convert(read_toml(Path(__file__).with_name("weapons.toml")), _Weapons)
SHOOTS, CUTS = _WEAPONS.shoots, _WEAPONS.cuts
"""The weapons that shoot, and those that cut."""
NOUNS = _WEAPONS.nouns
"""The nouns of weapons by language and by their English noun."""
