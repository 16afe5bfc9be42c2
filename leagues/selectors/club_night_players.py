"""The basis of a club night's pairings: players, due fixtures, earlier games, points."""

from collections.abc import Collection, Iterable, Mapping
from datetime import date, datetime
from itertools import combinations
from uuid import UUID

from django.db.models import Exists, F, OuterRef, Q
from django.utils import timezone
from msgspec import Struct

from battles.models import BattleState, Side
from battles.selectors.fixture_results import FixtureState
from campaigns.models import CampaignState, Enrolment, TableGame
from campaigns.pairings.club_night import Link, Pair, Player, pair_key
from clubs.models import Answer, Attendance, Club, Evening, ForbiddenPair, Membership
from leagues.selectors.fixtures import FixtureRow, fixtures_due_in_club
from rulebook.ruleset import Outcome

POINTS = {Outcome.WON.value: 2, Outcome.DREW.value: 1, Outcome.LOST.value: 0}
PLAYABLE = (FixtureState.OPEN, FixtureState.PLANNED)


class Contest(Struct, frozen=True, kw_only=True):
    """A game for two players: a due fixture, or one in a campaign in which both are.

    ``points`` are the points of both warbands together, ``gap`` is the difference. Only a due
    fixture has the name of its campaign.
    """

    campaign: UUID
    campaign_name: str = ""
    points: int
    gap: int
    fixture: FixtureRow | None = None


class NightPlayers(Struct, frozen=True, kw_only=True):
    """The players of a club night, and the links between two of them."""

    players: tuple[Player, ...]
    links: Mapping[Pair, Link]
    contests: Mapping[Pair, Contest]


class _History(Struct):
    """The games of players against each other, and what each won: 2 for a win, 1 for a draw."""

    met: dict[Pair, int]
    last: dict[Pair, date]
    points: dict[str, list[int]]
    sat_out: dict[str, int]

    def add(self, first: str, second: str, day: date) -> None:
        pair = pair_key(first, second)
        self.met[pair] = self.met.get(pair, 0) + 1
        self.last[pair] = max(self.last.get(pair, day), day)

    def record(self, player: str) -> float:
        points = self.points.get(player)
        return sum(points) / (2 * len(points)) if points else 0.5


def expected(evening: Evening) -> list[Attendance]:
    """Return the answers of those who are to be paired: going or checked in, and no no-shows."""
    here = Q(answer=Answer.COMING) | Q(arrived_at__isnull=False)
    rows = evening.attendances.filter(here, no_show=False, member__left_at=None)
    return list(rows.select_related("member").order_by("member__name", "member"))


def new_guests(evening: Evening, members: Collection[UUID]) -> set[UUID]:
    """Return those of these members who are guests that only this club night names. One query.

    These can be removed without a trace: they have played nothing, and came to no other night.
    """
    elsewhere = Attendance.objects.filter(member=OuterRef("pk")).exclude(evening=evening)
    either = Q(first=OuterRef("pk")) | Q(second=OuterRef("pk"))
    games = TableGame.objects.filter(either).exclude(evening=evening)
    guests = Membership.objects.present().filter(
        ~Exists(elsewhere),
        ~Exists(games),
        pk__in=members,
        user=None,
        enrolments=None,
        journal_entries=None,
        given_warbands=None,
        substituted_sides=None,
        substituted_fixtures=None,
        past_facts=None,
        past_games=None,
    )
    return set(guests.values_list("pk", flat=True))


def night_players(evening: Evening, members: Collection[UUID]) -> NightPlayers:
    """Return the players of a club night and their links. Six queries at most.

    Select ``club`` with the evening.
    """
    club, day = evening.club, evening.local_start.date()
    contests = _contests(club, day, members)
    history = _History(met={}, last={}, points={}, sat_out={})
    _add_battles(history, club, members)
    _add_table_games(history, evening)
    forbidden = {
        pair_key(str(first), str(second))
        for first, second in ForbiddenPair.objects.filter(club=club).values_list("first", "second")
    }
    due = {pair: each.fixture for pair, each in contests.items() if each.fixture}
    deadlines = sorted({row.deadline or date.max for row in due.values()})
    keys = sorted(map(str, members))
    links = {}
    for pair in combinations(keys, 2):
        row, last = due.get(pair), history.last.get(pair, day)
        links[pair] = Link(
            due=1 + deadlines.index(row.deadline or date.max) if row else 0,
            met=history.met.get(pair, 0),
            days_since=max(0, (day - last).days),
            points_gap=contests[pair].gap if pair in contests else 0,
            forbidden=pair in forbidden,
        )
    players = tuple(
        Player(key=key, record=history.record(key), sat_out=history.sat_out.get(key, 0))
        for key in keys
    )
    return NightPlayers(players=players, links=links, contests=contests)


