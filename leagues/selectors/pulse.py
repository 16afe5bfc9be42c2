"""The pulse of a campaign for its organisers: who drifts away, the gap, dead games, suggestions."""

from collections.abc import Iterator, Sequence
from datetime import date
from itertools import islice
from uuid import UUID

from django.db.models import Max
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext, ngettext
from msgspec import Struct
from msgspec.structs import replace

from battles.models import BattleState, Side
from battles.selectors.fixture_results import (
    FixtureResult,
    FixtureState,
    campaign_fixture_results,
)
from battles.selectors.standings import StandingsRow
from battles.selectors.standings import standings as campaign_standings
from campaigns.models import Campaign, Enrolment
from campaigns.scoring import scoring_under
from clubs.models import Evening, Membership, Role

DRIFTING_WEEKS = 3
"""The weeks without a game from which a member counts as drifting away."""
SUGGESTIONS = 3
WIDE_GAP = 1.5
"""From this ratio of roster points on, the strongest warband is called far ahead."""
UNPLAYED = (FixtureState.OPEN, FixtureState.PLANNED)


class Drifting(Struct, frozen=True, kw_only=True):
    """A member who drifts away.

    ``weeks`` counts full weeks since the last game, or since the start without one. ``overdue`` is
    the number of fixtures whose deadline has passed, ``open`` that of all open ones.
    """

    member: UUID
    name: str
    warband: UUID
    warband_name: str
    weeks: int
    last_game: date | None
    open: int
    overdue: int


class Gap(Struct, frozen=True, kw_only=True):
    """The strongest and the weakest warband by roster points, and the lead in the standings."""

    strongest: str
    strongest_points: int
    weakest: str
    weakest_points: int
    first: str
    lead: int
    """The league points of the first ahead of the second."""
    spread: int
    """The league points of the first ahead of the last."""


class DeadGame(Struct, frozen=True, kw_only=True):
    """An open fixture of two warbands that can no longer win the campaign."""

    fixture: UUID
    round_number: int
    home: str
    away: str


class Suggestion(Struct, frozen=True):
    """A suggestion to an organiser: a stable code, a sentence, and the page for it."""

    code: str
    sentence: str
    url: str


class Pulse(Struct, frozen=True, kw_only=True):
    """The pulse of a campaign."""

    campaign: UUID
    drifting: tuple[Drifting, ...]
    gap: Gap | None
    dead_games: tuple[DeadGame, ...]
    open_games: int
    decided: bool
    """True if nobody can catch the first any more."""
    organisers: int
    """The number of organisers of the club who have an active account."""
    suggestions: tuple[Suggestion, ...]


def campaign_pulse(campaign: Campaign, today: date) -> Pulse:
    """Return the pulse of a campaign, by a fixed number of queries. Select ``club`` with it."""
    results = campaign_fixture_results(campaign)
    rows = [row for row in campaign_standings(campaign).rows if not row.withdrawn]
    enrolments = list(campaign.enrolments.current().select_related("warband", "player"))
    last_games = _last_games(campaign)
    drifting = tuple(_drifting(campaign, enrolments, results, last_games, today))
    reach = _reach(campaign, rows, results)
    best = rows[0].points if rows else 0
    decided = (
        len(rows) > 1
        and _open(results) > 0
        and max(reach[row.enrolment] for row in rows[1:]) < best
    )
    dead = tuple(_dead_games(rows, results, reach))
    organisers = Membership.objects.present().filter(
        club=campaign.club_id, role=Role.ORGANISER, user__is_active=True
    )
    pulse = Pulse(
        campaign=campaign.pk,
        drifting=drifting,
        gap=_gap(rows, enrolments),
        dead_games=dead,
        open_games=_open(results),
        decided=decided,
        organisers=organisers.count(),
        suggestions=(),
    )
    night = (
        Evening.objects.filter(club=campaign.club_id, cancelled_at=None)
        .ahead(timezone.now())
        .select_related("club")
        .first()
    )
    suggestions = _suggestions(campaign, pulse, results, night, today, has_battles=bool(last_games))
    return replace(pulse, suggestions=tuple(islice(suggestions, SUGGESTIONS)))


def _open(results: Sequence[FixtureResult]) -> int:
    return sum(each.state in UNPLAYED for each in results)


