"""Posters of a campaign for the wall: the standings chart and the fixtures poster."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from uuid import UUID

from django.utils import timezone
from django.utils.translation import gettext

from battles.models import Battle, BattleState
from battles.selectors.fixture_results import UNSETTLED, FixtureState
from battles.selectors.standings import Standings, standings
from campaigns.eligibility import ruleset_of_campaign
from campaigns.models import Campaign
from campaigns.scoring import scoring_under
from core.errors import InvalidInput
from documents.content.campaign_history import course_of_play
from documents.content.campaigns import place_of_row, state_of_campaign
from documents.content.documents import (
    ChartPlace,
    CourseOfPlay,
    FixturesPoster,
    PosterFixture,
    PosterRound,
    PosterSide,
    StandingsChart,
)
from documents.content.labels import label
from documents.content.structs import Glossed
from documents.content.visible_pictures import Album, album, open_like
from documents.prose import prose
from leagues.selectors.fixtures import FixtureRow, FixtureSide, RoundRow, campaign_fixtures
from pictures.subjects import PictureKind
from warbands.models import Warband

MAX_IN_GRID = 16
"""The most sides whose results against each other fit on a chart."""
MAX_NEXT, MAX_OVERDUE, MAX_LATER = 12, 16, 8
"""The most fixtures on a standings chart, and the most overdue ones and later rounds on a poster.
"""
NOTHING, NEVER = "", "–"


class SideArms:
    """The data from which the arms of warbands are drawn.

    Uploaded crests are shown on posters of one ``campaign``, to those who may see them: two
    queries, else none.
    """

    def __init__(self, warbands: Iterable[UUID | None], campaign: Campaign | None = None) -> None:
        self.pictures = Album()
        if campaign:
            rows = Warband.objects.in_bulk({each for each in warbands if each})
            shown = [key for key, warband in rows.items() if open_like(campaign, warband)]
            self.pictures = album({PictureKind.WARBAND: shown})

    def side(self, side: FixtureSide) -> PosterSide:
        """Return a side of a fixture with its arms."""
        return PosterSide(
            name=side.name,
            player=side.player_name,
            colour=side.colour,
            arms=str(side.warband) if side.warband else "",
            crest=self.pictures.of(side.warband) if side.warband else None,
        )


def standings_content(campaign: Campaign) -> StandingsChart:
    """Return the standings of a campaign for the wall. Ten queries at most.

    The next fixtures come from the current round, which depends on the day.
    """
    rules = ruleset_of_campaign(campaign)
    table, scoring = standings(campaign), scoring_under(campaign.scoring, campaign.shown)
    battles = _confirmed(campaign)
    rounds = campaign_fixtures(campaign, timezone.localdate())
    arms = SideArms((row.warband for row in table.rows), campaign)
    current = next((each for each in rounds if each.current), None)
    return StandingsChart(
        title=campaign.name,
        subtitle=gettext("Standings"),
        dated=_dated(campaign, battles),
        ruleset=rules.name,
        club=campaign.club.name,
        words=label(rules, campaign.house_rules),
        state=state_of_campaign(campaign, battles),
        standings=tuple(_places(table, arms)),
        scoring=prose().scoring(scoring, table.unplayed),
        met=_results(course_of_play(campaign, table), len(table.rows)),
        next_round=_round(current, arms, only_open=True, most=MAX_NEXT) if current else None,
    )


def fixtures_content(campaign: Campaign) -> FixturesPoster:
    """Return the fixtures of a campaign for the wall. Six queries at most.

    Which round is the current one, and which fixtures are overdue, depends on the day. Raises
    InvalidInput (`nothing-to-print`) if it has no rounds.
    """
    rules = ruleset_of_campaign(campaign)
    rounds = [
        each
        for each in campaign_fixtures(campaign, timezone.localdate())
        if any(row.state != FixtureState.VOID for row in each.fixtures)
    ]
    if not rounds:
        sentence = gettext("This campaign has no fixtures yet. Create rounds under Fixtures first.")
        raise InvalidInput("nothing-to-print", sentence, field="subject")
    current = next((each for each in rounds if each.current), rounds[-1])
    before = [each for each in rounds if each.number < current.number]
    after = [each for each in rounds if each.number > current.number]
    arms = SideArms(
        (side.warband for each in rounds for row in each.fixtures for side in row.sides), campaign
    )
    late = [row for each in before for row in each.fixtures if row.state in UNSETTLED]
    due = [*late, *(row for row in current.fixtures if row.unsettled)]
    return FixturesPoster(
        title=campaign.name,
        subtitle=gettext("Fixtures"),
        dated=_dated(campaign, _confirmed(campaign)),
        ruleset=rules.name,
        club=campaign.club.name,
        words=label(rules, campaign.house_rules),
        current=_round(current, arms),
        overdue=tuple(
            poster_fixture(row, arms, source=row.round_name) for row in late[:MAX_OVERDUE]
        ),
        later=tuple(_round(each, arms, only_open=True) for each in after[:MAX_LATER]),
        to_play=_to_play(due),
        more_overdue=max(len(late) - MAX_OVERDUE, 0),
        more_later=max(len(after) - MAX_LATER, 0),
    )


def _confirmed(campaign: Campaign) -> list[Battle]:
    return list(
        campaign.battles.filter(state=BattleState.CONFIRMED, result__isnull=False)
        .only("fought_on", "confirmed_at", "campaign")
        .order_by("fought_on", "confirmed_at")
    )


def _dated(campaign: Campaign, battles: Sequence[Battle]) -> str:
    """Return the day (ISO) of the latest change in the table."""
    moments = [campaign.created_at, campaign.started_at, campaign.finished_at]
    moments += [battle.confirmed_at for battle in battles]
    return max(moment.date().isoformat() for moment in moments if moment)


def _places(table: Standings, arms: SideArms) -> Iterable[ChartPlace]:
    for row in table.rows:
        place = place_of_row(row)
        yield ChartPlace(
            position=place.position,
            warband=place.warband,
            player=place.player,
            figures=place.figures,
            colour=place.colour,
            arms=str(row.warband),
            crest=arms.pictures.of(row.warband),
        )


def _results(course: CourseOfPlay, count: int) -> tuple[tuple[str, ...], ...]:
    """Return the results of each place against the others, as battles won, drawn and lost."""
    if count > MAX_IN_GRID or not course.met:
        return ()
    grid = [[NOTHING] * count for _ in range(count)]
    for met in course.met:
        parts = (met.won, met.drawn, met.lost) if met.drawn else (met.won, met.lost)
        grid[met.row][met.column] = "–".join(map(str, parts)) if met.decided else NEVER
    return tuple(tuple(row) for row in grid)


def _round(
    row: RoundRow, arms: SideArms, *, only_open: bool = False, most: int | None = None
) -> PosterRound:
    """Return a round with its fixtures, or only with those that are still to be played."""
    fixtures = [
        each
        for each in row.fixtures
        if each.state != FixtureState.VOID
        and (not only_open or each.unsettled or each.state == FixtureState.WAITING)
    ]
    return PosterRound(
        name=row.name,
        fixtures=tuple(poster_fixture(each, arms, of_round=row.deadline) for each in fixtures)[
            :most
        ],
        deadline=row.deadline.isoformat() if row.deadline else "",
    )


def poster_fixture(
    row: FixtureRow, arms: SideArms, *, of_round: date | None = None, source: str = ""
) -> PosterFixture:
    """Return a fixture for a poster. Its deadline is shown if it is not that ``of_round``."""
    deadline = row.deadline if row.unsettled and row.deadline != of_round else None
    return PosterFixture(
        home=arms.side(row.home),
        away=arms.side(row.away) if row.away else None,
        deadline=deadline.isoformat() if deadline else "",
        state="" if row.state in (FixtureState.OPEN, FixtureState.WAITING) else row.badges[0].label,
        score=_score(row),
        overdue=row.overdue,
        source=source,
    )


def _score(row: FixtureRow) -> str:
    """Return the victory points of a fixture that was played, "" without any."""
    if row.state != FixtureState.CONFIRMED or row.away is None:
        return ""
    points = (row.home.victory_points, row.away.victory_points)
    return "" if None in points else f"{points[0]} : {points[1]}"


def _to_play(rows: Iterable[FixtureRow]) -> tuple[Glossed, ...]:
    """Return the players of these fixtures, those with most of them first, with the number."""
    players: Mapping[str, int] = Counter(
        side.player_name or side.name for row in rows for side in row.sides
    )
    in_order = sorted(players.items(), key=lambda each: (-each[1], each[0].casefold()))
    return tuple(Glossed(name, str(count)) for name, count in in_order)
