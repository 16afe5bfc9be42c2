"""The headings of the rule book with what Muster does there, and the rulings that fill its gaps.

The texts are in ``data/headings.toml`` and ``data/rulings.toml``, in our own words. ``decided_by`` names modules and
functions of this package.
"""

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from msgspec import Struct

from rulebook.book.data import read_data, read_toml
from rulebook.book.headings import Heading

DATA = Path(__file__).parent.parent / "data"


class _HeadingFile(Struct, frozen=True, forbid_unknown_fields=True):
    heading: tuple[Heading, ...]
    not_applicable: Mapping[str, str]


@cache
def _file() -> _HeadingFile:
    return read_data(DATA / "headings.toml", _HeadingFile)


def headings() -> tuple[Heading, ...]:
    """The headings in the order of the rule book."""
    return _file().heading


def not_applicable() -> Mapping[str, str]:
    """Rulings that decide nothing in Muster, each with the reason."""
    return _file().not_applicable


@cache
def rulings() -> Mapping[str, str]:
    """Every ruling by its id, in a sentence."""
    found: Mapping[str, str] = read_toml(DATA / "rulings.toml")["rulings"]
    return found
