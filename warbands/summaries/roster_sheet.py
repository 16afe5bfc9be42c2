"""The roster sheet: fighters of one type together, each type with its profile, number and points.

Rule book: "Warband Roster".
"""

from collections.abc import Iterable
from uuid import UUID

import msgspec
from msgspec import Struct

from rulebook.chronicle.states import GONE, FighterState, WarbandState
from rulebook.ruleset import PriceLine, Sheet
from warbands.models import Warband
from warbands.reading import faction_name, read_state, rules_of
from warbands.summaries.cards import sheet_of


class RosterType(Struct, frozen=True):
    """All fighters of one type, that is with the same numbers, arms and Attributes: ``count`` at ``points`` each.

    ``names`` and ``fighters`` (ids) are in roster order.
    """

    profile_name: str
    rank: int
    sheet: Sheet
    names: tuple[str, ...]
    fighters: tuple[UUID, ...]
    points: int
    count: int
    total: int


class RosterSheet(Struct, frozen=True):
    """A warband on one sheet. ``fighters`` and ``points`` count those who serve; Morale is tested in the turn after
    losing ``morale_test_after`` fighters. Who is captured is listed, but does not count."""

    id: UUID
    name: str
    faction_name: str
    morale: int | None
    fighters: int
    morale_test_after: int | None
    points: int
    bought: tuple[PriceLine, ...]
    leader: str
    bearer: str
    types: tuple[RosterType, ...]


def roster_sheet(warband: Warband) -> RosterSheet:
    """The sheet of a warband, types by falling Rank. One query."""
    state, rules = read_state(warband), rules_of(warband)
    totals = rules.roster_totals(state.roster)
    return RosterSheet(
        id=warband.id,
        name=state.name,
        faction_name=faction_name(warband),
        morale=totals.morale,
        fighters=totals.fighters,
        morale_test_after=totals.morale_test_after,
        points=totals.points,
        bought=totals.lines,
        leader=_name(state, state.leader),
        bearer=_name(state, state.bearer),
        types=roster_types(warband, state),
    )


def roster_types(warband: Warband, state: WarbandState) -> tuple[RosterType, ...]:
    """The living fighters of a warband by type, types by falling Rank. No query."""
    rules = rules_of(warband)
    groups: dict[bytes, tuple[Sheet, list[FighterState]]] = {}
    for fighter in state.fighters.values():
        sheet = None if fighter.fate in GONE else sheet_of(rules, state, fighter)
        if sheet is not None:
            groups.setdefault(_kind(sheet), (sheet, []))[1].append(fighter)
    types = (_roster_type(sheet, fighters) for sheet, fighters in groups.values())
    return tuple(sorted(types, key=lambda one: -one.rank))


def _kind(sheet: Sheet) -> bytes:
    """What two fighters of one type have in common."""
    return msgspec.json.encode(sheet, order="deterministic")


def _roster_type(sheet: Sheet, fighters: Iterable[FighterState]) -> RosterType:
    fighters = tuple(fighters)
    return RosterType(
        profile_name=sheet.profile_name,
        rank=sheet.rank,
        sheet=sheet,
        names=tuple(fighter.name for fighter in fighters),
        fighters=tuple(UUID(fighter.id) for fighter in fighters),
        points=sheet.points,
        count=len(fighters),
        total=sheet.points * len(fighters),
    )


def _name(state: WarbandState, fighter: str | None) -> str:
    return state.fighters[fighter].name if fighter else ""
