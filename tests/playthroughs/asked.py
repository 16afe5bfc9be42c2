"""The questions stored as JSON next to the logs: builds, rosters, rank-ups, set-ups, calculators."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from msgspec import Struct

from rulebook.ruleset import (
    BattleSetup,
    BuildData,
    CampaignTerms,
    Deed,
    Opponent,
    Record,
    Roster,
    RosterFighter,
    RosterPurpose,
    Settings,
)

Row = TypeVar("Row")


class AskedBuild(Struct, frozen=True):
    """The form data of a build."""

    raw: Any
    terms: CampaignTerms


class AskedExtras(Struct, frozen=True):
    """The form data of a warband's extras."""

    raw: Any
    terms: CampaignTerms


class AskedRoster(Struct, frozen=True):
    """A roster to check."""

    roster: Roster
    purpose: RosterPurpose


class AskedRankUps(Struct, frozen=True):
    """A fighter who may rank up."""

    fighter: RosterFighter
    roster: Roster


class AskedStep(Struct, frozen=True):
    """A step with its picks."""

    build: BuildData
    terms: CampaignTerms
    key: str
    picks: Any


class AskedAwards(Struct, frozen=True):
    """The records and deeds of a warband in a battle."""

    records: tuple[Record, ...]
    deeds: tuple[Deed, ...]
    settings: Settings


class AskedSetUp(Struct, frozen=True):
    """A battle before its first event."""

    setup: BattleSetup


class AskedNumbers(Struct, frozen=True):
    """A calculator about numbers, with its values."""

    key: str
    values: Mapping[str, Any]


class AskedFighters(Struct, frozen=True):
    """A calculator about two fighters of rosters."""

    key: str
    attacker: Opponent
    target: Opponent
    values: Mapping[str, Any]


class AskedBattle(Struct, frozen=True):
    """A calculator about two combatants of a stored log, after some of its events."""

    log: str
    after: int
    attacker: str
    target: str


def read_rows(path: Path, kind: type[Row]) -> list[Row]:
    """Return the questions in a file."""
    return msgspec.json.decode(path.read_bytes(), type=list[kind])  # type: ignore[valid-type]


def write_rows(path: Path, rows: list[Any]) -> None:
    """Write questions, one per line."""
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = ",\n".join(msgspec.json.encode(_lean(row)).decode() for row in rows)
    path.write_text(f"[\n{lines}\n]\n", encoding="utf-8")


def _lean(row: Struct) -> dict[str, Any]:
    """Return a row without its default values."""
    return {name: _value(getattr(row, name)) for name in row.__struct_fields__}


def _value(value: Any) -> Any:
    if isinstance(value, Struct):
        defaults = dict(
            zip(
                value.__struct_fields__[-len(value.__struct_defaults__) :],
                value.__struct_defaults__,
                strict=True,
            )
            if value.__struct_defaults__
            else ()
        )
        pairs = ((name, getattr(value, name)) for name in value.__struct_fields__)
        return {
            name: _value(each)
            for name, each in pairs
            if name not in defaults or (each != defaults[name] and not _same_empty(each))
        }
    if isinstance(value, list | tuple):
        return [_value(each) for each in value]
    return value


def _same_empty(value: Any) -> bool:
    return isinstance(value, Mapping) and not value
