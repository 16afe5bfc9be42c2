"""Evenings of clubs as pages, calendars and the API show them: when, where, who comes."""

from collections.abc import Iterable, Set
from datetime import date, datetime, timedelta
from typing import Annotated
from uuid import UUID

from django.contrib.auth.models import AnonymousUser, User
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext
from msgspec import Struct

from clubs.models import Answer, Attendance, Evening, Membership, Role
from leagues.selectors.fixtures import open_fixtures
from rulebook.values.described import closed


class AttendanceRow(Struct, frozen=True):
    """Somebody's answer. ``has_account`` is False for a player for whom organisers answer."""

    member: UUID
    name: str
    answer: Annotated[str, closed("AnswerEnum", Answer)]
    has_account: bool


class EveningCard(Struct, frozen=True):
    """An evening for one reader. Moments are those of the club's clocks.

    ``answers`` has those who come first, then who perhaps comes, then who cannot; strangers to the
    club see numbers alone. ``mine`` is the reader's own answer, "" if there is none yet;
    ``may_answer`` is for members, until it is over or cancelled. Evenings of one ``series`` were
    made together; one that was made alone has none. ``guests`` are the players without an account
    for whom the reader can answer.
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
    """The names of those who come, or perhaps come, and with whom the reader still has to play a
    fixture."""

    @property
    def comers(self) -> tuple[AttendanceRow, ...]:
        """Those who come."""
        return tuple(comer for comer in self.answers if comer.answer == Answer.COMING)

    @property
    def doubters(self) -> tuple[AttendanceRow, ...]:
        """Those who perhaps come."""
        return tuple(comer for comer in self.answers if comer.answer == Answer.PERHAPS)

    @property
    def day(self) -> date:
        """The day on which it starts, by the club's calendar."""
        return self.starts_at.date()

    @property
    def hours(self) -> str:
        """From when until when, by the club's clocks; with the day on which it ends if that is
        another one."""
        return hours(self.starts_at, self.ends_at)


ORDER = (Answer.COMING, Answer.PERHAPS, Answer.NOT_COMING)


def hours(starts_at: datetime, ends_at: datetime) -> str:
    """ "19:00 to 23:00", or "10:00 to Sunday 18:00" where it lasts for days."""
    days = ends_at - starts_at >= timedelta(hours=20)
    end = date_format(ends_at, "l H:i") if days else f"{ends_at:%H:%M}"
    return gettext("%(start)s to %(end)s") % {"start": f"{starts_at:%H:%M}", "end": end}


def evening_cards(
    evenings: Iterable[Evening], user: User | AnonymousUser
) -> tuple[EveningCard, ...]:
    """The evenings, which should come with their clubs, for this reader. Five queries at most."""
    evenings = list(evenings)
    now = timezone.now()
    given: dict[UUID, list[Attendance]] = {evening.pk: [] for evening in evenings}
    answers = Attendance.objects.filter(
        evening__in=list(given), member__left_at=None
    ).select_related("member__user__archived_person")
    for each in answers.order_by("answered_at", "pk"):
        given[each.evening_id].append(each)
    mine = _memberships(evenings, user)
    organised = [club for club, member in mine.items() if member.role == Role.ORGANISER]
    guests = list(
        Membership.objects.present()
        .vacant()
        .with_accounts()
        .filter(club__in=organised)
        .order_by("name", "pk")
    )
    owed = {each.opponent.player for each in open_fixtures(user, now.date())} if mine else set()
    return tuple(
        _card(
            evening,
            given[evening.pk],
            mine.get(evening.club_id),
            [guest for guest in guests if guest.club_id == evening.club_id],
            owed,
            now,
        )
        for evening in evenings
    )


def evening_card(evening: Evening, user: User | AnonymousUser) -> EveningCard:
    """One evening for this reader. Five queries at most."""
    return evening_cards([evening], user)[0]


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
    answer_of = {each.member_id: each.answer for each in given}
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
        answers=tuple(_comer(each.member, each.answer) for each in shown),
        mine=answer_of.get(mine.pk, "") if mine else "",
        may_answer=mine is not None and on and not over,
        organises=mine is not None and mine.role == Role.ORGANISER,
        owed=tuple(
            each.member.name
            for each in shown
            if each.member_id in owed and each.answer != Answer.NOT_COMING
        ),
        guests=tuple(_comer(guest, answer_of.get(guest.pk, "")) for guest in guests),
    )


def _comer(member: Membership, answer: str) -> AttendanceRow:
    return AttendanceRow(member.pk, member.name, answer, not member.vacant)