def _last_games(campaign: Campaign) -> dict[UUID, date]:
    """Return the day of each warband's last battle in the campaign. One query."""
    fought = Side.objects.filter(
        battle__campaign=campaign,
        battle__state__in=(
            BattleState.UNDER_WAY,
            BattleState.SUBMITTED,
            BattleState.DISPUTED,
            BattleState.CONFIRMED,
        ),
    )
    return dict(fought.order_by().values_list("warband").annotate(last=Max("battle__fought_on")))


def _drifting(
    campaign: Campaign,
    enrolments: Sequence[Enrolment],
    results: Sequence[FixtureResult],
    last_games: dict[UUID, date],
    today: date,
) -> Iterator[Drifting]:
    started = campaign.started_at
    rows = []
    for entry in enrolments:
        last = last_games.get(entry.warband_id)
        since = last or max(
            entry.enrolled_at.date(), started.date() if started else entry.enrolled_at.date()
        )
        mine = [
            each
            for each in results
            if each.state in UNPLAYED
            and entry.pk in {entrant.enrolment for entrant in each.entrants}
        ]
        overdue = sum(each.overdue(today) for each in mine)
        weeks = max(0, (today - since).days // 7)
        # With all games played, nobody has to play.
        idle = weeks >= DRIFTING_WEEKS and (bool(mine) or not results)
        if idle or overdue:
            rows.append(
                Drifting(
                    member=entry.player_id,
                    name=entry.player.name,
                    warband=entry.warband_id,
                    warband_name=entry.warband.name,
                    weeks=weeks,
                    last_game=last,
                    open=len(mine),
                    overdue=overdue,
                )
            )
    yield from sorted(rows, key=lambda row: (-row.overdue, -row.weeks, row.name))


def _reach(
    campaign: Campaign, rows: Sequence[StandingsRow], results: Sequence[FixtureResult]
) -> dict[UUID, int]:
    """Return the most points that each enrolment can still reach: by winning all open fixtures."""
    scoring = scoring_under(campaign.scoring, campaign.shown)
    win = scoring.points(won=1, drawn=0, lost=0, clear=1)
    reach = {row.enrolment: row.points for row in rows}
    for each in results:
        if each.settled:
            continue
        for entrant in each.entrants:
            if entrant.enrolment in reach:
                reach[entrant.enrolment] += win
    return reach


def _dead_games(
    rows: Sequence[StandingsRow], results: Sequence[FixtureResult], reach: dict[UUID, int]
) -> Iterator[DeadGame]:
    """Yield the open fixtures of which neither side can still reach the points of the first."""
    best = rows[0].points if rows else 0
    for each in results:
        both = each.entrants
        if each.state not in UNPLAYED or len(both) < 2:
            continue
        if all(reach.get(entrant.enrolment, 0) < best for entrant in both):
            yield DeadGame(
                fixture=each.id,
                round_number=each.round_number,
                home=both[0].name,
                away=both[1].name,
            )


def _gap(rows: Sequence[StandingsRow], enrolments: Sequence[Enrolment]) -> Gap | None:
    if len(rows) < 2 or len(enrolments) < 2:
        return None
    by_points = sorted(enrolments, key=lambda entry: (-entry.warband.points, entry.warband.name))
    strongest, weakest = by_points[0].warband, by_points[-1].warband
    return Gap(
        strongest=strongest.name,
        strongest_points=strongest.points,
        weakest=weakest.name,
        weakest_points=weakest.points,
        first=rows[0].name,
        lead=rows[0].points - rows[1].points,
        spread=rows[0].points - rows[-1].points,
    )


def _suggestions(
    campaign: Campaign,
    pulse: Pulse,
    results: Sequence[FixtureResult],
    night: Evening | None,
    today: date,
    *,
    has_battles: bool,
) -> Iterator[Suggestion]:
    """Yield suggestions, the most urgent first."""
    fixtures = reverse("leagues:fixtures", args=[campaign.pk])
    club = reverse("home:club", args=[campaign.club_id])
    if pulse.organisers < 2:
        yield Suggestion(
            "second-organiser",
            gettext("Make a second member an organiser, so that the club does not depend on one."),
            f"{club}#members",
        )
    yield from _about_drifting(pulse, results, night, fixtures, today)
    if night is None:
        yield Suggestion(
            "club-nights",
            gettext("No club night is planned. Add some, so that open games have a day."),
            reverse("home:make-evenings", args=[campaign.club_id]),
        )
    if pulse.decided or pulse.dead_games:
        number = len(pulse.dead_games) or pulse.open_games
        sentence = ngettext(
            "%(number)s open game cannot change who wins. Add a final for the best four, or end "
            "the campaign earlier.",
            "%(number)s open games cannot change who wins. Add a final for the best four, or end "
            "the campaign earlier.",
            number,
        )
        yield Suggestion(
            "add-final",
            sentence % {"number": number},
            reverse("leagues:make-rounds", args=[campaign.pk]),
        )
    gap = pulse.gap
    counted = campaign.shown.points and gap is not None and gap.weakest_points > 0
    if counted and gap and gap.strongest_points >= WIDE_GAP * gap.weakest_points:
        yield Suggestion(
            "wide-gap",
            gettext(
                "%(strong)s has %(more)s points more than %(weak)s. Play a battle with a points "
                "limit of %(limit)s, or give the weaker side a loan fighter."
            )
            % {
                "strong": gap.strongest,
                "more": gap.strongest_points - gap.weakest_points,
                "weak": gap.weakest,
                "limit": gap.weakest_points,
            },
            reverse("leagues:plan") + f"?campaign={campaign.pk}",
        )
    yield from _always(campaign, results, night, fixtures, has_battles=has_battles)


def _about_drifting(
    pulse: Pulse,
    results: Sequence[FixtureResult],
    night: Evening | None,
    fixtures: str,
    today: date,
) -> Iterator[Suggestion]:
    late = next((each for each in pulse.drifting if each.overdue), None)
    if late is not None:
        game = next(
            each
            for each in results
            if each.state in UNPLAYED
            and each.overdue(today)
            and late.warband in {entrant.warband for entrant in each.entrants}
        )
        other = next(each for each in game.entrants if each.warband != late.warband)
        yield Suggestion(
            "overdue",
            gettext("%(name)s against %(other)s is overdue. Move the deadline, or give a walkover.")
            % {"name": late.warband_name, "other": other.name},
            reverse("leagues:fixture", args=[game.id]),
        )
    idle = max(pulse.drifting, key=lambda each: each.weeks, default=None)
    if idle is not None and idle.weeks >= DRIFTING_WEEKS:
        if night is None:
            sentence = gettext("%(name)s has not played for %(weeks)s weeks. Ask when they can.")
            yield Suggestion(
                "ask-member", sentence % {"name": idle.name, "weeks": idle.weeks}, fixtures
            )
        else:
            sentence = gettext(
                "%(name)s has not played for %(weeks)s weeks. Invite them to the club night on "
                "%(day)s."
            )
            day = date_format(night.local_start, gettext("j F"))
            yield Suggestion(
                "invite-to-night",
                sentence % {"name": idle.name, "weeks": idle.weeks, "day": day},
                reverse("home:evening", args=[night.pk]),
            )


def _always(
    campaign: Campaign,
    results: Sequence[FixtureResult],
    night: Evening | None,
    fixtures: str,
    *,
    has_battles: bool,
) -> Iterator[Suggestion]:
    """Yield what is worth doing in any campaign."""
    if night is not None and not night.published_at and _open(results):
        day = date_format(night.local_start, gettext("j F"))
        yield Suggestion(
            "draw-pairings",
            gettext("Draw the pairings for the club night on %(day)s: due fixtures come first.")
            % {"day": day},
            reverse("leagues:pairings", args=[night.pk]),
        )
    if not _open(results):
        yield Suggestion(
            "next-round",
            gettext("No game is open. Create the next round, or end the campaign."),
            reverse("leagues:make-rounds", args=[campaign.pk]),
        )
    if has_battles:
        yield Suggestion(
            "journal",
            gettext("Write a few lines about the last battle in the campaign's journal."),
            reverse("leagues:log", args=[campaign.pk]),
        )
    yield Suggestion(
        "share",
        gettext("Show the standings in the club's chat, with the next deadlines."),
        reverse("leagues:standings", args=[campaign.pk]),
    )
    yield Suggestion(
        "look-at-fixtures", gettext("Look through the open fixtures with the players."), fixtures
    )
    if not has_battles:
        yield Suggestion(
            "house-rules",
            gettext("Check the house rules with the players before the first battle."),
            reverse("campaigns:house-rules", args=[campaign.pk]),
        )
