"""Names for fighters from lists of the period, each only once in a warband."""

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from random import Random

DATA = Path(__file__).parent / "data" / "names.toml"


@cache
def name_lists() -> Mapping[str, Mapping[str, Sequence[str]]]:
    """Return given names and, if the list has them, family names by list."""
    return tomllib.loads(DATA.read_text(encoding="utf-8"))


class Names:
    """A source of names; the same generator draws the same names."""

    def __init__(self, luck: Random) -> None:
        self._luck = luck
        self._taken: set[str] = set()

    def draw(self, source: str) -> str:
        """Return a name of that list that was not drawn before.

        Raises ValueError if all are taken.
        """
        free = [name for name in _every_name(source) if name not in self._taken]
        name = free[self._luck.randrange(len(free))]
        self._taken.add(name)
        return name


@cache
def _every_name(source: str) -> tuple[str, ...]:
    listed = name_lists()[source]
    families = listed.get("family", ("",))
    return tuple(f"{given} {family}".strip() for given in listed["given"] for family in families)
