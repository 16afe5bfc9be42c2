"""Entries with a date, such as club nights and battles, for calendar pages, the API and feeds."""

from collections.abc import Iterable, Iterator
from datetime import UTC, date, datetime, time, timedelta
from typing import Annotated
from uuid import UUID
from zoneinfo import ZoneInfo

from django.contrib.auth.models import AnonymousUser, User
from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.utils.translation import gettext
from msgspec import Struct

from battles.models import Battle, BattleQuerySet, BattleState, Side
from battles.selectors.battle_rows import battle_row
from campaigns.models import Campaign, Fixture, Round
from clubs.models import Answer, Attendance, Club, Evening, EveningQuerySet, Membership
from clubs.selectors.evening_times import hours
from leagues.selectors.fixtures import open_fixtures
from rulebook.values.described import closed

MOST = 500
"""The limit of entries of each kind."""


class CalendarEntry(Struct, frozen=True):
    """An entry with a date.

    ``kind`` is "evening", "battle", "round" for the last day of a round, or "fixture" for the last
    day of a fixture. The reader's own calendar has the last day of each of their fixtures; other
    calendars only of those fixtures that have their own deadline.

    An entry without times lasts from ``day`` to ``last_day``. ``starts_at`` and ``ends_at`` are in
    the club's time zone. ``version`` increases with each change, and ``changed_at`` is the time of
    the last one. ``mine`` is the reader's own answer to a club night.
    """

    kind: Annotated[str, closed("CalendarKind", ("evening", "battle", "round", "fixture"))]
    id: UUID
    title: str
    day: date
    last_day: date
    starts_at: datetime | None
    ends_at: datetime | None
    place: str
    note: str
    club_name: str
    campaign: UUID | None
    campaign_name: str
    cancelled: bool
    version: int
    changed_at: datetime
    coming: int = 0
    mine: Annotated[str, closed("AnswerEnum", Answer, blank=True)] = ""
    state: Annotated[str, closed("BattleState", BattleState, blank=True)] = ""

    @property
    def hours(self) -> str:
        """The start and end as text; "" for an entry without times."""
        return hours(self.starts_at, self.ends_at) if self.starts_at and self.ends_at else ""


class CalendarDays(Struct, frozen=True):
    """The entries from one day to another, both included."""

    since: date
    until: date
    entries: tuple[CalendarEntry, ...]


def club_calendar(
    club: Club, user: User | AnonymousUser, since: date, until: date
) -> tuple[CalendarEntry, ...]:
    """Return the entries of a club that the reader may see, by day. Six queries at most."""
    campaigns = Campaign.objects.visible_to(user).filter(club=club)
    battles = Battle.objects.filter(campaign__in=campaigns)
    entries = _entries(Evening.objects.filter(club=club), battles, since, until, user, club.zone)
    fixtures = _own_deadlines(Fixture.objects.filter(round__campaign__in=campaigns), since, until)
    return _in_order(
        [*entries, *_rounds(Round.objects.filter(campaign__in=campaigns), since, until), *fixtures]
    )


def campaign_calendar(campaign: Campaign, since: date, until: date) -> tuple[CalendarEntry, ...]:
    """Return the battles and rounds of a campaign, and fixtures with their own deadline.

    Four queries.
    """
    battles = Battle.objects.filter(campaign=campaign)
    entries = _entries(Evening.objects.none(), battles, since, until, AnonymousUser(), UTC_ZONE)
    fixtures = _own_deadlines(Fixture.objects.filter(round__campaign=campaign), since, until)
    return _in_order(
        [*entries, *_rounds(Round.objects.filter(campaign=campaign), since, until), *fixtures]
    )


def own_calendar(user: User, since: date, until: date) -> tuple[CalendarEntry, ...]:
    """Return a user's club nights, battles, and deadlines of fixtures. Six queries.

    Club nights that the user has declined are left out.
    """
    clubs = Membership.objects.present().filter(user=user).values("club")
    declined = Attendance.objects.filter(member__user=user, answer=Answer.NOT_COMING).values(
        "evening"
    )
    evenings = Evening.objects.filter(club__in=clubs).exclude(pk__in=declined)
    battles = Battle.objects.filter(pk__in=Side.objects.played_by(user).values("battle"))
    entries = _entries(evenings, battles, since, until, user, UTC_ZONE)
    return _in_order([*entries, *_fixtures(user, since, until)])


UTC_ZONE = ZoneInfo("UTC")


def _entries(
    evenings: EveningQuerySet,
    battles: BattleQuerySet,
    since: date,
    until: date,
    user: User | AnonymousUser,
    zone: ZoneInfo,
) -> list[CalendarEntry]:
    """Return the club nights and battles of these days, both included, in the time zone."""
    first = datetime.combine(since, time.min, zone)
    last = datetime.combine(until + timedelta(days=1), time.min, zone)
    coming = Count(
        "attendances",
        filter=Q(attendances__answer=Answer.COMING, attendances__member__left_at=None),
    )
    dated = (
        evenings.filter(starts_at__lt=last, ends_at__gt=first)
        .select_related("club")
        .annotate(coming=coming)
    )
    answers = _answers(user)
    return [
        *(
            _evening(each, answers.get(each.pk, ""))
            for each in dated.order_by("starts_at", "pk")[:MOST]
        ),
        *_battles(
            battles.filter(fought_on__range=(since, until))
            .order_by("fought_on", "pk")
            .for_rows()[:MOST]
        ),
    ]


