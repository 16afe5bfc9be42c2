"""The rounds of a campaign with their fixtures, and the open fixtures of a user."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import Annotated
from uuid import UUID

from django.contrib.auth.models import AnonymousUser, User
from django.db.models import QuerySet
from django.utils.translation import gettext, gettext_lazy
from msgspec import Struct, field
from msgspec.structs import replace

from battles.models import BattleState
from battles.selectors.battle_rows import Badge
from battles.selectors.fixture_results import (
    UNSETTLED,
    FixtureResult,
    FixtureState,
    SideOfFixture,
    campaign_fixture_results,
    fixture_results,
    ladder_of,
    unearned_note,
)
from battles.selectors.standings import GroupStandings, group_standings, standings
from campaigns.models import Campaign, CampaignState, Enrolment, Fixture, Method, Round, Walkover
from campaigns.scoring import scoring_under
from clubs.models import Club, clubs_of
from core.compiled_queries import ANY_KEY, CompiledQuery, Reader
from rulebook.ruleset import Outcome
from rulebook.values.described import closed

LABELS = {
    FixtureState.WAITING: gettext_lazy("Waiting for earlier results"),
    FixtureState.OPEN: gettext_lazy("Not played yet"),
    FixtureState.WALKOVER: gettext_lazy("Walkover"),
    FixtureState.BYE: gettext_lazy("Bye"),
    FixtureState.VOID: gettext_lazy("Will not be played"),
    **{
        state: BattleState(state).label
        for state in FixtureState
        if state in BattleState.values and state != "void"
    },
}


MAX_FOLDED, MAX_OUTSTANDING = 40, 20
"""The number of fixtures that one page can hold, and of old open ones that it lists.