def _contests(club: Club, day: date, members: Collection[UUID]) -> dict[Pair, Contest]:
    """Return what each two can play: their most urgent fixture, else the newest campaign."""
    contests: dict[Pair, Contest] = {}
    entered: dict[UUID, dict[UUID, int]] = {}
    rows = Enrolment.objects.current().filter(
        campaign__club=club, campaign__state=CampaignState.RUNNING, player__in=members
    )
    ordered = rows.order_by("-campaign__created_at", "campaign", "enrolled_at", "pk")
    for key, player, points in ordered.values_list("campaign", "player", "warband__points"):
        entered.setdefault(key, {}).setdefault(player, points)
    for key, points_of in entered.items():
        for (first, mine), (second, theirs) in combinations(points_of.items(), 2):
            contest = Contest(campaign=key, points=mine + theirs, gap=abs(mine - theirs))
            contests.setdefault(pair_key(str(first), str(second)), contest)

    due: dict[Pair, FixtureRow] = {}
    names: dict[UUID, str] = {}
    for campaign, row in fixtures_due_in_club(club, day):
        names[campaign.pk] = campaign.name
        players = [side.player for side in row.sides if side.player in members]
        if len(set(players)) == 2 and row.state in PLAYABLE:
            due.setdefault(pair_key(str(players[0]), str(players[1])), row)
    for pair, row in due.items():
        points_of = entered.get(row.campaign, {})
        mine, theirs = (points_of.get(UUID(player), 0) for player in pair)
        contests[pair] = Contest(
            campaign=row.campaign,
            campaign_name=names[row.campaign],
            points=mine + theirs,
            gap=abs(mine - theirs),
            fixture=row,
        )
    return contests


def _add_battles(history: _History, club: Club, members: Collection[UUID]) -> None:
    """Add the club's battles of these members. One query."""
    mine = Q(substitute__in=members) | Q(substitute=None, warband__enrolments__player__in=members)
    rows = Side.objects.filter(
        mine,
        battle__campaign__club=club,
        warband__enrolments__campaign=F("battle__campaign"),
        battle__state__in=(BattleState.SUBMITTED, BattleState.CONFIRMED),
    ).values_list(
        "battle", "battle__fought_on", "substitute", "warband__enrolments__player", "outcome"
    )
    players_of: dict[UUID, list[str]] = {}
    days: dict[UUID, date] = {}
    for battle, day, substitute, player, outcome in rows.order_by():
        key = str(substitute or player)
        players_of.setdefault(battle, []).append(key)
        days[battle] = day
        if outcome in POINTS:
            history.points.setdefault(key, []).append(POINTS[outcome])
    for battle, players in players_of.items():
        for first, second in combinations(sorted(set(players)), 2):
            history.add(first, second, days[battle])


def _add_table_games(history: _History, evening: Evening) -> None:
    """Add friendly games of earlier club nights, and who sat out. One query."""
    rows = TableGame.objects.filter(
        evening__club=evening.club_id,
        evening__published_at__isnull=False,
        evening__ends_at__lt=timezone.now(),
    ).exclude(evening=evening)
    games: Iterable[tuple[UUID, UUID | None, UUID | None, datetime]] = rows.values_list(
        "first", "second", "campaign", "evening__starts_at"
    )
    for first, second, campaign, start in games:
        if second is None:
            history.sat_out[str(first)] = history.sat_out.get(str(first), 0) + 1
        elif campaign is None:
            history.add(str(first), str(second), start.astimezone(evening.club.zone).date())