def _in_order(entries: Iterable[CalendarEntry]) -> tuple[CalendarEntry, ...]:
    """Sort the entries by day, those without times first."""
    return tuple(
        sorted(
            entries,
            key=lambda entry: (entry.day, entry.starts_at is not None, _moment(entry), entry.id),
        )
    )


def _moment(entry: CalendarEntry) -> datetime:
    return entry.starts_at or datetime.combine(entry.day, time.min, UTC)


def _answers(user: User | AnonymousUser) -> dict[UUID, str]:
    if not user.is_authenticated:
        return {}
    mine = Attendance.objects.filter(member__user=user.pk)
    return dict(mine.order_by("-answered_at").values_list("evening", "answer")[:MOST])


def _evening(evening: Evening, mine: str) -> CalendarEntry:
    return CalendarEntry(
        kind="evening",
        id=evening.pk,
        title=evening.club.name,
        day=evening.local_start.date(),
        last_day=evening.local_end.date(),
        starts_at=evening.local_start,
        ends_at=evening.local_end,
        place=evening.place,
        note=evening.reason if evening.cancelled_at else evening.note,
        club_name=evening.club.name,
        campaign=None,
        campaign_name="",
        cancelled=evening.cancelled_at is not None,
        version=evening.version,
        changed_at=evening.changed_at,
        coming=evening.coming,  # type: ignore[attr-defined]
        mine=mine,
    )


def _battles(battles: Iterable[Battle]) -> Iterator[CalendarEntry]:
    for battle in battles:
        row = battle_row(battle)
        yield CalendarEntry(
            kind="battle",
            id=row.id,
            title=" v. ".join(side.warband_name for side in row.sides) or row.name,
            day=row.fought_on,
            last_day=row.fought_on,
            starts_at=None,
            ends_at=None,
            place="",
            note=row.name,
            club_name="",
            campaign=row.campaign,
            campaign_name=row.campaign_name,
            cancelled=row.state == BattleState.VOID,
            version=row.version,
            changed_at=_latest(battle.created_at, battle.submitted_at, battle.confirmed_at),
            state=row.state,
        )


def _rounds(rounds: QuerySet[Round], since: date, until: date) -> Iterator[CalendarEntry]:
    """Yield the deadlines of rounds. One query."""
    dated = (
        rounds.filter(deadline__range=(since, until))
        .select_related("campaign")
        .order_by("deadline", "pk")
    )
    for round_row in dated[:MOST]:
        title = gettext("Last day of %(round)s") % {"round": round_row}
        yield _deadline(
            "round",
            round_row.pk,
            title,
            round_row.deadline,  # type: ignore[arg-type]
            round_row.campaign,
            round_row.version,
        )


def _own_deadlines(
    fixtures: QuerySet[Fixture], since: date, until: date
) -> Iterator[CalendarEntry]:
    """Yield the deadlines of open fixtures that have their own. One query."""
    rows = fixtures.filter(deadline__range=(since, until), bye=False, walkover="")
    rows = rows.filter(
        home__isnull=False, away__isnull=False, home__left_at=None, away__left_at=None
    )
    rows = rows.exclude(
        Exists(Battle.objects.filter(fixture=OuterRef("pk"), state=BattleState.CONFIRMED))
    )
    rows = rows.select_related("round__campaign", "home__warband", "away__warband").order_by(
        "deadline", "pk"
    )
    for fixture in rows[:MOST]:
        if (
            fixture.given_up_by
            or fixture.home is None
            or fixture.away is None
            or fixture.deadline is None
        ):
            continue
        names = {"home": fixture.home.warband, "away": fixture.away.warband}
        title = gettext("Last day of %(home)s v. %(away)s") % names
        note = postponed_note(fixture.postponed)
        yield _deadline(
            "fixture",
            fixture.pk,
            title,
            fixture.deadline,
            fixture.round.campaign,
            fixture.version,
            note=note,
        )


def _fixtures(user: User, since: date, until: date) -> Iterator[CalendarEntry]:
    """Yield the deadlines of the user's fixtures, with their opponents. Three queries at most."""
    open_ones = [each for each in open_fixtures(user, since) if each.fixture.deadline is not None]
    campaigns = (
        Campaign.objects.in_bulk({each.fixture.campaign for each in open_ones}) if open_ones else {}
    )
    for open_fixture in open_ones:
        row, day = open_fixture.fixture, open_fixture.fixture.deadline
        if day is not None and since <= day <= until:
            title = gettext("Last day to play %(name)s") % {
                "name": open_fixture.opponent.player_name or open_fixture.opponent.name
            }
            campaign, note = campaigns[row.campaign], postponed_note(row.postponed)
            yield _deadline("fixture", row.id, title, day, campaign, row.version, note=note)


def postponed_note(reason: str) -> str:
    """Return why a fixture was postponed, as a sentence; "" if it was not."""
    return gettext("Postponed: %(reason)s") % {"reason": reason} if reason else ""


def _deadline(
    kind: str, key: UUID, title: str, day: date, campaign: Campaign, version: int, note: str = ""
) -> CalendarEntry:
    return CalendarEntry(
        kind=kind,
        id=key,
        title=title,
        day=day,
        last_day=day,
        starts_at=None,
        ends_at=None,
        place="",
        note=note,
        club_name="",
        campaign=campaign.pk,
        campaign_name=campaign.name,
        cancelled=False,
        version=version,
        changed_at=campaign.created_at,
    )


def _latest(*moments: datetime | None) -> datetime:
    return max(moment for moment in moments if moment is not None)
