"""What a correction changes: side by side, before and after."""

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
    """A fighter before and after; ``experience`` is the unspent balance. None where it is not on
    the roster."""

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
    """A warband's row of the campaign's table before and after; positions count from 1, None if it
    had no row."""

    warband: UUID
    name: str
    position_before: int | None
    position_after: int | None
    points_before: int
    points_after: int
    victory_point_difference_before: int
    victory_point_difference_after: int


class LaterChange(Struct, frozen=True):
    """What a late battle changes of a later fact, or of a fighter who was not in it. None for a
    fighter of a private warband that the reader may not see."""

    warband: UUID
    warband_name: str
    sequence: int
    fighter: UUID | None
    fighter_name: str
    sentence: str


class CorrectionDifference(Struct, frozen=True):
    """Everything that a correction changes, or a late battle. ``verdict_after`` is empty where the
    battle is struck out, ``verdict_before`` where it did not count yet.

    ``campaign_before`` and ``campaign_after`` say who has won a classic campaign, "" in any other.
    ``changes`` are what a late battle changes for others. ``day_before`` and ``day_after`` are the
    battle's day, "" where it stays.
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
    """What becomes of fixtures, tables of groups, ladders and later rounds that hang on the
    battle."""
    day_before: Annotated[str, DAY_OR_EMPTY] = ""
    day_after: Annotated[str, DAY_OR_EMPTY] = ""

    @property
    def open_conflicts(self) -> tuple[LaterConflict, ...]:
        """Conflicts that nobody has answered yet."""
        return tuple(conflict for conflict in self.conflicts if not conflict.answer)


def side_differences(
    sides: Sequence[Side], before: BattleResult | None, after: BattleResult | None
) -> tuple[SideDifference, ...]:
    """Every side, changed or not."""
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
    """The fighters whose experience, fate, Rank, points or condition change."""
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
    """What of a fighter is compared before and after."""
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
    """The rows of the table that change; nothing for a battle outside any campaign."""
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
