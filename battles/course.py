"""How a campaign went, day by day: the table, what each warband brought to its battles, and who met whom."""

from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import date
from itertools import groupby
from typing import Any
from uuid import UUID

from django.db.models import Count, Sum
from msgspec import Struct
from msgspec.structs import replace

from battles.models import Side
from battles.standings import HeadToHead, StandingsRow, between, counting, placed
from campaigns.models import Campaign
from campaigns.scoring import Scoring, scoring_under
from rulebook.ruleset import Outcome

COLUMNS = (Outcome.WON, Outcome.DREW, Outcome.LOST)
"""What a head-to-head record counts, in its order."""


class CourseLine(Struct, frozen=True):
    """A warband's way: its position, the table's points and the strength that it brought, a value for each day of play.

    None before its first battle; strength is also None on a day on which it did not fight. Strength is in points, or in
    fighters where the rules know no points.
    """

    warband: UUID
    positions: tuple[int | None, ...]
    points: tuple[int | None, ...]
    strengths: tuple[int | None, ...]


class HeadToHeadRecord(Struct, frozen=True):
    """Two warbands that met, from the first one's end: how many battles it won, drew and lost against the other."""

    warband: UUID
    opponent: UUID
    won: int
    drawn: int
    lost: int


class Course(Struct, frozen=True):
    """The days on which battles that count were fought, a line for each warband, and every pair that met, twice."""

    days: tuple[date, ...] = ()
    lines: tuple[CourseLine, ...] = ()
    records: tuple[HeadToHeadRecord, ...] = ()


class Fielding(Struct, frozen=True):
    """A warband in a battle that counts: the least that the table needs to know of it."""

    battle: UUID
    day: date
    warband: UUID
    outcome: Outcome
    scored: int
    conceded: int
    strength: int


def course(campaign: Campaign, rows: Iterable[StandingsRow]) -> Course:
    """The campaign's course for the rows of its table. One query, whatever the number of battles.

    Of the tie-breakers experience counts as it is now: what it was on a day long past is not kept.
    """
    rows, fieldings = tuple(rows), _fieldings(campaign)
    scoring = scoring_under(campaign.scoring, campaign.shown)
    days = tuple(dict.fromkeys(fielding.day for fielding in fieldings))
    tables = [_table(rows, [each for each in fieldings if each.day <= day], scoring) for day in days]
    brought = {(each.warband, each.day): each.strength for each in fieldings}
    lines = tuple(
        CourseLine(
            row.warband,
            tuple(table[row.warband].position if row.warband in table else None for table in tables),
            tuple(table[row.warband].points if row.warband in table else None for table in tables),
            tuple(brought.get((row.warband, day)) for day in days),
        )
        for row in rows
    )
    return Course(days, lines, _records(fieldings))


def _fieldings(campaign: Campaign) -> list[Fielding]:
    """Every warband of every battle that counts, in the order in which they were fought."""
    strength = Sum("combatants__points") if campaign.shown.points else Count("combatants")
    rows = (
        Side.objects.filter(counting(campaign))
        .order_by("battle__fought_on", "battle__confirmed_at", "battle_id", "place")
        .annotate(strength=strength)
        .values_list(
            "battle_id",
            "battle__fought_on",
            "warband_id",
            "outcome",
            "victory_points",
            "victory_points_against",
            "strength",
        )
    )
    return [_fielding(*row) for row in rows]


def _fielding(battle: UUID, day: date, warband: UUID, outcome: str, *figures: Any) -> Fielding:
    return Fielding(battle, day, warband, Outcome(outcome), *(figure or 0 for figure in figures))


def _table(
    rows: Iterable[StandingsRow], fieldings: Iterable[Fielding], scoring: Scoring
) -> Mapping[UUID, StandingsRow]:
    """The table as it stood when these and no others had been fought; without those who had not fought yet."""
    by_warband: dict[UUID, list[Fielding]] = {}
    for fielding in fieldings:
        by_warband.setdefault(fielding.warband, []).append(fielding)
    then = [_row(row, by_warband[row.warband], scoring) for row in rows if row.warband in by_warband]
    return {row.warband: row for row in placed(then, _pairs(fieldings), scoring)}


def _row(row: StandingsRow, fieldings: list[Fielding], scoring: Scoring) -> StandingsRow:
    ended = Counter(fielding.outcome for fielding in fieldings)
    clear = [
        each for each in fieldings if each.outcome is Outcome.WON and each.scored >= each.conceded + scoring.margin
    ]
    games = {"won": ended[Outcome.WON], "drawn": ended[Outcome.DREW], "lost": ended[Outcome.LOST], "clear": len(clear)}
    return replace(
        row,
        victory_points=sum(fielding.scored for fielding in fieldings),
        victory_points_against=sum(fielding.conceded for fielding in fieldings),
        points=scoring.points(**games),
        **games,
    )


def _pairs(fieldings: Iterable[Fielding]) -> tuple[HeadToHead, ...]:
    met: Counter[tuple[UUID, UUID, str, str]] = Counter()
    for _, group in groupby(fieldings, key=lambda fielding: fielding.battle):
        sides = list(group)
        met.update(
            (one.warband, other.warband, one.outcome, other.outcome)
            for one in sides
            for other in sides
            if one is not other
        )
    return tuple(HeadToHead(*pair, times) for pair, times in met.items())


def _records(fieldings: Iterable[Fielding]) -> tuple[HeadToHeadRecord, ...]:
    """Every pair that met. Of two who lost together, or won, neither has beaten the other: that battle is left out."""
    scores: dict[tuple[UUID, UUID], list[int]] = {}
    for pair in _pairs(fieldings):
        score, outcome = scores.setdefault((pair.warband, pair.opponent), [0, 0, 0]), between(pair)
        if outcome:
            score[COLUMNS.index(outcome)] += pair.times
    return tuple(HeadToHeadRecord(*pair, *score) for pair, score in scores.items())
