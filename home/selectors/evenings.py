"""Club nights for pages, calendars and the API: when, where, and who comes."""

from collections.abc import Collection, Iterable, Mapping, Set
from datetime import date, datetime
from typing import Annotated
from uuid import UUID

from django.contrib.auth.models import AnonymousUser, User
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext
from msgspec import Struct
from msgspec.structs import replace

from campaigns.models import TableGame
from clubs.models import Answer, Attendance, Evening, Membership, Role, clubs_of
from clubs.selectors.evening_times import hours, zone_name
from leagues.selectors.club_night import (
    GameState,
    Played,
    results_of,
    state_of,
    warbands_of,
)
from leagues.selectors.fixtures import OpenFixture, open_fixtures
from rulebook.values.described import closed


class AttendanceRow(Struct, frozen=True):
    """The answer of a member. ``has_account`` is False for a guest player.

    ``by_organiser`` is True if an organiser gave the answer.
    """

    member: UUID
    name: str
    answer: Annotated[str, closed("AnswerEnum", Answer)]
    has_account: bool
    by_organiser: bool = False

    @property
    def answer_label(self) -> str:
        """The answer as text, such as "Going"; "" without one."""
        return str(Answer(self.answer).label) if self.answer else ""


class EveningCard(Struct, frozen=True):
    """A club night for one reader. Times are in the club's time zone.

    ``answers`` lists Going first, then Maybe, then Not going, without no-shows; readers who are not
    members see only the numbers. ``mine`` is the reader's own answer, or "". ``may_answer`` is True
    for members, until it is over or cancelled. Club nights with the same ``series`` were created
    together; a single one has none. The reader can answer for ``guests``, who are guest players.
    """

    id: UUID
    club: UUID
    club_name: str
    starts_at: datetime
    ends_at: datetime
    time_zone: str
    place: str
    note: str
    cancelled: bool
    reason: str
    over: bool
    version: int
    series: UUID | None
    coming: int
    perhaps: int
    answers: tuple[AttendanceRow, ...]
    mine: Annotated[str, closed("AnswerEnum", Answer, blank=True)]
    may_answer: bool
    organises: bool
    guests: tuple[AttendanceRow, ...] = ()
    owed: tuple[str, ...] = ()
    """The names of opponents in the reader's open fixtures who answered Going or Maybe."""
    published: bool = False
    """True if its pairings are published."""
    opponent: str = ""
    """The reader's opponent by the published pairings, "" without a game."""
    table: int | None = None
    """The table of the reader's game."""
    fixture: UUID | None = None
    """The fixture that the reader's game is, or None for another game."""
    game: UUID | None = None
    """The reader's game by the published pairings, None without a game."""
    battle: UUID | None = None
    """The battle of the reader's game, once it is planned or its result is entered."""
    game_state: Annotated[str, closed("GameState", GameState, blank=True)] = ""
    """The state of the reader's game; "" without a game."""
    may_report: bool = False
    """True if the reader can enter the result of the game now."""
    mine_by_organiser: bool = False
    """True if an organiser answered for the reader."""
    arrived: bool = False
    """True if the reader has checked in."""
    may_check_in: bool = False
    """True if the reader can check in now."""
    seeking: tuple[str, ...] = ()
    """The names of members who look for an opponent; empty for readers who are not members."""

    @property
    def comers(self) -> tuple[AttendanceRow, ...]:
        """The answers of those who come."""
        return tuple(comer for comer in self.answers if comer.answer == Answer.COMING)

    @property
    def doubters(self) -> tuple[AttendanceRow, ...]:
        """The answers of those who may come."""
        return tuple(comer for comer in self.answers if comer.answer == Answer.PERHAPS)

    @property
    def told_organisers(self) -> tuple[str, ...]:
        """The names of members with accounts whose answers an organiser gave."""
        return tuple(row.name for row in self.answers if row.by_organiser and row.has_account)

    @property
    def day(self) -> date:
        """The day on which it starts, in the club's time zone."""
        return self.starts_at.date()

    @property
    def hours(self) -> str:
        """The start and end as text, in the club's time zone. See the function ``hours``."""
        return hours(self.starts_at, self.ends_at)

    @property
    def own_answer(self) -> str:
        """The reader's own answer, as a sentence."""
        if self.mine == Answer.COMING:
            return gettext("You are going.")
        if self.mine == Answer.PERHAPS:
            return gettext("You may go.")
        if self.mine == Answer.NOT_COMING:
            return gettext("You are not going.")
        return gettext("You have not answered yet.")

    @property
    def zone_name(self) -> str:
        """The time zone as text, such as "London time"."""
        return zone_name(self.time_zone)


