"""The course of a campaign, day by day: standings, strengths and head-to-head records."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from itertools import groupby
from operator import attrgetter
from uuid import UUID

from msgspec import Struct

from battles.selectors.standings import (
    Count,
    CountedSide,
    HeadToHead,
    Standings,
    StandingsRow,
    Unplayed,
    between,
    counted_sides,
    placed,
)
from campaigns.models import Campaign
from campaigns.scoring import scoring_under
from rulebook.ruleset import Outcome

COLUMNS = (Outcome.WON, Outcome.DREW, Outcome.LOST)
"""The outcomes that a head-to-head record counts, in its order."""


class CourseLine(Struct, frozen=True):
    """A warband's position, points and strength on each day of play.

    Values are None before its first battle; strength is also None on days on which it did not
    fight. Strength is in points, or in fighters if the rules do not count points.
    """

    warband: UUID
    positions: tuple[int | None, ...]
    points: tuple[int | None, ...]
    strengths: tuple[int | None, ...]


class HeadToHeadRecord(Struct, frozen=True):
    """The record of a warband against an opponent: the battles that it won, drew and lost."""

    warband: UUID
    opponent: UUID
    won: int
    drawn: int
    lost: int


class Course(Struct, frozen=True):
    """The days of play, a line for each warband, and two records for each pair that met."""

    days: tuple[date, ...] = ()
    lines: tuple[CourseLine, ...] = ()
    records: tuple[HeadToHeadRecord, ...] = ()


def course(
    campaign: Campaign,
    table: Standings,
    *,
    sides: Sequence[CountedSide] | None = None,
    most_days: int | None = None,
) -> Course:
    """Return the campaign's course for its standings. One query, or none if ``sides`` are given.

    As a tie-breaker, experience has its present value: values of past days are not stored.

    Args:
        campaign: The campaign.
        table: Its present standings.
        sides: All sides that count, from ``counted_sides``; by default loaded with their strengths.
        most_days: The maximum number of days; the last day is always included.
    """
    if sides is None:
        sides = counted_sides([campaign], strengths=True)[campaign.pk]
    every_day = tuple(dict.fromkeys(side.day for side in sides))
    days = thinned(every_day, most_days or len(every_day))
    count = Count(scoring_under(campaign.scoring, campaign.shown))
    tables = _by_day(table, sides, count, frozenset(days))
    brought = {(side.warband, side.day): side.strength for side in sides}
    lines = tuple(
        CourseLine(
            row.warband,
            tuple(then[row.warband].position if row.warband in then else None for then in tables),
            tuple(then[row.warband].points if row.warband in then else None for then in tables),
            tuple(brought.get((row.warband, day)) for day in days),
        )
        for row in table.rows
    )
    return Course(days, lines, _records(count.pairs))


def thinned(days: tuple[date, ...], most: int) -> tuple[date, ...]:
    """Return at most ``most`` of the days, evenly spaced, always with the last one."""
    if len(days) <= most:
        return days
    return tuple(days[round((place + 1) * len(days) / most) - 1] for place in range(most))


def _by_day(
    table: Standings, sides: Iterable[CountedSide], count: Count, days: frozenset[date]
) -> Sequence[Mapping[UUID, StandingsRow]]:
    """Return the rows after each of these days, without warbands that had not fought yet.

    Afterwards ``count`` has counted everything. Walkovers and byes have no day and count on the
    last one.
    """
    rows_by_day = []
    by_day = [(day, list(of_day)) for day, of_day in groupby(sides, key=attrgetter("day"))]
    for place, (day, of_day) in enumerate(by_day, start=1):
        count.add(of_day)
        if day in days:
            last = place == len(by_day)
            rows = [
                count.row(row, _beside(row) if last else Unplayed())
                for row in table.rows
                if row.warband in count.figures
            ]
            pairs = (*count.pairs, *(table.walkovers if last else ()))
            rows_by_day.append({row.warband: row for row in placed(rows, pairs, count.scoring)})
    return rows_by_day


def _beside(row: StandingsRow) -> Unplayed:
    """Return the byes, walkovers and forfeits of a row."""
    return Unplayed(byes=row.byes, walkovers=row.walkovers, forfeits=row.forfeits)


def _records(pairs: Iterable[HeadToHead]) -> tuple[HeadToHeadRecord, ...]:
    """Return a record for each side of every pair that met.

    Leaves out battles in which both were on the winning or on the losing side.
    """
    scores: dict[tuple[UUID, UUID], list[int]] = {}
    for pair in pairs:
        score, outcome = scores.setdefault((pair.warband, pair.opponent), [0, 0, 0]), between(pair)
        if outcome:
            score[COLUMNS.index(outcome)] += pair.times
    return tuple(HeadToHeadRecord(*pair, *score) for pair, score in scores.items())
