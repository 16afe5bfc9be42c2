"""A campaign at a glance: the table and how it came about, who met whom, what is going on, results
and the ticker."""

from collections.abc import Iterable, Mapping, Sequence
from uuid import UUID

from django.db.models import Q
from django.utils import timezone
from msgspec import Struct

from battles.models import Battle, BattleState
from battles.selectors.battle_rows import BattleRow, RowSide, battle_row
from battles.selectors.fixture_results import FixtureResult, fixture_results
from battles.selectors.standings import Standings, StandingsRow, counted_sides, standings_from
from campaigns.models import Campaign, CampaignState, Enrolment, Fixture
from leagues.selectors.casualty_feed import TickerLine, casualty_feed
from leagues.selectors.fixtures import RoundRow, round_rows
from leagues.selectors.standings_history import Course, HeadToHeadRecord
from leagues.selectors.standings_history import course as course_of
from leagues.selectors.verdict import Verdict, verdict

MAX_DAYS = 30
"""So many days of play can be told apart in a chart."""
MAX_RESULTS, MAX_OPEN = 6, 12
OPEN = (BattleState.PLANNED, BattleState.UNDER_WAY, BattleState.SUBMITTED, BattleState.DISPUTED)


class ScoreSide(Struct, frozen=True):
    """A side of a score card, in its colour."""

    side: RowSide
    colour: str


class ScoreCard(Struct, frozen=True):
    """A battle as a card: its row, and its sides in their colours."""

    row: BattleRow
    sides: tuple[ScoreSide, ...]


class GridRow(Struct, frozen=True):
    """A warband's row of the grid: against each warband of the table, None where they have not met,
    or are the same."""

    row: StandingsRow
    records: tuple[HeadToHeadRecord | None, ...]


class Dashboard(Struct, frozen=True):
    """What the front page of a campaign shows of its course.

    ``best`` are those who stand first once a battle counts; ``results`` are the newest ones,
    ``waiting`` the battles that are not settled.
    """

    standings: Standings
    course: Course
    grid: tuple[GridRow, ...]
    verdict: Verdict | None
    best: tuple[StandingsRow, ...]
    round: RoundRow | None
    """The round that is played now, as long as the campaign runs."""
    results: tuple[ScoreCard, ...]
    waiting: tuple[ScoreCard, ...]
    ticker: tuple[TickerLine, ...]

    @property
    def days_of_play(self) -> int:
        """On how many days, as far as they are shown."""
        return len(self.course.days)


def dashboard(campaign: Campaign, enrolments: Iterable[Enrolment]) -> Dashboard:
    """The campaign's course for its front page. Eight queries at most, whatever the number of
    battles."""
    enrolments = tuple(enrolments)
    pairings = fixture_results(Fixture.objects.filter(round__campaign=campaign))
    sides = counted_sides([campaign])[campaign.pk]
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
    """The round that is played now, without the ladder that it may be. One query."""
    rows = round_rows(list(campaign.rounds.order_by("number")), pairings, (), timezone.localdate())
    return next((row for row in rows if row.current), None)


def _battles(campaign: Campaign) -> list[Battle]:
    """The newest results, and the battles that wait to be settled, newest first. Two queries."""
    rows = Battle.objects.filter(campaign=campaign)
    newest = rows.filter(state=BattleState.CONFIRMED).latest_played_first()[:MAX_RESULTS]
    unsettled = rows.filter(state__in=OPEN).order_by("fought_on", "created_at")[:MAX_OPEN]
    battles = rows.filter(
        Q(pk__in=newest.values("pk")) | Q(pk__in=unsettled.values("pk"))
    ).for_rows()
    return list(battles.latest_played_first())


def _cards(battles: Iterable[Battle], colours: Mapping[UUID, str]) -> tuple[ScoreCard, ...]:
    rows = (battle_row(battle) for battle in battles)
    return tuple(
        ScoreCard(row, tuple(ScoreSide(side, colours.get(side.warband, "")) for side in row.sides))
        for row in rows
    )


def _grid(table: Standings, course: Course) -> tuple[GridRow, ...]:
    """Who met whom, in the order of the table; empty where nobody has."""
    records = {(record.warband, record.opponent): record for record in course.records}
    if not records:
        return ()
    return tuple(
        GridRow(row, tuple(records.get((row.warband, other.warband)) for other in table.rows))
        for row in table.rows
    )