With more fixtures each round has its own page.
"""


class FixtureSide(Struct, frozen=True):
    """A side of a fixture.

    While the entrant is not known, ``enrolment`` is None and ``name`` describes who it will be.

    ``outcome`` is "won", "lost", "drew", or "" before there is a result.
    """

    enrolment: UUID | None
    warband: UUID | None
    name: str
    colour: str
    player: UUID | None
    player_name: str
    outcome: Annotated[str, closed("Outcome", Outcome, blank=True)]
    victory_points: int | None
    withdrawn: bool
    absent: bool = False
    """True if this side had left the campaign, so that the fixture was not played."""


class FixtureRow(Struct, frozen=True, kw_only=True):
    """A fixture for pages, the inbox and the API."""

    id: UUID
    campaign: UUID
    round: UUID
    round_number: int
    round_name: str
    group: str
    place: int
    home: FixtureSide
    away: FixtureSide | None
    """None for a given bye."""
    state: Annotated[str, closed("FixtureState", FixtureState)]
    playable: bool
    """True if a battle can be planned: not if it exceeds the agreed number of games."""
    overdue: bool
    undecided: bool
    """True if a knockout battle was drawn, so that an organiser decides who advances."""
    deadline: date | None
    battle: UUID | None
    walkover: Annotated[str, closed("WalkoverEnum", filter(None, Walkover), blank=True)]
    reason: str
    agreed: str
    """Why a warband with another fixture in the round plays here."""
    given_up: bool
    """True if a warband that had left the campaign and has returned gave it up.

    An organiser can reopen it.
    """
    postponed: str
    """Why its deadline was moved."""
    version: int
    badges: tuple[Badge, ...] = field(name="chips")
    note: str = ""
    """The rightful entrants, if an earlier result was corrected after it was played."""

    @property
    def unsettled(self) -> bool:
        """Return whether the two still have to play it or to finish it."""
        return self.state in UNSETTLED

    @property
    def planned_battle(self) -> UUID | None:
        """The battle that is planned for it and has not begun."""
        return self.battle if self.state == FixtureState.PLANNED else None

    @property
    def begun_battle(self) -> UUID | None:
        """Return a battle that has begun and is not final: it precedes a walkover."""
        going = (FixtureState.UNDER_WAY, FixtureState.SUBMITTED, FixtureState.DISPUTED)
        return self.battle if self.state in going else None

    @property
    def changeable(self) -> bool:
        """Return whether an organiser can change it other than by correcting its battle."""
        return self.state != FixtureState.CONFIRMED or self.undecided or bool(self.walkover)

    @property
    def untouched(self) -> bool:
        """Return whether it has no battle and no walkover: then it can be swapped and deleted."""
        fresh = (FixtureState.OPEN, FixtureState.BYE, FixtureState.VOID)
        return self.state in fresh and not self.battle and not self.walkover

    @property
    def sides(self) -> tuple[FixtureSide, ...]:
        """The two sides, or the one with a bye."""
        return (self.home, self.away) if self.away else (self.home,)


class RoundRow(Struct, frozen=True, kw_only=True):
    """A round with its fixtures.

    ``open`` counts the fixtures that are still to be played or finished.
    """

    id: UUID
    campaign: UUID
    number: int
    name: str
    method: Annotated[str, closed("MethodEnum", Method)]
    method_label: str
    deadline: date | None
    reach: int | None
    version: int
    current: bool
    open: int
    fixtures: tuple[FixtureRow, ...]
    ladder: tuple[FixtureSide, ...]
    """Ladders only: its present order, from the top down."""


class OpenFixture(Struct, frozen=True, kw_only=True):
    """A fixture that a user has to play: ``own`` against ``opponent``, by ``fixture.deadline``."""

    fixture: FixtureRow
    campaign_name: str
    own: FixtureSide
    opponent: FixtureSide


def campaign_fixtures(campaign: Campaign, today: date) -> tuple[RoundRow, ...]:
    """Return the rounds of a campaign with all their fixtures, in order.

    Takes two queries, three if there is a ladder.
    """
    rounds = list(campaign.rounds.order_by("number"))
    results = campaign_fixture_results(campaign) if rounds else ()
    entrants = enrolled(campaign) if any(each.method == Method.LADDER for each in rounds) else ()
    return round_rows(rounds, results, entrants, today)


def enrolled(campaign: Campaign) -> tuple[FixtureSide, ...]:
    """Return the present entrants of the campaign in the order of enrolment. One query."""
    rows = (
        campaign.enrolments.current()
        .select_related("warband", "player")
        .order_by("enrolled_at", "id")
    )
    return tuple(
        FixtureSide(
            enrolment=row.pk,
            warband=row.warband_id,
            name=row.warband.name,
            colour=row.colour,
            player=row.player_id,
            player_name=row.player.name,
            outcome="",
            victory_points=None,
            withdrawn=False,
        )
        for row in rows
    )


def round_rows(
    rounds: Sequence[Round],
    results: Sequence[FixtureResult],
    entrants: Sequence[FixtureSide],
    today: date,
) -> tuple[RoundRow, ...]:
    """Return the rounds of one campaign from loaded rows. No queries.

    ``entrants`` are those who can be on its ladder.
    """
    rows = fixture_rows(rounds, results, today)
    current = current_round(rounds, results, today)
    return tuple(
        RoundRow(
            id=each.pk,
            campaign=each.campaign_id,
            number=each.number,
            name=str(each),
            method=each.method,
            method_label=str(Method(each.method).label),
            deadline=each.deadline,
            reach=each.reach,
            version=each.version,
            current=each.pk == current,
            open=sum(1 for row in rows if row.round == each.pk and row.state in UNSETTLED),
            fixtures=tuple(row for row in rows if row.round == each.pk),
            ladder=_ladder(each, results, entrants) if each.method == Method.LADDER else (),
        )
        for each in rounds
    )


def _ladder(
    row: Round, results: Iterable[FixtureResult], entrants: Sequence[FixtureSide]
) -> tuple[FixtureSide, ...]:
    by_id = {str(side.enrolment): side for side in entrants}
    mine = [each for each in results if each.round == row.pk]
    return tuple(by_id[key] for key in ladder_of(row.order, mine, [*by_id]))


def current_round(
    rounds: Sequence[Round], results: Iterable[FixtureResult], today: date
) -> UUID | None:
    """Return the id of the current round, or None without rounds.

    It is the first round with open fixtures whose deadline has not passed. A round without a
    deadline counts while at least half of it is open, so that a slow player holds nobody up. If
    there is no such round, it is the last one.
    """
    for round_row in rounds:
        mine = [result for result in results if result.round == round_row.pk]
        waiting = sum(1 for result in mine if not result.settled)
        if waiting and (
            round_row.deadline >= today if round_row.deadline else waiting * 2 >= len(mine)
        ):
            return round_row.pk
    return rounds[-1].pk if rounds else None


def fixture_rows(
    rounds: Iterable[Round], results: Iterable[FixtureResult], today: date
) -> tuple[FixtureRow, ...]:
    """Return the fixtures of these rounds as rows. No queries."""
    names = {each.pk: str(each) for each in rounds}
    by_id = {result.id: result for result in results}
    return tuple(
        _row(result, by_id, names, today) for result in by_id.values() if result.round in names
    )


def open_fixtures(
    user: User | AnonymousUser, today: date, *, in_own_clubs: bool = False
) -> tuple[OpenFixture, ...]:
    """Return the open fixtures of a user in running campaigns, the earliest deadline first.

    Two queries, one without any round.

    Includes planned fixtures, and those of warbands that the user plays, owns, or keeps for a guest
    player. ``in_own_clubs`` leaves out campaigns of clubs that the user has left.
    """
    if not user.is_authenticated:
        return ()
    rounds = _rounds_of_campaigns(user, in_own_clubs=in_own_clubs)
    results = _results_of_rounds(rounds)
    # Build rows for the user's own fixtures only: a round has many others.
    own_results = _open_results(results, user.pk)
    return tuple(each for _, each in _to_play(own_results, results, rounds, today, {user.pk}))


def number_of_playable_fixtures(user: User) -> int:
    """Return how many fixtures in the user's clubs the user can plan. Two queries.

    It counts ``open_fixtures`` without their rows, because every page needs the number.
    """
    results = _results_of_rounds(_rounds_of_campaigns(user, in_own_clubs=True))
    return sum(result.playable for result in _open_results(results, user.pk))


def _rounds_of_campaigns(user: User, *, in_own_clubs: bool) -> list[Round]:
    """Return all rounds of the running campaigns in which the user plays. One query."""
    return (ROUNDS_IN_OWN_CLUBS if in_own_clubs else ROUNDS).rows(ANY_KEY, user)


def _rounds_of(user: Reader) -> QuerySet[Round, Round]:
    return _with_names(Round.objects.filter(campaign__in=_played(user).values("campaign")))


def _rounds_in_own_clubs(user: Reader) -> QuerySet[Round, Round]:
    mine = _played(user).filter(campaign__club__in=clubs_of(user))
    return _with_names(Round.objects.filter(campaign__in=mine.values("campaign")))


def _rounds_of_club(club: UUID) -> QuerySet[Round, Round]:
    running = Round.objects.filter(campaign__club=club, campaign__state=CampaignState.RUNNING)
    return _with_names(running)


def _played(user: Reader) -> QuerySet[Enrolment, Enrolment]:
    """Return the enrolments of the user's warbands in running campaigns."""
    mine = Enrolment.objects.current().played_by(user)
    return mine.filter(campaign__state=CampaignState.RUNNING)


