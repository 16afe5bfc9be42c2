"""The differences that a correction makes: values before and after it."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated
from uuid import UUID

from msgspec import Struct
from msgspec.structs import replace

from battles.models import Side
from battles.selectors.standings import Standings
from battles.services.correction_conflicts import LaterConflict
from battles.services.dependents import FixtureEffect
from rulebook.chronicle.states import FighterState, WarbandState
from rulebook.registry import find_ruleset
from rulebook.ruleset import BattleResult, ConditionLine
from rulebook.values.described import DAY_OR_EMPTY
from warbands.rulebook_values import condition_of
from warbands.services.chronicle import Preview


class SideDifference(Struct, frozen=True):
    """A side's outcome ("won", "lost", "drew", "" for none) and victory points before and after."""

    side: str
    warband: UUID
    name: str
    outcome_before: str
    outcome_after: str
    victory_points_before: int
    victory_points_after: int


class FighterDifference(Struct, frozen=True):
    """A fighter before and after; ``experience`` is the unspent balance.

    Values are None where the fighter is not on the roster.
    """

    warband: UUID
    warband_name: str
    fighter: UUID
    name: str
    experience_before: int | None
    experience_after: int | None
    fate_before: str | None
    fate_after: str | None
    rank_before: int | None
    rank_after: int | None
    points_before: int | None
    points_after: int | None
    condition_before: tuple[ConditionLine, ...] = ()
    condition_after: tuple[ConditionLine, ...] = ()


class TableDifference(Struct, frozen=True):
    """A warband's row of the campaign's standings before and after.

    Positions count from 1 and are None if it had no row.
    """

    warband: UUID
    name: str
    position_before: int | None
    position_after: int | None
    points_before: int
    points_after: int
    victory_point_difference_before: int
    victory_point_difference_after: int


class LaterChange(Struct, frozen=True):
    """A change that a late battle makes to a later fact, or to a fighter who was not in the battle.

    ``fighter`` is None for a fighter of a private warband that the reader may not see.
    """

    warband: UUID
    warband_name: str
    sequence: int
    fighter: UUID | None
    fighter_name: str
    sentence: str


class CorrectionDifference(Struct, frozen=True):
    """Everything that a correction or a late battle changes.

    ``verdict_after`` is empty if the battle is voided, ``verdict_before`` if it did not count yet.
    ``campaign_before`` and ``campaign_after`` say who has won a classic campaign and are "" in any
    other. ``changes`` are what a late battle changes for others. ``day_before`` and ``day_after``
    are the battle's day, "" if it does not change.
    """

    verdict_before: str
    verdict_after: str
    sides: tuple[SideDifference, ...]
    fighters: tuple[FighterDifference, ...]
    table: tuple[TableDifference, ...]
    conflicts: tuple[LaterConflict, ...]
    campaign_before: str = ""
    campaign_after: str = ""
    changes: tuple[LaterChange, ...] = ()
    fixtures: tuple[FixtureEffect, ...] = ()
    """The effects on fixtures, group tables, ladders and later rounds that depend on the battle."""
    day_before: Annotated[str, DAY_OR_EMPTY] = ""
    day_after: Annotated[str, DAY_OR_EMPTY] = ""

    @property
    def open_conflicts(self) -> tuple[LaterConflict, ...]:
        """The conflicts that have no answer yet."""
        return tuple(conflict for conflict in self.conflicts if not conflict.answer)


def side_differences(
    sides: Sequence[Side], before: BattleResult | None, after: BattleResult | None
) -> tuple[SideDifference, ...]:
    """Return the difference of every side, changed or not."""
    old = {side.side: side for side in before.sides} if before else {}
    new = {side.side: side for side in after.sides} if after else {}
    return tuple(
        SideDifference(
            side=side.key,
            warband=side.warband_id,
            name=side.warband.name,
            outcome_before=old[side.key].outcome if old else "",
            outcome_after=new[side.key].outcome if new else "",
            victory_points_before=old[side.key].victory_points if old else 0,
            victory_points_after=new[side.key].victory_points if new else 0,
        )
        for side in sides
    )


def fighter_differences(
    sides: Sequence[Side], previews: Mapping[UUID, Preview]
) -> tuple[FighterDifference, ...]:
    """Return the fighters whose experience, fate, Rank, points or condition change."""
    return tuple(
        difference
        for side in sides
        for difference in _changed_fighters(side, previews[side.warband_id])
    )


def _changed_fighters(side: Side, preview: Preview) -> Iterator[FighterDifference]:
    before, after = preview.before.state, preview.after.state
    for key in {**before.fighters, **after.fighters}:
        old, new = before.fighters.get(key), after.fighters.get(key)
        if figures_of(old) != figures_of(new):
            difference = _fighter_difference(side, key, old, new)
            yield replace(
                difference,
                condition_before=_condition(before, old),
                condition_after=_condition(after, new),
            )


def _condition(state: WarbandState, fighter: FighterState | None) -> tuple[ConditionLine, ...]:
    return (
        condition_of(find_ruleset(state.ruleset, state.edition), state, fighter) if fighter else ()
    )


def figures_of(fighter: FighterState | None) -> tuple[object, ...]:
    """Return the values of a fighter that are compared before and after."""
    if fighter is None:
        return ()
    return (fighter.experience, str(fighter.fate), fighter.rank, fighter.points, fighter.condition)


def _fighter_difference(
    side: Side, key: str, old: FighterState | None, new: FighterState | None
) -> FighterDifference:
    fighter = new or old
    return FighterDifference(
        warband=side.warband_id,
        warband_name=side.warband.name,
        fighter=UUID(key),
        name=fighter.name if fighter else "",
        experience_before=old.experience if old else None,
        experience_after=new.experience if new else None,
        fate_before=str(old.fate) if old else None,
        fate_after=str(new.fate) if new else None,
        rank_before=old.rank if old else None,
        rank_after=new.rank if new else None,
        points_before=old.points if old else None,
        points_after=new.points if new else None,
    )


def table_differences(
    before: Standings | None, after: Standings | None
) -> tuple[TableDifference, ...]:
    """Return the rows of the standings that change; empty for a battle outside campaigns."""
    if before is None or after is None:
        return ()
    old = {row.warband: row for row in before.rows}
    new = {row.warband: row for row in after.rows}
    rows = (
        TableDifference(
            warband=warband,
            name=(new.get(warband) or old[warband]).name,
            position_before=old[warband].position if warband in old else None,
            position_after=new[warband].position if warband in new else None,
            points_before=old[warband].points if warband in old else 0,
            points_after=new[warband].points if warband in new else 0,
            victory_point_difference_before=old[warband].difference if warband in old else 0,
            victory_point_difference_after=new[warband].difference if warband in new else 0,
        )
        for warband in {**old, **new}
    )
    return tuple(row for row in rows if _moved(row))


def _moved(row: TableDifference) -> bool:
    before = (row.position_before, row.points_before, row.victory_point_difference_before)
    return before != (row.position_after, row.points_after, row.victory_point_difference_after)
