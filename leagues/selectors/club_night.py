"""The pairings of a club night for one reader, with the results of its games."""

from collections.abc import Collection, Iterable, Mapping
from datetime import date, datetime
from enum import StrEnum
from typing import Annotated, Any
from uuid import UUID

from django.contrib.auth.models import AnonymousUser, User
from django.db.models import F, Q
from django.utils.formats import date_format
from django.utils.http import urlencode
from django.utils.translation import gettext, ngettext
from msgspec import Struct

from battles.models import BattleState, Side
from campaigns.models import Enrolment, TableGame
from campaigns.pairings.club_night import Link, Pair, pair_key
from clubs.models import Answer, Attendance, Evening, ForbiddenPair, Loan, Membership, Role
from clubs.selectors.roles import role_of
from leagues.selectors.club_night_players import (
    NightPlayers,
    expected,
    new_guests,
    night_players,
)
from rulebook.ruleset import Outcome
from rulebook.values.described import closed
from warbands.models import Warband


class GameState(StrEnum):
    """The stages of a game of a club night."""

    OPEN = "open"
    BEGUN = "begun"
    SUBMITTED = "submitted"
    CONFIRMED = "confirmed"


LOANS = (Loan.NEEDED, Loan.OFFERED)
STATES = {
    BattleState.UNDER_WAY.value: GameState.BEGUN,
    BattleState.SUBMITTED.value: GameState.SUBMITTED,
    BattleState.DISPUTED.value: GameState.SUBMITTED,
    BattleState.CONFIRMED.value: GameState.CONFIRMED,
}
BATTLES_SEEN = (BattleState.PLANNED, *map(BattleState, STATES))


class NightSide(Struct, frozen=True, kw_only=True):
    """A player of a game, with the warband and its result.

    Without a campaign or a warband in it, ``warband`` is "" and ``warband_id`` is None. ``outcome``
    is "" before the result is confirmed.
    """

    member: UUID
    name: str
    warband: str
    warband_id: UUID | None
    arrived: bool
    not_coming: bool
    """True if the player answered Not going or left the club after the draw."""
    loan: Annotated[str, closed("Loan", LOANS, blank=True)]
    outcome: Annotated[str, closed("Outcome", Outcome, blank=True)]
    victory_points: int | None


class NightGame(Struct, frozen=True, kw_only=True):
    """A game of a club night. Without a ``second`` side, the first sits out."""

    id: UUID
    table: int | None
    large: bool
    first: NightSide
    second: NightSide | None
    state: Annotated[str, closed("GameState", GameState)]
    fixture: UUID | None
    campaign: UUID | None
    campaign_name: str
    battle: UUID | None
    note: str = ""
    """Why the two play, or what speaks against it; for organisers only."""
    mine: bool = False
    """True if the reader plays in it."""
    against: UUID | None = None
    """The warband of the reader's opponent; None if the reader does not play in it."""

    @property
    def can_be_reported(self) -> bool:
        """Return whether its result can be entered: both have a warband in its campaign."""
        both = self.second is not None and all(side.warband_id for side in self.sides)
        # In a fixture a substitute plays the warband of another member.
        return both or self.fixture is not None

    @property
    def plan_query(self) -> str:
        """The query of the page that plans its battle, with both sides as far as they are known."""
        query = {"campaign": self.campaign, "fixture": self.fixture, "against": self.against}
        return urlencode({name: str(value) for name, value in query.items() if value})

    @property
    def begun(self) -> bool:
        """Return whether it has begun: then it is not changed any more."""
        return self.state != GameState.OPEN

    @property
    def sides(self) -> tuple[NightSide, ...]:
        """The players: two, or one who sits out."""
        return (self.first, self.second) if self.second else (self.first,)


class NightPerson(Struct, frozen=True, kw_only=True):
    """A member at a club night."""

    member: UUID
    name: str
    arrived: bool
    seeks_opponent: bool
    loan: Annotated[str, closed("Loan", LOANS, blank=True)]
    new_guest: bool = False
    """True if it is a guest player who can be removed: nothing but this club night names them."""


class LeftOutFixture(Struct, frozen=True, kw_only=True):
    """A due fixture that the pairings leave out, as its players are never paired."""

    fixture: UUID
    campaign: UUID
    campaign_name: str
    round_name: str
    first: UUID
    first_name: str
    second: UUID
    second_name: str