ORDER = (Answer.COMING, Answer.PERHAPS, Answer.NOT_COMING)


def evening_cards(
    evenings: Iterable[Evening], user: User | AnonymousUser, *, brief: bool = False
) -> tuple[EveningCard, ...]:
    """Return the club nights for this reader. Eight queries at most.

    ``brief`` leaves out guest players and the opponents of open fixtures: two queries less.
    Select ``club`` with the evenings, to save queries.
    """
    evenings = list(evenings)
    now = timezone.now()
    answers = _answers(evenings).filter(member__left_at=None)
    given = answers.select_related("member__user__archived_person")
    mine = _memberships(evenings, user)
    organised = [club for club, member in mine.items() if member.role == Role.ORGANISER]
    guests: list[Membership] = []
    owed: set[UUID | None] = set()
    if mine and not brief:
        vacant = Membership.objects.present().vacant().with_accounts()
        guests = list(vacant.filter(club__in=organised).order_by("name", "pk"))
        owed = opponents(open_fixtures(user, now.date()), {member.pk for member in mine.values()})
    return _cards(evenings, given, mine, guests, owed, now)


def club_evening_cards(
    evenings: Iterable[Evening],
    user: User | AnonymousUser,
    members: Collection[Membership],
    owed: Set[UUID | None],
) -> tuple[EveningCard, ...]:
    """Return club nights of one club for this reader. Four queries at most.

    ``members`` are the present members with their accounts. ``owed`` are the opponents in the
    reader's open fixtures, as members of the club.
    """
    evenings = list(evenings)
    by_id = {member.pk: member for member in members}
    given = [each for each in _answers(evenings) if each.member_id in by_id]
    for each in given:
        each.member = by_id[each.member_id]
    mine = {member.club_id: member for member in members if user.pk and member.user_id == user.pk}
    organises = any(member.role == Role.ORGANISER for member in mine.values())
    guests = [member for member in members if member.vacant] if organises else []
    return _cards(evenings, given, mine, guests, owed, timezone.now())


def opponents(fixtures: Iterable[OpenFixture], members: Set[UUID]) -> set[UUID | None]:
    """Return the opponents of these members. Fixtures of guests that a user keeps do not count.

    A guest may be the ``own`` side of the fixture in which the guest meets the user.
    """
    pairs = [(each.own.player, each.opponent.player) for each in fixtures]
    return {other for pair in pairs for player, other in (pair, pair[::-1]) if player in members}


def _answers(evenings: Iterable[Evening]) -> QuerySet[Attendance]:
    ids = [evening.pk for evening in evenings]
    return Attendance.objects.filter(evening__in=ids).order_by("answered_at", "pk")


def _cards(
    evenings: Collection[Evening],
    given: Iterable[Attendance],
    mine: Mapping[UUID, Membership],
    guests: Collection[Membership],
    owed: Set[UUID | None],
    now: datetime,
) -> tuple[EveningCard, ...]:
    by_evening: dict[UUID, list[Attendance]] = {evening.pk: [] for evening in evenings}
    for each in given:
        by_evening[each.evening_id].append(each)
    cards = [
        _card(
            evening,
            by_evening[evening.pk],
            mine.get(evening.club_id),
            [guest for guest in guests if guest.club_id == evening.club_id],
            owed,
            now,
        )
        for evening in evenings
    ]
    return _with_games(evenings, cards, mine)


def _with_games(
    evenings: Collection[Evening],
    cards: Collection[EveningCard],
    mine: Mapping[UUID, Membership],
) -> tuple[EveningCard, ...]:
    """Return the cards with the reader's games. Three queries if pairings are published, else none.

    Who has a game does not look for an opponent any more.
    """
    published = [each for each in evenings if each.published_at and each.club_id in mine]
    if not published:
        return tuple(cards)
    members = {member.pk for member in mine.values()}
    rows = TableGame.objects.filter(evening__in=published).select_related("first", "second")
    games: dict[UUID, list[TableGame]] = {card.id: [] for card in cards}
    by_id = {evening.pk: evening for evening in published}
    for row in rows:
        row.evening = by_id[row.evening_id]
        games[row.evening_id].append(row)
    own = [
        row
        for of_night in games.values()
        for row in of_night
        if row.second_id and members & {row.first_id, row.second_id}
    ]
    results, warbands = results_of(own), warbands_of(own)
    return tuple(_with_game(card, games[card.id], members, results, warbands) for card in cards)


