"""The hall screen of a club: tonight's games by table, results, standings and casualties."""

from collections import Counter
from collections.abc import Collection, Sequence
from datetime import datetime, timedelta

from django.contrib.auth.models import AnonymousUser, User
from django.utils import timezone
from msgspec import Struct
from msgspec.structs import replace

from battles.selectors.standings import StandingsRow
from battles.selectors.standings import standings as campaign_standings
from campaigns.models import Campaign
from clubs.models import Club, Evening
from leagues.selectors.casualty_feed import TickerLine, casualty_feed
from leagues.selectors.club_night import NightGame, games_of, night_games

AFTER = timedelta(hours=8)
"""The time for which a club night stays on the screen after its end."""
MOST_ROWS, MOST_FALLEN = 6, 5
MOST_IN_ONE_COLUMN = 6
"""More games are in two columns."""
MOST_LINES, LINES_OF_GAME = 17, 2
"""The lines of the standings that fit on a screen of 16:9 without games, and those that a row of
games takes."""


class Hall(Struct, frozen=True, kw_only=True):
    """The contents of a hall screen. Times are in the club's time zone."""

    club_name: str
    starts_at: datetime | None
    ends_at: datetime | None
    games: tuple[NightGame, ...]
    campaign_name: str
    shows_points: bool
    standings: tuple[StandingsRow, ...]
    fallen: tuple[TickerLine, ...]

    @property
    def columns(self) -> tuple[tuple[NightGame, ...], ...]:
        """The games in two columns, so that many tables fit on the screen."""
        half = _lines(self.games)
        return tuple(filter(None, (self.games[:half], self.games[half:])))


def _lines(games: Sequence[NightGame]) -> int:
    """Return the number of games below each other."""
    return (len(games) + 1) // 2 if len(games) > MOST_IN_ONE_COLUMN else len(games)


def _room(games: Sequence[NightGame]) -> int:
    """Return the number of lines that fit below the games: nobody scrolls the screen in a hall."""
    return max(0, min(MOST_ROWS, MOST_LINES - LINES_OF_GAME * _lines(games)))


def hall(club: Club, user: User | AnonymousUser) -> Hall:
    """Return the hall screen of a club for this reader. A fixed number of queries.

    Games of campaigns that the reader may not see have no warbands and no results. Names come from
    published pairings.
    """
    rows = Evening.objects.filter(club=club, cancelled_at=None).ahead(timezone.now() - AFTER)
    evening = rows.first()
    campaigns = {each.pk: each for each in club.campaigns.listed_in_club(user).running()}
    games: tuple[NightGame, ...] = ()
    if evening is not None:
        evening.club = club
        published = games_of(evening) if evening.published_at else []
        games = tuple(
            game if game.campaign is None or game.campaign in campaigns else _masked(game)
            for game in night_games(evening, published, {})
        )
    campaign, room = _campaign_of(games, [*campaigns.values()]), _room(games)
    return Hall(
        club_name=club.name,
        starts_at=evening.local_start if evening else None,
        ends_at=evening.local_end if evening else None,
        games=games,
        campaign_name=campaign.name if campaign else "",
        shows_points=bool(campaign and campaign.shown.victory_points),
        standings=campaign_standings(campaign).rows[:room] if campaign and room else (),
        fallen=_fallen(campaign)[:room] if campaign and room else (),
    )


def _campaign_of(games: tuple[NightGame, ...], campaigns: Collection[Campaign]) -> Campaign | None:
    """Return the campaign with most games tonight, otherwise the newest one."""
    played = Counter(game.campaign for game in games)
    return max(campaigns, key=lambda each: (played[each.pk], each.created_at), default=None)


def _fallen(campaign: Campaign) -> tuple[TickerLine, ...]:
    deaths = [line for line in casualty_feed(campaign) if line.kind == "death"]
    return tuple(deaths[:MOST_FALLEN])


def _masked(game: NightGame) -> NightGame:
    first, second = (
        replace(side, warband="", warband_id=None, outcome="", victory_points=None)
        if side
        else None
        for side in (game.first, game.second)
    )
    return replace(game, first=first or game.first, second=second, campaign_name="", battle=None)
