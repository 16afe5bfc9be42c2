"""What a fighter is made of: the canonical build, its JSON, and the loadout that follows from it.

A build is small and says only what was chosen; what the profile gives anyway is looked up. As JSON:

    {"profile": "landsknechts/doppelsoldner", "options": {"exchange-pike": ["halberd"],
     "attributes": ["fearless", "weapon-master:sword"]}}

Something that goes with one weapon is written "key:weapon": "weapon-master:sword", "poison:dagger".
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import msgspec
from msgspec import Struct

from rulebook.ruleset import BuildData, Problem, RulesError

Picks = tuple[str, ...]


class Numbers(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """Some or all of the four numbers of a profile; None where nothing is said."""

    combat_pool: int | None = None
    initiative: int | None = None
    fight: int | None = None
    shoot: int | None = None


class Kept(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What a veteran kept from its earlier Ranks (Rulings X9, X13 to X15).

    ``numbers`` stand in the place of the profile's. ``points`` is its price where promotion leaves that unchanged.
    """

    numbers: Numbers = Numbers()
    equipment: Picks = ()
    attributes: Picks = ()
    points: int | None = None


class Build(Struct, frozen=True, omit_defaults=True):
    """The canonical build. ``profile`` is "list/profile"; ``choice`` the weapon of a free choice.

    ``options`` pairs option keys with what was taken. ``name``, ``characteristics``, ``move`` and ``equipment`` are
    for custom fighters alone; what a custom fighter does not say is its base profile's.
    """

    profile: str
    choice: str = ""
    options: tuple[tuple[str, Picks], ...] = ()
    name: str = ""
    characteristics: Numbers = Numbers()
    move: str = ""
    equipment: Picks = ()
    spells: Picks = ()
    kept: Kept = Kept()

    @property
    def list_key(self) -> str:
        """The list that the profile stands in."""
        return self.profile.partition("/")[0]

    @property
    def custom(self) -> bool:
        """Whether it comes from the calculator."""
        return self.list_key == "custom"

    @property
    def promoted(self) -> bool:
        """Whether anything of an earlier Rank is left in it."""
        return self.kept != Kept()

    def picks(self, option: str) -> Picks:
        """What was taken of an option line; nothing, if it was not."""
        return next((picks for key, picks in self.options if key == option), ())


class StoredBuild(Struct, frozen=True, forbid_unknown_fields=True):
    """The JSON form of a canonical build."""

    profile: str
    choice: str = ""
    options: dict[str, Picks] = {}
    name: str = ""
    characteristics: Numbers = Numbers()
    move: str = ""
    equipment: Picks = ()
    spells: Picks = ()
    kept: Kept = Kept()


def to_json(build: Build) -> dict[str, Any]:
    """The build as JSON-able data, without what is empty."""
    stored = StoredBuild(**{**msgspec.structs.asdict(build), "options": dict(build.options)})
    data: dict[str, Any] = _without_empty(msgspec.json.decode(msgspec.json.encode(stored)))
    return data


def _without_empty(data: Any) -> Any:
    if not isinstance(data, dict):
        return data
    filled_in = {key: _without_empty(value) for key, value in data.items()}
    return {key: value for key, value in filled_in.items() if value not in ("", {}, [], None)}


def from_json(data: BuildData) -> Build:
    """The build of canonical JSON. Raises RulesError if it is not one."""
    try:
        return _decoded(msgspec.json.encode(data, order="sorted"))
    except (msgspec.MsgspecError, TypeError) as error:
        sentence = f"This is not a fighter's build: {error}."
        raise RulesError(Problem(code="bad-build", sentence=sentence, field="build")) from error


@lru_cache(maxsize=65536)
def _decoded(encoded: bytes) -> Build:
    stored = msgspec.json.decode(encoded, type=StoredBuild)
    return Build(
        profile=stored.profile,
        choice=stored.choice,
        options=tuple(stored.options.items()),
        name=stored.name,
        characteristics=stored.characteristics,
        move=stored.move,
        equipment=stored.equipment,
        spells=stored.spells,
        kept=stored.kept,
    )


def plain(key: str) -> str:
    """The key without its weapon: "weapon-master" of "weapon-master:sword"."""
    return key.partition(":")[0]


def weapon_of(key: str) -> str:
    """The weapon that something goes with: "sword" of "weapon-master:sword", "" where there is none."""
    return key.partition(":")[2]


def filled(numbers: Numbers, otherwise: Mapping[str, int]) -> dict[str, int]:
    """The four numbers, those that are not said taken from ``otherwise``."""
    return {key: otherwise[key] if value is None else value for key, value in msgspec.structs.asdict(numbers).items()}
