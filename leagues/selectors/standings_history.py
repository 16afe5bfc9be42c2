"""How a campaign went, day by day: the standings, what each warband brought to its battles, and who
met whom."""

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
"""What a head-to-head record counts, in its order."""


class CourseLine(Struct, frozen=True):
    """A warband's way: its position, the table's points and the strength that it brought, a value
    for each day of play.

    None before its first battle; strength is also None on a day on which it did not fight. Strength
    is in points, or in fighters where the rules know no points.
    """

    warband: UUID
    positions: tuple[int | None, ...]
    points: tuple[int | None, ...]
    strengths: tuple[int | None, ...]


class HeadToHeadRecord(Struct, frozen=True):
    """Two warbands that met, from the first one's end: how many battles it won, drew and lost
    against the other."""

    warband: UUID
    opponent: UUID
    won: int
    drawn: int
    lost: int


class Course(Struct, frozen=True):
    """The days on which battles that count were fought, a line for each warband, and every pair
    that met, twice."""

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
    """Return the campaign's course for its standings. One query, none where ``sides`` are read
    already.

    Of the tie-breakers experience counts as it is now: what it was on a day long past is not kept.

    Args:
        campaign: Whose course.
        table: Its standings as they are now.
        sides: All that count, from ``counted_sides``; by default read with their strengths.
        most_days: Of the days of play no more than so many, the last among them.
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
    """At most so many of the days, at even distances, the last one among them."""
    if len(days) <= most:
        return days
    return tuple(days[round((place + 1) * len(days) / most) - 1] for place in range(most))


def _by_day(
    table: Standings, sides: Iterable[CountedSide], count: Count, days: frozenset[date]
) -> Sequence[Mapping[UUID, StandingsRow]]:
    """Return the rows as they stood after each of these days, without warbands that had not fought
    yet.

    ``count`` has counted everything afterwards. Walkovers and byes count on the last day, as all
    that has no day.
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
    """Return what counts for a warband without a battle."""
    return Unplayed(byes=row.byes, walkovers=row.walkovers, forfeits=row.forfeits)


def _records(pairs: Iterable[HeadToHead]) -> tuple[HeadToHeadRecord, ...]:
    """Every pair that met. Of two who lost together, or won, neither has beaten the other: that
    battle is left out."""
    scores: dict[tuple[UUID, UUID], list[int]] = {}
    for pair in pairs:
        score, outcome = scores.setdefault((pair.warband, pair.opponent), [0, 0, 0]), between(pair)
        if outcome:
            score[COLUMNS.index(outcome)] += pair.times
    return tuple(HeadToHeadRecord(*pair, *score) for pair, score in scores.items())