class KeptApart(Struct, frozen=True):
    """Two members who are never paired."""

    id: UUID
    first: UUID
    first_name: str
    second: UUID
    second_name: str


class NightPairings(Struct, frozen=True, kw_only=True):
    """The pairings of a club night.

    Before they are published only organisers see ``games``. ``people`` are those who are expected
    or have checked in, ``waiting`` those of them without a game, ``absent`` the no-shows. Only
    organisers see ``left_out`` and ``forbidden_pairs``.
    """

    evening: UUID
    club: UUID
    version: int
    seed: int
    tables: int
    large_tables: int
    published_at: datetime | None
    organises: bool
    games: tuple[NightGame, ...]
    people: tuple[NightPerson, ...]
    waiting: tuple[NightPerson, ...]
    absent: tuple[NightPerson, ...]
    left_out: tuple[LeftOutFixture, ...]
    forbidden_pairs: tuple[KeptApart, ...]

    @property
    def played(self) -> tuple[NightGame, ...]:
        """The games of two."""
        return tuple(game for game in self.games if game.second)

    @property
    def sitting_out(self) -> tuple[NightGame, ...]:
        """Those who sit out."""
        return tuple(game for game in self.games if not game.second)

    @property
    def own(self) -> NightGame | None:
        """The reader's own game, or None."""
        return next((game for game in self.games if game.mine), None)

    @property
    def table_numbers(self) -> range:
        """The numbers of the tables."""
        most = max((game.table or 0 for game in self.games), default=0)
        return range(1, (self.tables or max(most, len(self.played))) + 1)

    @property
    def arrived(self) -> int:
        """The number of those who have checked in."""
        return sum(person.arrived for person in self.people)

    @property
    def seeking(self) -> tuple[NightPerson, ...]:
        """Those who look for an opponent."""
        return tuple(person for person in self.people if person.seeks_opponent)

    @property
    def lenders(self) -> tuple[NightPerson, ...]:
        """Those who can lend a warband."""
        return tuple(person for person in self.people if person.loan == Loan.OFFERED)

    @property
    def borrowers(self) -> tuple[NightPerson, ...]:
        """Those who need a warband on loan."""
        return tuple(person for person in self.people if person.loan == Loan.NEEDED)


class Played(Struct, frozen=True, kw_only=True):
    """The battle of a game: its state, and each player's outcome and victory points."""

    battle: UUID
    state: GameState
    outcomes: Mapping[UUID, tuple[str, int]]


def night_pairings(evening: Evening, user: User | AnonymousUser) -> NightPairings:
    """Return the pairings of a club night for a member. A fixed number of queries.

    Select ``club`` with the evening.
    """
    organises = role_of(user, evening.club_id) == Role.ORGANISER
    rows = games_of(evening) if organises or evening.published_at else []
    arrivals = {each.member_id: each for each in evening.attendances.select_related("member")}
    removable = new_guests(evening, arrivals) if organises else set()
    people = [_person(each, removable) for each in expected(evening)]
    links: Mapping[Pair, Link] = {}
    left_out: tuple[LeftOutFixture, ...] = ()
    if organises and rows:
        night = night_players(evening, _members(rows))
        links, left_out = night.links, _left_out(rows, night)
    own = Membership.objects.filter(club=evening.club_id, user=user.pk, user__isnull=False)
    me = own.values_list("pk", flat=True).first() if user.is_authenticated else None
    paired = _members(rows)
    games = night_games(evening, rows, arrivals, links, me)
    return NightPairings(
        evening=evening.pk,
        club=evening.club_id,
        version=evening.pairing_version,
        seed=evening.pairing_seed,
        tables=evening.tables,
        large_tables=evening.large_tables,
        published_at=evening.published_at,
        organises=organises,
        games=games,
        people=tuple(people),
        waiting=tuple(each for each in people if each.member not in paired) if rows else (),
        absent=tuple(
            _person(each, removable)
            for each in sorted(arrivals.values(), key=lambda each: each.member.name)
            if each.no_show
        ),
        left_out=left_out,
        forbidden_pairs=forbidden_pairs(evening.club_id) if organises else (),
    )


def games_of(evening: Evening) -> list[TableGame]:
    """Return the games of a club night by table; those who sit out come last. One query."""
    rows = evening.games.select_related("first", "second", "campaign")
    return sorted(rows, key=lambda row: (row.second_id is None, row.table or 999, row.first.name))