def _with_game(
    card: EveningCard,
    rows: Iterable[TableGame],
    members: Set[UUID],
    results: Mapping[UUID, Played],
    warbands: Collection[tuple[UUID | None, UUID]],
) -> EveningCard:
    busy: set[str] = set()
    for row in rows:
        if row.second is not None:
            busy |= {row.first.name, row.second.name}
        if members & {row.first_id, row.second_id}:
            other = row.second if row.first_id in members else row.first
            result = results.get(row.pk)
            both = {(row.campaign_id, row.first_id), (row.campaign_id, row.second_id)}
            # In a fixture a substitute plays the warband of another member.
            reportable = row.fixture_id is not None or both <= set(warbands)
            card = replace(
                card,
                table=row.table,
                opponent=other.name if other else "",
                fixture=row.fixture_id,
                game=row.pk if other else None,
                battle=result.battle if result else None,
                game_state=state_of(row, result) if other else "",
                may_report=reportable and result is None and card.may_answer and bool(other),
            )
    return replace(card, seeking=tuple(name for name in card.seeking if name not in busy))


def evening_card(evening: Evening, user: User | AnonymousUser) -> EveningCard:
    """Return one club night for this reader. Eight queries at most."""
    return evening_cards([evening], user)[0]


def next_evening(user: User) -> EveningCard | None:
    """Return the next club night of the user's clubs that takes place. Six queries at most.

    It is brief: the home page lists the open fixtures itself.
    """
    rows = Evening.objects.filter(club__in=clubs_of(user), cancelled_at=None).ahead(timezone.now())
    return next(iter(evening_cards(rows.select_related("club")[:1], user, brief=True)), None)


def members_to_answer_for(
    evening: Evening, user: User | AnonymousUser
) -> tuple[AttendanceRow, ...]:
    """Return the members with accounts that an organiser can answer for, by name. Two queries.

    They are all but the organiser and the club's bot. Guest players are on the card.
    """
    members = Membership.objects.present().with_accounts().filter(club=evening.club_id)
    people = members.filter(user__is_active=True, user__club_bot=None).exclude(user=user.pk)
    given = {each.member_id: each for each in evening.attendances.all()}
    rows = people.order_by("name", "pk")
    return tuple(_comer(row, given.get(row.pk)) for row in rows if not row.vacant)


def _memberships(evenings: Iterable[Evening], user: User | AnonymousUser) -> dict[UUID, Membership]:
    if not user.is_authenticated:
        return {}
    mine = Membership.objects.present().filter(
        user=user.pk, club__in={evening.club_id for evening in evenings}
    )
    return {member.club_id: member for member in mine}


def _card(
    evening: Evening,
    given: list[Attendance],
    mine: Membership | None,
    guests: list[Membership],
    owed: Set[UUID | None],
    now: datetime,
) -> EveningCard:
    on = evening.cancelled_at is None
    over = evening.ends_at <= now
    answer_of = {each.member_id: each for each in given}
    own_answer = answer_of.get(mine.pk) if mine else None
    arrived = {each.member_id for each in given if each.arrived_at is not None}
    # A no-show had answered Going, and did not come.
    given = [each for each in given if not each.no_show]
    shown = sorted(given, key=lambda each: ORDER.index(Answer(each.answer))) if mine else []
    return EveningCard(
        id=evening.pk,
        club=evening.club_id,
        club_name=evening.club.name,
        starts_at=evening.local_start,
        ends_at=evening.local_end,
        time_zone=evening.club.time_zone,
        place=evening.place,
        note=evening.note,
        cancelled=not on,
        reason=evening.reason,
        over=over,
        version=evening.version,
        series=evening.series,
        coming=sum(each.answer == Answer.COMING for each in given),
        perhaps=sum(each.answer == Answer.PERHAPS for each in given),
        answers=tuple(_comer(each.member, each) for each in shown),
        mine=own_answer.answer if own_answer else "",
        mine_by_organiser=own_answer is not None and own_answer.by_organiser,
        may_answer=mine is not None and on and not over,
        organises=mine is not None and mine.role == Role.ORGANISER,
        owed=tuple(
            each.member.name
            for each in shown
            if each.member_id in owed and each.answer != Answer.NOT_COMING
        ),
        guests=tuple(_comer(guest, answer_of.get(guest.pk)) for guest in guests),
        published=evening.published_at is not None,
        arrived=mine is not None and mine.pk in arrived,
        may_check_in=mine is not None and evening.takes_check_ins(now) and mine.pk not in arrived,
        seeking=tuple(each.member.name for each in shown if each.seeks_opponent),
    )


def _comer(member: Membership, given: Attendance | None) -> AttendanceRow:
    return AttendanceRow(
        member=member.pk,
        name=member.name,
        answer=given.answer if given else "",
        has_account=not member.vacant,
        by_organiser=given is not None and given.by_organiser,
    )
