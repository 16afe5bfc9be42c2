"""Cards of club nights: a missing answer, a game by the pairings, one cancelled or moved."""

from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta

from django.contrib.auth.models import User
from django.db.models import DateTimeField, Exists, ExpressionWrapper, OuterRef, Q, QuerySet
from django.db.models.functions import Now, TruncDate
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.translation import gettext

from battles.models import Battle, Side
from battles.selectors.suggestions import SET_OUT
from campaigns.models import TableGame
from clubs.models import Answer, Attendance, Evening, Role, clubs_of
from clubs.selectors.evening_times import hours
from home.selectors.card_kinds import MOST, Card, CardOfRows, Urgency, moment_text

ASKED_BEFORE = timedelta(days=8)
"""The time before a club night from which the card asks for an answer."""


class ToAnswerInvitation(CardOfRows[Evening]):
    """The club nights of the next days that the user has not answered, as organiser or player."""

    kind = "club-night"
    club_path = "club"
    urgency = Urgency.CLUB_NIGHT

    def rows(self, user: User, today: date) -> QuerySet[Evening]:
        answers = Attendance.objects.filter(evening=OuterRef("pk"), member__user=user.pk)
        # The database's own clock, as this statement is cached for the day.
        rows = Evening.objects.filter(
            starts_at__gt=Now(), starts_at__lt=_end_of_the_days(today), cancelled_at=None
        )
        clubs = clubs_of(user, Role.ORGANISER, Role.PLAYER)
        return rows.filter(~Exists(answers), club__in=clubs)

    def cards(self, rows: QuerySet[Evening], user: User) -> Iterator[Card]:
        for evening in _first_rows(rows):
            sentence = gettext("%(when)s. Are you going?") % {"when": _when(evening)}
            yield _card(self.kind, evening, sentence, gettext("Choose answer"))


class ToNoteCancelling(CardOfRows[Evening]):
    """The cancelled club nights ahead to which the user wanted to go, until dismissed."""

    kind = "club-night-off"
    urgency = Urgency.THIS_WEEK
    always_at_once = True
    dismissed_by = "pk"

    def rows(self, user: User, today: date) -> QuerySet[Evening]:
        rows = Evening.objects.filter(starts_at__gt=Now(), cancelled_at__isnull=False)
        return rows.filter(Exists(_going(user)), club__in=clubs_of(user))

    def cards(self, rows: QuerySet[Evening], user: User) -> Iterator[Card]:
        for evening in _first_rows(rows):
            text = gettext("This club night is cancelled.")
            if evening.reason:
                text = gettext("This club night is cancelled: %(reason)s")
            sentence, button = text % {"reason": evening.reason}, gettext("Show club night")
            yield _card(self.kind, evening, sentence, button, since=evening.cancelled_at)


class ToAnswerMove(CardOfRows[Evening]):
    """The club nights ahead that got another start or place after the user wanted to go."""

    kind = "club-night-moved"
    urgency = Urgency.THIS_WEEK
    always_at_once = True

    def rows(self, user: User, today: date) -> QuerySet[Evening]:
        before = _going(user).filter(answered_at__lt=OuterRef("moved_at"))
        rows = Evening.objects.filter(starts_at__gt=Now(), cancelled_at=None)
        return rows.filter(Exists(before), club__in=clubs_of(user))

    def cards(self, rows: QuerySet[Evening], user: User) -> Iterator[Card]:
        for evening in _first_rows(rows):
            text = gettext("New time or place: %(when)s. Are you still going?")
            sentence, button = text % {"when": _when(evening)}, gettext("Choose answer")
            yield _card(self.kind, evening, sentence, button, since=evening.moved_at)


class ToRememberTomorrow(CardOfRows[Evening]):
    """The club nights of tomorrow, for those who have not answered Not going.

    With it the digest of the day before is sent, and tells when and where.
    """

    kind = "club-night-eve"
    urgency = Urgency.CLUB_NIGHT
    dismissed_by = "pk"

    def rows(self, user: User, today: date) -> QuerySet[Evening]:
        tomorrow = datetime.combine(today + timedelta(days=1), time.min, UTC)
        rows = Evening.objects.filter(
            starts_at__gte=tomorrow,
            starts_at__lt=tomorrow + timedelta(days=1),
            cancelled_at=None,
        )
        staying = Attendance.objects.filter(
            evening=OuterRef("pk"), member__user=user.pk, answer=Answer.NOT_COMING
        )
        clubs = clubs_of(user, Role.ORGANISER, Role.PLAYER)
        return rows.filter(~Exists(staying), club__in=clubs)

    def cards(self, rows: QuerySet[Evening], user: User) -> Iterator[Card]:
        for evening in _first_rows(rows):
            sentence = gettext("Tomorrow: %(when)s.") % {"when": _when(evening)}
            yield _card(self.kind, evening, sentence, gettext("Show club night"))