def forbidden_pairs(club: UUID) -> tuple[KeptApart, ...]:
    """Return the pairs of a club that are never paired. One query."""
    rows = ForbiddenPair.objects.filter(club=club).select_related("first", "second")
    pairs = []
    for row in rows:
        first, second = sorted((row.first, row.second), key=lambda member: member.name)
        pairs.append(KeptApart(row.pk, first.pk, first.name, second.pk, second.name))
    return tuple(sorted(pairs, key=lambda pair: (pair.first_name, pair.second_name)))


def night_games(
    evening: Evening,
    rows: Collection[TableGame],
    arrivals: Mapping[UUID, Attendance],
    links: Mapping[Pair, Link] | None = None,
    me: UUID | None = None,
) -> tuple[NightGame, ...]:
    """Return games with their warbands and results. Two queries, none without games."""
    played = results_of(rows)
    warbands = warbands_of(rows)

    def side(row: TableGame, member: Membership) -> NightSide:
        answer = arrivals.get(member.pk)
        result = played.get(row.pk)
        confirmed = result is not None and result.state is GameState.CONFIRMED
        warband = warbands.get((row.campaign_id, member.pk))
        outcome, points = (
            result.outcomes.get(member.pk, ("", None)) if result and confirmed else ("", None)
        )
        return NightSide(
            member=member.pk,
            name=member.name,
            warband=warband.name if warband else "",
            warband_id=warband.pk if warband else None,
            arrived=bool(answer and answer.arrived_at),
            not_coming=member.left_at is not None
            or bool(answer and answer.answer == Answer.NOT_COMING),
            loan=answer.loan if answer else "",
            outcome=outcome,
            victory_points=points,
        )

    def against(row: TableGame) -> UUID | None:
        other = row.second_id if me == row.first_id else row.first_id
        if me not in (row.first_id, row.second_id) or me is None or other is None:
            return None
        warband = warbands.get((row.campaign_id, other))
        return warband.pk if warband else None

    games = []
    for row in rows:
        result = played.get(row.pk)
        link = (links or {}).get(pair_key(str(row.first_id), str(row.second_id)))
        games.append(
            NightGame(
                id=row.pk,
                table=row.table,
                large=bool(row.table and row.table <= evening.large_tables),
                first=side(row, row.first),
                second=side(row, row.second) if row.second else None,
                state=state_of(row, result),
                fixture=row.fixture_id,
                campaign=row.campaign_id,
                campaign_name=row.campaign.name if row.campaign else "",
                battle=result.battle if result else None,
                note=_note(row, link, evening.local_start.date()) if link else "",
                mine=me is not None and me in (row.first_id, row.second_id),
                against=against(row),
            )
        )
    return tuple(games)


def state_of(row: TableGame, played: Played | None) -> GameState:
    """Return the state of a game, by its battle and by what people marked."""
    state = played.state if played else GameState.OPEN
    return GameState.BEGUN if state is GameState.OPEN and row.started_at else state


def results_of(rows: Collection[TableGame]) -> dict[UUID, Played]:
    """Return the battles of games. One query, none without games. Select the club of their nights.

    It is the battle of the fixture, otherwise one that the two played in the campaign on a day of
    the club night, also for a fixture that was not due yet.
    """
    fixtures = {row.fixture_id for row in rows if row.fixture_id}
    others = [row for row in rows if row.campaign_id and row.second_id and not row.fixture_id]
    if not fixtures and not others:
        return {}
    condition = Q(battle__fixture__in=fixtures)
    if others:
        days = [day for row in others for day in days_of(row.evening)]
        campaigns = {row.campaign_id for row in others}
        condition |= Q(
            battle__campaign__in=campaigns, battle__fought_on__range=(min(days), max(days))
        )
    sides = Side.objects.filter(
        condition,
        battle__state__in=BATTLES_SEEN,
        warband__enrolments__campaign=F("battle__campaign"),
    ).values_list(
        "battle",
        "battle__state",
        "battle__fixture",
        "battle__campaign",
        "battle__fought_on",
        "substitute",
        "warband__enrolments__player",
        "outcome",
        "victory_points",
    )
    by_fixture: dict[UUID, Played] = {}
    by_players: dict[tuple[UUID, frozenset[UUID]], list[tuple[date, Played]]] = {}
    battles: dict[UUID, tuple[str, UUID | None, UUID, date, dict[UUID, tuple[str, int]]]] = {}
    read: Iterable[Any] = sides.order_by("battle__created_at", "place")
    for battle, state, fixture, campaign, day, substitute, player, outcome, points in read:
        entry = battles.setdefault(battle, (state, fixture, campaign, day, {}))
        entry[4][substitute or player] = (outcome, points)
    for battle, (state, fixture, campaign, day, outcomes) in battles.items():
        played = Played(battle=battle, state=STATES.get(state, GameState.OPEN), outcomes=outcomes)
        if fixture is not None:
            by_fixture[fixture] = played
        by_players.setdefault((campaign, frozenset(outcomes)), []).append((day, played))
    results: dict[UUID, Played] = {}
    for row in rows:
        if row.fixture_id:
            result = by_fixture.get(row.fixture_id)
        elif row.campaign_id and row.second_id:
            key = (row.campaign_id, frozenset((row.first_id, row.second_id)))
            first, last = days_of(row.evening)
            days_played = by_players.get(key, [])
            # The latest one counts.
            result = next((each for day, each in days_played[::-1] if first <= day <= last), None)
        else:
            result = None
        if result is not None:
            results[row.pk] = result
    return results