ROUNDS = CompiledQuery(lambda _, user: _rounds_of(user))
ROUNDS_IN_OWN_CLUBS = CompiledQuery(lambda _, user: _rounds_in_own_clubs(user))
ROUNDS_OF_CLUB = CompiledQuery(lambda key, _: _rounds_of_club(key))


def _with_names(rounds: QuerySet[Round, Round]) -> QuerySet[Round, Round]:
    return rounds.select_related("campaign").only("campaign_id", "number", "name", "campaign__name")


def _results_of_rounds(rounds: Collection[Round]) -> tuple[FixtureResult, ...]:
    """Return all fixtures of these rounds. One query, none without rounds.

    The rounds are loaded first: in one statement PostgreSQL may read the fixtures of all clubs.
    """
    return fixture_results(Fixture.objects.filter(round__in=rounds)) if rounds else ()


def _open_results(results: Iterable[FixtureResult], user: int) -> list[FixtureResult]:
    return [
        result
        for result in results
        if result.state in UNSETTLED and any(user in entrant.users for entrant in result.entrants)
    ]


def open_fixtures_of_club(club: Club, today: date) -> tuple[tuple[int, OpenFixture], ...]:
    """Return the open fixtures of a club, each with the id of a user who has to play it.

    A fixture is there once for each of its users, as in ``open_fixtures``. Two queries, one without
    any round.
    """
    rounds = ROUNDS_OF_CLUB.rows(club.pk)
    results = _results_of_rounds(rounds)
    open_results = [result for result in results if result.state in UNSETTLED]
    return _to_play(open_results, results, rounds, today)


def fixtures_due_in_club(club: Club, day: date) -> tuple[tuple[Campaign, FixtureRow], ...]:
    """Return the open fixtures of a club's running campaigns up to the current round of each.

    ``day`` decides which round is current. The earliest deadline comes first. Two queries, one
    without any round.
    """
    rows = Round.objects.filter(campaign__club=club, campaign__state=CampaignState.RUNNING)
    rounds = list(rows.select_related("campaign").order_by("campaign", "number"))
    results = _results_of_rounds(rounds)
    campaigns = {each.campaign_id: each.campaign for each in rounds}
    current_number = {}
    for key in campaigns:
        own_rounds = [each for each in rounds if each.campaign_id == key]
        current = current_round(own_rounds, results, day)
        current_number[key] = next(each.number for each in own_rounds if each.pk == current)
    due = [
        (campaigns[row.campaign], row)
        for row in fixture_rows(rounds, results, day)
        if row.unsettled and row.round_number <= current_number[row.campaign]
    ]
    return tuple(
        sorted(
            due,
            key=lambda each: (each[1].deadline or date.max, each[0].name, each[1].round_number),
        )
    )


