"""Names that people of a faction bear, read from ``data/names.toml`` of a rule system, to be suggested for fighters."""

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct

from rulebook.book.data import read_data
from rulebook.dice.rolls import Generator
from rulebook.values.rosters import BuildData

TRIES = 40
NUMERALS = ("II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X")


class NameList(Struct, frozen=True, forbid_unknown_fields=True):
    """Names for the fighters of some ``factions``, of all where none is said.

    A name follows one of the ``patterns``, such as "{given} {family}", each word in braces taken from its ``parts``.
    ``when`` says for which builds it is meant: the values of fields of theirs.
    """

    patterns: tuple[str, ...]
    parts: Mapping[str, tuple[str, ...]]
    factions: tuple[str, ...] = ()
    when: Mapping[str, tuple[Any, ...]] = {}

    def fits(self, faction: str, build: BuildData) -> bool:
        """Whether a fighter of this build in a warband of that faction may bear one of its names."""
        meant = all(build.get(field) in values for field, values in self.when.items())
        return meant and (not self.factions or faction in self.factions)

    def drawn(self, generator: Generator) -> str:
        """One of its names."""
        chosen = {part: words[generator.randint(0, len(words) - 1)] for part, words in self.parts.items()}
        return self.patterns[generator.randint(0, len(self.patterns) - 1)].format(**chosen)


class NameBook(Struct, frozen=True, forbid_unknown_fields=True):
    """The lists of names of a rule system; of those that fit a fighter the first one counts."""

    names: tuple[NameList, ...] = ()

    def suggestion(self, faction: str, build: BuildData, taken: Collection[str], generator: Generator) -> str:
        """A name that is not ``taken`` yet, "" where there is no list for such a fighter."""
        fitting = next((each for each in self.names if each.fits(faction, build)), None)
        if fitting is None:
            return ""
        drawn = [fitting.drawn(generator) for _ in range(TRIES)]
        later = (f"{name} {numeral}" for numeral in NUMERALS for name in drawn)
        return next((name for name in (*drawn, *later) if name not in taken), "")


def read_names(data: Path) -> NameBook:
    """The names of a rule system, from its folder of data. Raises DataError."""
    return read_data(data / "names.toml", NameBook)