class ToPlayTonight(CardOfRows[TableGame]):
    """The user's published games of a club night, until they have begun or the night is over.

    A game has begun if it is marked so, or if its battle has.
    """

    kind = "club-night-game"
    urgency = Urgency.BATTLE
    always_at_once = True

    def rows(self, user: User, today: date) -> QuerySet[TableGame]:
        mine = Q(first__user=user.pk) | Q(second__user=user.pk)
        return TableGame.objects.filter(
            mine,
            ~Exists(Battle.objects.filter(fixture=OuterRef("fixture"), state__in=SET_OUT)),
            ~Exists(_begun_between()),
            second__isnull=False,
            started_at=None,
            evening__published_at__isnull=False,
            evening__cancelled_at=None,
            evening__ends_at__gt=Now(),
        )

    def cards(self, rows: QuerySet[TableGame], user: User) -> Iterator[Card]:
        related = rows.select_related("first", "second", "evening__club")
        for game in related.order_by("evening__starts_at", "pk")[:MOST]:
            other = game.second if game.first.user_id == user.pk else game.first
            names = {"name": other.name if other else "", "table": game.table}
            text = gettext("You play %(name)s.")
            if game.table:
                text = gettext("You play %(name)s at table %(table)s.")
            yield Card(
                kind=self.kind,
                subject=game.evening_id,
                # Another opponent or table is news.
                occasion=f"{other.pk if other else ''} {game.table or ''}",
                title=_title(game.evening),
                sentence=text % names,
                button=gettext("Show pairings"),
                url=reverse("leagues:pairings", args=[game.evening_id]),
                since=game.evening.published_at,
            )


def _begun_between() -> QuerySet[Battle]:
    """Return the battles that have begun between the players of the game of the outer query.

    They are in its campaign, on that day. The night's local day is not stored, so half a day more
    counts on each side.
    """
    start, end = OuterRef("evening__starts_at"), OuterRef("evening__ends_at")
    slack = timedelta(hours=12)
    same_day = Q(
        fought_on__gte=TruncDate(ExpressionWrapper(start - slack, DateTimeField()), tzinfo=UTC),
        fought_on__lte=TruncDate(ExpressionWrapper(end + slack, DateTimeField()), tzinfo=UTC),
    )
    return Battle.objects.filter(
        same_day,
        Exists(_sides_of("first")),
        Exists(_sides_of("second")),
        campaign=OuterRef("campaign"),
        state__in=SET_OUT,
    )


def _sides_of(player: str) -> QuerySet[Side]:
    """Return the sides of the outer battle that the first or second player of the game plays."""
    member = OuterRef(OuterRef(player))
    own = Q(substitute=None, warband__enrolments__player=member)
    own &= Q(warband__enrolments__campaign=OuterRef("campaign"))
    return Side.objects.filter(own | Q(substitute=member), battle=OuterRef("pk"))


def _going(user: User) -> QuerySet[Attendance]:
    """Return the user's answer about the club night of the outer query, if it is yes or maybe."""
    return Attendance.objects.filter(
        evening=OuterRef("pk"), member__user=user.pk, answer__in=(Answer.COMING, Answer.PERHAPS)
    )


def _end_of_the_days(today: date) -> datetime:
    return datetime.combine(today + ASKED_BEFORE, time.min, UTC)


def _first_rows(rows: QuerySet[Evening]) -> QuerySet[Evening]:
    """Return the club nights of the first cards, the next one first."""
    return rows.select_related("club").order_by("starts_at", "pk")[:MOST]


def _card(
    kind: str, evening: Evening, sentence: str, button: str, *, since: datetime | None = None
) -> Card:
    """Return a card that leads to the club night. It appears again when ``since`` changes."""
    return Card(
        kind=kind,
        subject=evening.pk,
        occasion=moment_text(since),
        title=_title(evening),
        sentence=sentence,
        button=button,
        url=reverse("home:evening", args=[evening.pk]),
        since=since,
    )


def _title(evening: Evening) -> str:
    day = date_format(evening.local_start, gettext("l j F"))
    return gettext("%(club)s, club night on %(day)s") % {"club": evening.club.name, "day": day}


def _when(evening: Evening) -> str:
    return ", ".join(filter(None, (hours(evening.local_start, evening.local_end), evening.place)))