def days_of(evening: Evening) -> tuple[date, date]:
    """Return the first and the last day of a club night, in the club's time zone."""
    return evening.local_start.date(), evening.local_end.date()


def _left_out(rows: Collection[TableGame], night: NightPlayers) -> tuple[LeftOutFixture, ...]:
    """Return the due fixtures of pairs that are never paired, in the order of the names."""
    names = {str(each.pk): each.name for row in rows for each in (row.first, row.second) if each}
    drawn = {pair_key(str(row.first_id), str(row.second_id)) for row in rows if row.second_id}
    left_out = []
    for pair, contest in night.contests.items():
        if contest.fixture is None or not night.links[pair].forbidden or pair in drawn:
            continue
        first, second = sorted(pair, key=lambda key: names[key])
        left_out.append(
            LeftOutFixture(
                fixture=contest.fixture.id,
                campaign=contest.campaign,
                campaign_name=contest.campaign_name,
                round_name=contest.fixture.round_name,
                first=UUID(first),
                first_name=names[first],
                second=UUID(second),
                second_name=names[second],
            )
        )
    return tuple(sorted(left_out, key=lambda each: (each.first_name, each.second_name)))


def warbands_of(rows: Collection[TableGame]) -> dict[tuple[UUID | None, UUID], Warband]:
    """Return the warbands of games, by campaign and member: their first one in the campaign.

    One query, none without games of campaigns.
    """
    campaigns = {row.campaign_id for row in rows if row.campaign_id}
    if not campaigns:
        return {}
    entries = Enrolment.objects.current().filter(campaign__in=campaigns, player__in=_members(rows))
    ordered = entries.select_related("warband").order_by("enrolled_at", "pk")
    warbands: dict[tuple[UUID | None, UUID], Warband] = {}
    for entry in ordered:
        warbands.setdefault((entry.campaign_id, entry.player_id), entry.warband)
    return warbands


def _members(rows: Collection[TableGame]) -> set[UUID]:
    return {key for row in rows for key in (row.first_id, row.second_id) if key is not None}


def _note(row: TableGame, link: Link, day: date) -> str:
    """Return why the two play each other, or what speaks against it, as text."""
    notes = []
    if link.forbidden:
        notes.append(gettext("Not to be paired"))
    if row.fixture_id:
        notes.append(gettext("Fixture due"))
    elif not link.met:
        notes.append(gettext("First game"))
    if link.met:
        met = ngettext("Met once", "Met %(times)s times", link.met) % {"times": link.met}
        last = date_format(date.fromordinal(day.toordinal() - link.days_since), gettext("j M Y"))
        notes.append(gettext("%(met)s, last on %(day)s") % {"met": met, "day": last})
    return ". ".join(notes)


def _person(answer: Attendance, removable: Collection[UUID]) -> NightPerson:
    return NightPerson(
        member=answer.member_id,
        name=answer.member.name,
        arrived=answer.arrived_at is not None,
        seeks_opponent=answer.seeks_opponent,
        loan=answer.loan,
        new_guest=answer.member_id in removable,
    )
