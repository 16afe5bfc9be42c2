"""How a campaign went, day by day: the table, what each warband brought to its battles, and who met whom."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from itertools import groupby
from typing import Any
from uuid import UUID

from django.db.models import Count, IntegerField, Sum, Value
from msgspec import Struct
from msgspec.structs import replace

from battles.models import Side, order_of_play
from battles.selectors.fixture_results import FixtureResult
from battles.selectors.standings import (
    HeadToHead,
    Standings,
    StandingsRow,
    between,
    counting,
    placed,
    standing,
    table_rows,
    unplayed,
    walkovers,
)
from campaigns.models import Campaign, Enrolment
from campaigns.scoring import Scoring, scoring_under
from rulebook.ruleset import Outcome

COLUMNS = (Outcome.WON, Outcome.DREW, Outcome.LOST)
"""What a head-to-head record counts, in its order."""
COUNTED: Mapping[Outcome, str] = {Outcome.WON: "won", Outcome.DREW: "drawn", Outcome.LOST: "lost"}
Paired = tuple[UUID, UUID, str, str, int]
"""Two warbands of a battle, how it ended for the first and for the second, and the first one's lead."""


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


def course(campaign: Campaign, table: Standings) -> Course:
    """The campaign's course for its table. One query, whatever the number of battles.

    Of the tie-breakers experience counts as it is now: what it was on a day long past is not kept.
    """
    scoring = scoring_under(campaign.scoring, campaign.shown)
    return _course(table, _fieldings(campaign), scoring)


def table_and_course(
    campaign: Campaign, enrolments: Iterable[Enrolment], results: Sequence[FixtureResult], most_days: int
) -> tuple[Standings, Course]:
    """The table and how it came about, from one query; of the days of play no more than so many, the last among them.

    ``results`` are the campaign's fixtures, some of which count without a battle. The course tells no strengths.
    """
    scoring = scoring_under(campaign.scoring, campaign.shown)
    fieldings = _fieldings(campaign, strengths=False)
    now = _Tallies(scoring)
    for fielding in fieldings:
        now.add(fielding)
    rows = table_rows(campaign, enrolments, now.warbands, unplayed(results), scoring)
    table = standing(rows, _pairs(fieldings), scoring, walkovers(results))
    return table, _course(table, fieldings, scoring, most_days)


def _course(table: Standings, fieldings: Sequence[Fielding], scoring: Scoring, most_days: int | None = None) -> Course:
    every_day = tuple(dict.fromkeys(fielding.day for fielding in fieldings))
    days = thinned(every_day, most_days or len(every_day))
    tables = _tables(table, fieldings, scoring, frozenset(days))
    brought = {(each.warband, each.day): each.strength for each in fieldings}
    lines = tuple(
        CourseLine(
            row.warband,
            tuple(then[row.warband].position if row.warband in then else None for then in tables),
            tuple(then[row.warband].points if row.warband in then else None for then in tables),
            tuple(brought.get((row.warband, day)) for day in days),
        )
        for row in table.rows
    )
    return Course(days, lines, _records(fieldings))


def thinned(days: tuple[date, ...], most: int) -> tuple[date, ...]:
    """At most so many of the days, at even distances, the last one among them."""
    if len(days) <= most:
        return days
    return tuple(days[round((place + 1) * len(days) / most) - 1] for place in range(most))


def _fieldings(campaign: Campaign, *, strengths: bool = True) -> list[Fielding]:
    """Every warband of every battle that counts, in the order in which they were fought. One query."""
    fielded = Sum("combatants__points") if campaign.shown.points else Count("combatants")
    strength = fielded if strengths else Value(None, output_field=IntegerField())
    rows = (
        Side.objects.filter(counting(campaign))
        .order_by(*order_of_play("battle__"), "place")
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


class _Tallies:
    """What each warband has done so far, as ``table_rows`` takes it."""

    def __init__(self, scoring: Scoring) -> None:
        self.scoring = scoring
        self.warbands: dict[UUID, Counter[str]] = {}

    def add(self, fielding: Fielding) -> None:
        """One more battle of a warband."""
        tally = self.warbands.setdefault(fielding.warband, Counter())
        tally[COUNTED[fielding.outcome]] += 1
        tally["scored"] += fielding.scored
        tally["conceded"] += fielding.conceded
        if fielding.outcome is Outcome.WON and fielding.scored >= fielding.conceded + self.scoring.margin:
            tally["clear"] += 1

    def row(self, row: StandingsRow, *, by_now: bool) -> StandingsRow:
        """The row as it stood then; ``by_now`` with what counts without a battle, of which nobody knows the day."""
        tally = self.warbands[row.warband]
        games = {key: tally[key] for key in ("won", "drawn", "lost", "clear")}
        beside = {"byes": row.byes, "walkovers": row.walkovers, "forfeits": row.forfeits}
        beside = beside if by_now else dict.fromkeys(beside, 0)
        return replace(
            row,
            victory_points=tally["scored"],
            victory_points_against=tally["conceded"],
            points=self.scoring.points(**games) + self.scoring.points_unplayed(**beside),
            **games,
            **beside,
        )


def _tables(
    table: Standings, fieldings: Sequence[Fielding], scoring: Scoring, days: frozenset[date]
) -> Sequence[Mapping[UUID, StandingsRow]]:
    """The table as it stood after each of these days; without those who had not fought yet.

    Walkovers count on the last day, as all that has no day of its own.
    """
    so_far, met, tables = _Tallies(scoring), Counter[Paired](), []
    for day, of_it in groupby(fieldings, key=lambda fielding: fielding.day):
        fought = list(of_it)
        for fielding in fought:
            so_far.add(fielding)
        met.update(_met(fought))
        if day in days:
            by_now = day == fieldings[-1].day
            then = [so_far.row(row, by_now=by_now) for row in table.rows if row.warband in so_far.warbands]
            battles = (HeadToHead(*pair, times) for pair, times in met.items())
            pairs = (*battles, *(table.walkovers if by_now else ()))
            tables.append({row.warband: row for row in placed(then, pairs, scoring)})
    return tables


def _pairs(fieldings: Iterable[Fielding]) -> tuple[HeadToHead, ...]:
    return tuple(HeadToHead(*pair, times) for pair, times in Counter(_met(fieldings)).items())


def _met(fieldings: Iterable[Fielding]) -> Iterator[Paired]:
    """Every two warbands of each battle, from both ends."""
    for _, group in groupby(fieldings, key=lambda fielding: fielding.battle):
        sides = list(group)
        for own_side in sides:
            for other_side in sides:
                if own_side is not other_side:
                    yield (
                        own_side.warband,
                        other_side.warband,
                        own_side.outcome,
                        other_side.outcome,
                        own_side.scored - own_side.conceded,
                    )


def _records(fieldings: Iterable[Fielding]) -> tuple[HeadToHeadRecord, ...]:
    """Every pair that met. Of two who lost together, or won, neither has beaten the other: that battle is left out."""
    scores: dict[tuple[UUID, UUID], list[int]] = {}
    for pair in _pairs(fieldings):
        score, outcome = scores.setdefault((pair.warband, pair.opponent), [0, 0, 0]), between(pair)
        if outcome:
            score[COLUMNS.index(outcome)] += pair.times
    return tuple(HeadToHeadRecord(*pair, *score) for pair, score in scores.items())