def _to_play(
    open_results: Collection[FixtureResult],
    results: Iterable[FixtureResult],
    rounds: Iterable[Round],
    today: date,
    users: Collection[int] | None = None,
) -> tuple[tuple[int, OpenFixture], ...]:
    """Return open fixtures with the users who have to play them, or only with these users.

    The earliest deadline comes first. ``results`` and ``rounds`` are all those of their campaigns.
    No queries.
    """
    campaigns = {each.campaign_id: each.campaign.name for each in rounds}
    names, by_id = (
        {each.pk: str(each) for each in rounds},
        {result.id: result for result in results},
    )
    to_play = [
        (user, _open_fixture(row, result, user, campaigns[result.campaign]))
        for result in open_results
        for row in (_row(result, by_id, names, today),)
        for user in sorted({user for entrant in result.entrants for user in entrant.users})
        if users is None or user in users
    ]
    return tuple(
        sorted(
            to_play,
            key=lambda each: (
                each[1].fixture.deadline or date.max,
                each[1].fixture.round_number,
                each[0],
            ),
        )
    )


def _open_fixture(
    row: FixtureRow, result: FixtureResult, user: int, campaign_name: str
) -> OpenFixture:
    at_home = result.home.entrant is not None and user in result.home.entrant.users
    away = row.away or row.home
    own_side, opponent = (row.home, away) if at_home else (away, row.home)
    return OpenFixture(fixture=row, campaign_name=campaign_name, own=own_side, opponent=opponent)


def _row(
    result: FixtureResult,
    by_id: Mapping[UUID, FixtureResult],
    names: Mapping[UUID, str],
    today: date,
) -> FixtureRow:
    overdue = result.overdue(today)
    given = result.state is FixtureState.BYE and len(result.entrants) == 1
    return FixtureRow(
        id=result.id,
        campaign=result.campaign,
        round=result.round,
        round_number=result.round_number,
        round_name=names[result.round],
        group=result.group,
        place=result.place,
        home=_side(result.home, result, by_id, names),
        away=None if given else _side(result.away, result, by_id, names),
        state=result.state,
        playable=result.playable,
        overdue=overdue,
        undecided=result.undecided,
        deadline=result.deadline,
        battle=result.battle,
        walkover=result.walkover,
        reason=result.reason,
        agreed=result.agreed,
        given_up=result.given_up,
        postponed=result.postponed,
        version=result.version,
        badges=tuple(_badges(result, overdue)),
        note=unearned_note(result),
    )


def _badges(result: FixtureResult, overdue: bool) -> Iterator[Badge]:
    yield Badge(result.state, str(LABELS[result.state]))
    if overdue:
        yield Badge("overdue", gettext("Overdue"))
    if any(side.unearned for side in result.sides):
        yield Badge("corrected", gettext("Played before a correction"))
    if result.undecided:
        drawn = any(side.outcome == Outcome.DREW for side in result.sides)
        yield Badge(
            "disputed",
            gettext("Draw: decide who advances")
            if drawn
            else gettext("No winner: decide who advances"),
        )


def _side(
    side: SideOfFixture,
    result: FixtureResult,
    by_id: Mapping[UUID, FixtureResult],
    names: Mapping[UUID, str],
) -> FixtureSide:
    entrant = side.entrant
    if entrant is None:
        return FixtureSide(
            None, None, _who_comes(side, result, by_id, names), "", None, "", "", None, False
        )
    return FixtureSide(
        enrolment=entrant.enrolment,
        warband=entrant.warband,
        name=entrant.name,
        colour=entrant.colour,
        player=entrant.player,
        player_name=entrant.player_name,
        outcome=side.outcome or _by_walkover(side, result),
        victory_points=side.victory_points,
        withdrawn=entrant.gone,
        absent=result.state in (FixtureState.BYE, FixtureState.VOID) and entrant == result.absent,
    )


def _by_walkover(side: SideOfFixture, result: FixtureResult) -> str:
    if result.state is not FixtureState.WALKOVER:
        return ""
    return Outcome.WON if side.entrant == result.winner else Outcome.LOST


