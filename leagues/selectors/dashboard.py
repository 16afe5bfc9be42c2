"""The dashboard of a campaign: standings, charts, grid, open battles, results, ticker."""

from collections.abc import Iterable, Mapping, Sequence
from uuid import UUID

from django.db.models import Q
from django.utils import timezone
from msgspec import Struct

from battles.models import LONG, OPEN, Battle, BattleQuerySet, BattleState, Side
from battles.selectors.battle_rows import BattleRow, RowSide, battle_row, with_sides
from battles.selectors.fixture_results import (
    FixtureResult,
    campaign_fixture_results,
)
from battles.selectors.standings import Standings, StandingsRow, counted_sides_of, standings_from
from campaigns.models import Campaign, CampaignState, Enrolment, Round
from core.compiled_queries import CompiledQuery
from leagues.selectors.casualty_feed import TickerLine, casualty_feed
from leagues.selectors.fixtures import RoundRow, round_rows
from leagues.selectors.standings_history import Course, HeadToHeadRecord
from leagues.selectors.standings_history import course as course_of
from leagues.selectors.verdict import Verdict, verdict

MAX_DAYS = 30
"""The number of days that a chart can show clearly."""
MAX_RESULTS, MAX_OPEN = 6, 12


class ScoreSide(Struct, frozen=True):
    """A side of a score card, with its colour."""

    side: RowSide
    colour: str


class ScoreCard(Struct, frozen=True):
    """A battle as a card: its row, and its sides with their colours."""

    row: BattleRow
    sides: tuple[ScoreSide, ...]


class GridRow(Struct, frozen=True):
    """A warband's row of the grid, with a record against each warband of the standings.

    The record is None against itself and against warbands that it has not met.
    """

    row: StandingsRow
    records: tuple[HeadToHeadRecord | None, ...]


class Dashboard(Struct, frozen=True):
    """The progress of a campaign, for its main page.

    ``best`` are the warbands in first place once a battle counts; ``results`` are the latest ones,
    ``waiting`` the open battles.
    """

    standings: Standings
    course: Course
    grid: tuple[GridRow, ...]
    verdict: Verdict | None
    best: tuple[StandingsRow, ...]
    round: RoundRow | None
    """The current round, while the campaign runs."""
    results: tuple[ScoreCard, ...]
    waiting: tuple[ScoreCard, ...]
    ticker: tuple[TickerLine, ...]

    @property
    def days_of_play(self) -> int:
        """The number of days of play that the charts show."""
        return len(self.course.days)

    @property
    def has_charts(self) -> bool:
        """Return whether charts show more than the standings: not two lines that never cross."""
        lines = self.course.lines
        moved = any(len({place for place in line.positions if place}) > 1 for line in lines)
        return len(self.course.days) > 1 and (len(lines) > 2 or moved)


def dashboard(campaign: Campaign, enrolments: Iterable[Enrolment]) -> Dashboard:
    """Return the campaign's progress for its main page. At most eight queries."""
    enrolments = tuple(enrolments)
    pairings = campaign_fixture_results(campaign)
    sides = counted_sides_of(campaign)
    table = standings_from(campaign, enrolments, sides, pairings)
    course = course_of(campaign, table, sides=sides, most_days=MAX_DAYS)
    colours = {enrolment.warband_id: enrolment.colour for enrolment in enrolments}
    battles = _battles(campaign)
    return Dashboard(
        standings=table,
        course=course,
        grid=_grid(table, course),
        verdict=verdict(table, over=campaign.state == CampaignState.FINISHED)
        if course.days
        else None,
        best=tuple(row for row in table.rows if row.position == 1) if course.days else (),
        round=_round(campaign, pairings)
        if pairings and campaign.state == CampaignState.RUNNING
        else None,
        results=_cards((each for each in battles if each.state == BattleState.CONFIRMED), colours),
        waiting=_cards((each for each in reversed(battles) if each.state in OPEN), colours),
        ticker=casualty_feed(campaign),
    )


def _round(campaign: Campaign, pairings: Sequence[FixtureResult]) -> RoundRow | None:
    """Return the current round. A ladder's order is left out. One query."""
    rows = round_rows(_rounds(campaign), pairings, (), timezone.localdate())
    return next((row for row in rows if row.current), None)


def _rounds(campaign: Campaign) -> list[Round]:
    rows = ROUNDS.rows(campaign.pk)
    for row in rows:
        row.campaign = campaign
    return rows


def _battles(campaign: Campaign) -> list[Battle]:
    """Return the latest results and the oldest open battles, latest first. Two queries."""
    return with_sides(BATTLES.rows(campaign.pk), SIDES.rows(campaign.pk))


def _shown_battles(key: UUID) -> BattleQuerySet:
    rows = Battle.objects.filter(campaign=key)
    newest = rows.filter(state=BattleState.CONFIRMED).latest_played_first()[:MAX_RESULTS]
    unsettled = rows.filter(state__in=OPEN).order_by("fought_on", "created_at")[:MAX_OPEN]
    return rows.filter(Q(pk__in=newest.values("pk")) | Q(pk__in=unsettled.values("pk")))


BATTLES: CompiledQuery[Battle] = CompiledQuery(
    lambda key, _: _shown_battles(key).select_related("campaign").defer(*LONG).latest_played_first()
)
SIDES: CompiledQuery[Side] = CompiledQuery(
    lambda key, _: Side.objects.for_rows().filter(battle__in=_shown_battles(key).values("pk"))
)
ROUNDS: CompiledQuery[Round] = CompiledQuery(
    lambda key, _: Round.objects.filter(campaign=key).order_by("number")
)


def _cards(battles: Iterable[Battle], colours: Mapping[UUID, str]) -> tuple[ScoreCard, ...]:
    rows = (battle_row(battle) for battle in battles)
    return tuple(
        ScoreCard(row, tuple(ScoreSide(side, colours.get(side.warband, "")) for side in row.sides))
        for row in rows
    )


def _grid(table: Standings, course: Course) -> tuple[GridRow, ...]:
    """Return the head-to-head grid in the order of the standings; empty before the first battle."""
    records = {(record.warband, record.opponent): record for record in course.records}
    if not records:
        return ()
    return tuple(
        GridRow(row, tuple(records.get((row.warband, other.warband)) for other in table.rows))
        for row in table.rows
    )
