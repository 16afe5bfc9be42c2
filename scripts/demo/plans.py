"""The plan of the demonstration, from the files in data/: warbands, and battles in order."""

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from scripts.demo.scenes import Scene

DATA = Path(__file__).parent / "data"


class FighterPlan(Struct, frozen=True, forbid_unknown_fields=True):
    """One or more fighters of the same build.

    ``bears`` names what the first of them carries for all.
    """

    profile: str
    options: dict[str, Any] = {}
    count: int = 1
    names: str = ""
    bears: str = ""

    @property
    def build(self) -> dict[str, Any]:
        """The build as the API expects it."""
        return {"profile": self.profile, "options": self.options}


class WarbandPlan(Struct, frozen=True, forbid_unknown_fields=True):
    """A warband, its player, and the recruit that it takes when it can. The first fighter leads."""

    player: str
    faction: str
    name: str
    colour: str
    story: str
    fighters: tuple[FighterPlan, ...]
    extras: dict[str, Any] = {}
    recruit: FighterPlan | None = None
    account: bool = True


class PhotoPlan(Struct, frozen=True, forbid_unknown_fields=True):
    """A picture of a battle: its caption, and the scene that a script draws for it."""

    caption: str
    scene: Scene


class JournalPlan(Struct, frozen=True, forbid_unknown_fields=True):
    """An entry of the campaign's journal: the day that it is about, its author and its text."""

    on: str
    player: str
    text: str


class BattlePlan(Struct, frozen=True, forbid_unknown_fields=True):
    """A battle.

    ``sides`` pairs factions with roles; ``points`` is the limit; ``disputed`` is the objection of a
    side.

    A ``refereed`` battle is played move by move and logged turn by turn; the others have invented
    results.
    """

    scenario: str
    title: str
    fought_on: str
    sides: tuple[tuple[str, str], ...]
    points: int = 300
    story: str = ""
    disputed: str = ""
    decided: str = ""
    refereed: bool = False
    photos: tuple[PhotoPlan, ...] = ()


class SeasonPlan(Struct, frozen=True, forbid_unknown_fields=True):
    """The club and its campaign."""

    club: str
    club_story: str
    organiser: str
    campaign: str
    campaign_story: str
    points: int
    games: int
    house_rules: dict[str, Any]
    battles: tuple[BattlePlan, ...]
    journal: tuple[JournalPlan, ...] = ()


class ClassicPlan(Struct, frozen=True, forbid_unknown_fields=True):
    """A classic campaign of two warbands: its scenarios, and the agreed points of each roster."""

    campaign: str
    story: str
    points: int
    scenarios: tuple[str, ...]
    warband: tuple[WarbandPlan, ...]


@cache
def warband_plans() -> tuple[WarbandPlan, ...]:
    """Return the warbands, in the order in which they are created."""
    return msgspec.convert(_read("warbands.toml")["warband"], tuple[WarbandPlan, ...])


@cache
def season_plan() -> SeasonPlan:
    """Return the season."""
    return msgspec.convert(_read("season.toml"), SeasonPlan)


@cache
def classic_plan() -> ClassicPlan:
    """Return the classic campaign that is played after the season."""
    return msgspec.convert(_read("classic.toml"), ClassicPlan)


def _read(name: str) -> dict[str, Any]:
    return tomllib.loads((DATA / name).read_text(encoding="utf-8"))
