"""Names that people of a faction bear, read from ``data/names.toml`` of a rule system, to be
suggested for fighters."""

from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct

from rulebook.book.data import read_data
from rulebook.dice.rolls import Generator
from rulebook.values.rosters import BuildData


class NameList(Struct, frozen=True, forbid_unknown_fields=True):
    """Names for the fighters of some ``factions``, of all where none is said.

    ``patterns`` such as "{given} {family}" take words from ``parts``; ``when`` are the builds it is
    meant for by field.
    """

    patterns: tuple[str, ...]
    parts: Mapping[str, tuple[str, ...]]
    factions: tuple[str, ...] = ()
    when: Mapping[str, tuple[Any, ...]] = {}

    def fits(self, faction: str, build: BuildData) -> bool:
        """Return whether a fighter of this build in a warband of that faction may bear one of its
        names."""
        named = faction in (self.factions or (faction,))
        return named and all(build.get(key) in values for key, values in self.when.items())

    def drawn(self, generator: Generator) -> str:
        """Return one of its names."""
        chosen = {
            part: words[generator.randint(0, len(words) - 1)] for part, words in self.parts.items()
        }
        return self.patterns[generator.randint(0, len(self.patterns) - 1)].format(**chosen)


def suggested_name(
    lists: Iterable[NameList],
    faction: str,
    build: BuildData,
    taken: Collection[str],
    generator: Generator,
) -> str:
    """Return a name that is not ``taken`` yet, from the first list that fits the fighter; "" where
    there is none."""
    fitting = next((each for each in lists if each.fits(faction, build)), None)
    drawn = [fitting.drawn(generator) for _ in range(40)] if fitting else []
    later = (
        f"{name} {numeral}" for numeral in ("II", "III", "IV", "V", "VI", "VII") for name in drawn
    )
    return next((name for name in (*drawn, *later) if name not in taken), "")


def read_names(data: Path) -> tuple[NameList, ...]:
    """Return the lists of names of a rule system, from its folder of data. Raise DataError."""
    return read_data(data / "names.toml", tuple[NameList, ...], "names")