def _who_comes(
    side: SideOfFixture,
    result: FixtureResult,
    by_id: Mapping[UUID, FixtureResult],
    names: Mapping[UUID, str],
) -> str:
    source = by_id.get(side.source) if side.source else None
    if source is None:
        return gettext("No opponent")
    if source.entrants:
        pair = gettext("%(home)s v. %(away)s") if len(source.entrants) == 2 else "%(home)s"
        sentence = (
            gettext("Loser of %(pair)s") if result.of_losers else gettext("Winner of %(pair)s")
        )
        names_of = [each.name for each in source.entrants]
        return sentence % {"pair": pair % {"home": names_of[0], "away": names_of[-1]}}
    return who_comes(result.of_losers, names[source.round], source.place + 1)


def who_comes(of_losers: bool, round_name: str, place: int) -> str:
    """Return the name of a side that waits for an earlier fixture: "Winner of Semi-final, 2"."""
    sentence = (
        gettext("Loser of %(round)s, %(place)s")
        if of_losers
        else gettext("Winner of %(round)s, %(place)s")
    )
    return sentence % {"round": round_name, "place": place}


class FixturesPage(Struct, frozen=True, kw_only=True):
    """The fixtures tab of a campaign.

    ``now`` is the current round, or the requested one. ``outstanding`` are open fixtures of rounds
    before the current one, the oldest first, of which ``more_outstanding`` are not listed. ``late``
    are entrants without fixtures in an unfinished round robin. ``folded`` says whether all other
    rounds are on the page as well.
    """

    rounds: tuple[RoundRow, ...]
    now: RoundRow | None
    before: tuple[RoundRow, ...]
    after: tuple[RoundRow, ...]
    outstanding: tuple[FixtureRow, ...]
    more_outstanding: int
    folded: bool
    groups: tuple[GroupStandings, ...]
    enrolled: tuple[FixtureSide, ...]
    late: tuple[FixtureSide, ...]


def fixtures_page(
    campaign: Campaign, today: date, only: UUID | None = None, shown: UUID | None = None
) -> FixturesPage:
    """Return the tab for all fixtures, or for those of the enrolment ``only``.

    The round ``shown`` replaces the current one. Takes three queries, seven if there are groups.
    """
    rounds = list(campaign.rounds.order_by("number"))
    results = campaign_fixture_results(campaign) if rounds else ()
    entrants = enrolled(campaign)
    rows = round_rows(rounds, results, entrants, today)
    if only is not None:
        rows = tuple(
            replace(row, fixtures=tuple(each for each in row.fixtures if _plays(each, only)))
            for row in rows
        )
    chosen = next((row for row in rows if row.id == shown), None)
    now = chosen or next((row for row in rows if row.current), None)
    before = tuple(row for row in rows if now and row.number < now.number)
    owed = (
        ()
        if chosen
        else tuple(each for row in before for each in row.fixtures if each.state in UNSETTLED)
    )
    return FixturesPage(
        rounds=rows,
        now=now,
        before=before[::-1],
        after=tuple(row for row in rows if now and row.number > now.number),
        outstanding=owed[:MAX_OUTSTANDING],
        more_outstanding=len(owed[MAX_OUTSTANDING:]),
        folded=sum(len(row.fixtures) for row in rows) <= MAX_FOLDED,
        groups=_groups(campaign, results),
        enrolled=entrants,
        late=_late(rounds, results, entrants),
    )


def fixture_of(
    campaign: Campaign, fixture: UUID, today: date
) -> tuple[RoundRow, FixtureRow] | None:
    """Return a fixture of the campaign with its round, or None if it is not in the campaign.

    Takes two or three queries.
    """
    rounds = campaign_fixtures(campaign, today)
    return next(
        ((row, each) for row in rounds for each in row.fixtures if each.id == fixture), None
    )


def _plays(row: FixtureRow, enrolment: UUID) -> bool:
    return any(side.enrolment == enrolment for side in row.sides)


def _groups(campaign: Campaign, results: Sequence[FixtureResult]) -> tuple[GroupStandings, ...]:
    if not any(result.group for result in results):
        return ()
    return group_standings(
        standings(campaign), results, scoring_under(campaign.scoring, campaign.shown)
    )


def _late(
    rounds: Iterable[Round], results: Iterable[FixtureResult], entrants: Iterable[FixtureSide]
) -> tuple[FixtureSide, ...]:
    of_all = {each.pk for each in rounds if each.method == Method.ROUND_ROBIN}
    mine = [result for result in results if result.round in of_all]
    if all(result.settled for result in mine):
        return ()
    playing = {entrant.enrolment for result in mine for entrant in result.entrants}
    return tuple(side for side in entrants if side.enrolment not in playing)
