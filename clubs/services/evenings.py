"""Club nights: create, change, cancel, answer.

Also the secret addresses by which calendars fetch them.
"""

from datetime import UTC, datetime, timedelta
from typing import Annotated, Any
from uuid import UUID, uuid4
from zoneinfo import ZoneInfo

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.text import format_lazy
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from msgspec import UNSET, UnsetType

from audit.services.recording import differences, record
from audit.verbs import Verb
from clubs.models import Answer, Attendance, CalendarLink, Club, Evening, Membership
from clubs.services.permissions import (
    expect_organiser,
    find,
    locked,
    locked_evening,
    organised_club,
    present_member,
)
from core.cleaning import field_error
from core.errors import Forbidden, StateConflict
from core.inputs import Input, column, field, validate_fields
from core.secret_links import CALENDARS, digest_of, fresh_secret, sealed_secret
from core.users import expect_person
from warbands.news import announce

MAX_WEEKS = 30
"""The most club nights that can be created at once: a season."""
MAX_NOTE = 2000
LONGEST = timedelta(days=4)
"""The longest club night: a convention over a long weekend."""
FURTHEST = timedelta(days=3 * 366)
"""The furthest a club night may be from today, either way: more is probably a typing error."""
TOO_FAR = "out-of-range"
"""The code of a moment that is further away."""


def clean_moment(field: str, moment: datetime) -> datetime:
    """Return the moment in UTC. Raises InvalidInput ``TOO_FAR`` if it is years away."""
    today = timezone.now()
    if not today - FURTHEST <= moment <= today + FURTHEST:
        raise field_error(
            field,
            TOO_FAR,
            gettext("%(day)s is too far from today. Check the year.")
            % {"day": date_format(moment, gettext("j F Y"))},
            str(moment)[:40],
        )
    return moment.astimezone(UTC)


class EveningEdit(Input, frozen=True, kw_only=True):
    """Details of a club night."""

    starts_at: datetime
    ends_at: datetime
    place: Annotated[str | UnsetType, column(Evening, "place", _("Where"), line=True)] = UNSET
    note: Annotated[
        str | UnsetType, field(_("Note"), _("What to bring, who has the key."), max_length=MAX_NOTE)
    ] = UNSET


class NewEvenings(EveningEdit, frozen=True, kw_only=True):
    """Details of new club nights, and their number."""

    weeks: Annotated[
        int,
        field(
            _("Number of weeks"),
            format_lazy(
                _(
                    "Once a week at the same time, up to {most} weeks. You can change each one "
                    "later."
                ),
                most=MAX_WEEKS,
            ),
            api="The number of club nights, a week apart at the same local time.",
            ge=1,
            le=MAX_WEEKS,
        ),
    ] = 1


LATER = field(api="Whether to include the later club nights of its series.")


class ChangedEvening(EveningEdit, frozen=True, kw_only=True):
    """Details of a club night, and whether to change the later ones of its series too."""

    later: Annotated[bool, LATER] = False


class Restoring(Input, frozen=True, kw_only=True):
    """The club nights to restore: one, or also the later ones of its series."""

    later: Annotated[bool, LATER] = False


class Cancelling(Restoring, frozen=True, kw_only=True):
    """The reason why a club night is cancelled."""

    reason: Annotated[str, column(Evening, "reason", _("Why"), line=True)] = ""


class EveningAnswer(Input, frozen=True, kw_only=True, rename={"member_id": "member"}):
    """A member's answer: the user's own or, from organisers, that of any member."""

    answer: Annotated[Answer, field()]
    member_id: UUID | None = None


@transaction.atomic
def make_evenings(*, club_id: UUID, user: User, weeks: int = 1, **details: Any) -> list[Evening]:
    """Create ``weeks`` club nights, a week apart at the same local time; return them.

    ``details`` are fields of ``EveningEdit``, among them both moments, with a time zone. Several
    nights are a series and can be changed together. Raises NotFound, Forbidden, or
    InvalidInput for invalid values.
    """
    club = organised_club(club_id, user)
    weeks = validate_fields(NewEvenings, {"weeks": weeks})["weeks"]
    cleaned = _cleaned(details)
    _expect_order(cleaned["starts_at"], cleaned["ends_at"])
    now, series = timezone.now(), uuid4() if weeks > 1 else None
    evenings = [
        Evening(
            club=club,
            series=series,
            created_by=user,
            changed_at=now,
            **cleaned
            | {
                "starts_at": _weeks_later(cleaned["starts_at"], week, club),
                "ends_at": _weeks_later(cleaned["ends_at"], week, club),
            },
        )
        for week in range(weeks)
    ]
    _audit(Verb.SERIES_MADE if series else Verb.EVENINGS_MADE, evenings[0], user, number=weeks)
    return Evening.objects.bulk_create(evenings)


@transaction.atomic
def change_evening(*, evening_id: UUID, user: User, later: bool = False, **changes: Any) -> Evening:
    """Change a club night and return it; with ``later`` also those of its series after it.

    ``changes`` are fields of ``EveningEdit``; others stay as they are. The later ones get the same
    changes: they move by as many days and get the same hours. Values that do not change for the
    first stay as they are for the others. Raises NotFound, Forbidden, or InvalidInput for invalid
    values, and then nothing is changed.
    """
    evening, others = _organised_evenings(evening_id, user, later)
    cleaned = _cleaned(changes)
    was_at = {each.pk: _start_and_place(each) for each in (evening, *others)}
    differing = {name: value for name, value in cleaned.items() if value != getattr(evening, name)}
    former, changed = evening.local_start.date(), differences(evening, cleaned)
    for name, value in cleaned.items():
        setattr(evening, name, value)
    _expect_order(evening.starts_at, evening.ends_at)
    for other in others if differing else ():
        for name in differing.keys() - {"starts_at", "ends_at"}:
            setattr(other, name, differing[name])
        if not differing.keys().isdisjoint({"starts_at", "ends_at"}):
            _move(other, evening, evening.local_start.date() - former)
        _save_moved(other, was_at[other.pk])
    if changed:
        _audit(Verb.EVENING_CHANGED, evening, user, changes=changed, evenings=1 + len(others))
    return _save_moved(evening, was_at[evening.pk])


@transaction.atomic
def cancel_evening(
    *, evening_id: UUID, user: User, reason: str = "", later: bool = False
) -> Evening:
    """Cancel a club night and return it; with ``later`` also those of its series after it.

    A cancelled one stays visible. Raises StateConflict "evening-cancelled".
    """
    evening, others = _organised_evenings(evening_id, user, later)
    _expect_on(evening)
    reason = validate_fields(Cancelling, {"reason": reason})["reason"]
    for each in (evening, *(other for other in others if other.cancelled_at is None)):
        each.cancelled_at, each.reason = timezone.now(), reason
        announce("evening", _save(each).pk)
    _audit(Verb.EVENING_CANCELLED, evening, user, reason=reason, evenings=1 + len(others))
    return evening


@transaction.atomic
def restore_evening(*, evening_id: UUID, user: User, later: bool = False) -> Evening:
    """Restore a cancelled club night and return it.

    With ``later`` also those of its series after it.
    """
    evening, others = _organised_evenings(evening_id, user, later)
    for each in (evening, *(other for other in others if other.cancelled_at is not None)):
        each.cancelled_at, each.reason = None, ""
        _save(each)
    _audit(Verb.EVENING_RESTORED, evening, user, evenings=1 + len(others))
    return evening


@transaction.atomic
def answer_evening(
    *, evening_id: UUID, user: User, answer: str, member_id: UUID | None = None
) -> Attendance:
    """Store a member's answer about a club night, replacing an earlier one.

    Return it with its club night and club.

    Organisers answer for guest players, and for members who phoned: these can change it. Raises
    NotFound, Forbidden "members-only" or "organisers-only", StateConflict "evening-cancelled" or
    "evening-over".
    """
    evening = locked_evening(evening_id, user)
    member = _answering(evening, user, member_id)
    answer = validate_fields(EveningAnswer, {"answer": answer})["answer"]
    _expect_on(evening)
    if evening.ends_at <= timezone.now():
        raise StateConflict("evening-over", gettext("This club night is over."))
    given, _created = Attendance.objects.update_or_create(
        evening=evening,
        member=member,
        defaults={
            "answer": answer,
            "answered_at": timezone.now(),
            "by_organiser": member.user_id != user.pk,
        },
    )
    given.evening = evening
    _audit(Verb.EVENING_ANSWERED, evening, user, answer=answer, person=member.user_id)
    return given


def keep_hours(club: Club, former: ZoneInfo) -> None:
    """Move future club nights so that they keep their local hours in the club's new time zone.

    ``former`` is the old time zone.
    """
    for evening in Evening.objects.filter(club=club, starts_at__gt=timezone.now()):
        evening.starts_at = (
            evening.starts_at.astimezone(former).replace(tzinfo=club.zone).astimezone(UTC)
        )
        evening.ends_at = (
            evening.ends_at.astimezone(former).replace(tzinfo=club.zone).astimezone(UTC)
        )
        _save(evening)


def _cleaned(details: dict[str, Any]) -> dict[str, Any]:
    return validate_fields(EveningEdit, details, starts_at=clean_moment, ends_at=clean_moment)


def _audit(verb: Verb, evening: Evening, user: User, **details: Any) -> None:
    """Record an act on a club night, which is named by its local day."""
    day = evening.local_start.date().isoformat()
    record(verb, evening, user=user, club=evening.club_id, name=day, **details)


def _weeks_later(moment: datetime, weeks: int, club: Club) -> datetime:
    """Return a moment ``weeks`` later at the same local time of the club."""
    hour = moment.astimezone(club.zone).replace(tzinfo=None) + timedelta(weeks=weeks)
    return hour.replace(tzinfo=club.zone).astimezone(UTC)


def _move(evening: Evening, like: Evening, days: timedelta) -> None:
    """Move a club night by ``days``, to the local hours of another one."""
    day = evening.local_start.date() + days
    last = day + (like.local_end.date() - like.local_start.date())
    zone = like.club.zone
    starts_at = datetime.combine(day, like.local_start.time(), zone)
    evening.starts_at = clean_moment("starts_at", starts_at)
    evening.ends_at = datetime.combine(last, like.local_end.time(), zone).astimezone(UTC)


def _organised_evenings(evening_id: UUID, user: User, later: bool) -> tuple[Evening, list[Evening]]:
    """Return a club night, and with ``later`` those of its series after it. All are locked."""
    evening = locked_evening(evening_id, user)
    expect_organiser(evening.club_id, user)
    others = list(locked(evening.later)) if later else []
    for other in others:
        other.club = evening.club
    return evening, others


def _answering(evening: Evening, user: User, member_id: UUID | None) -> Membership:
    """Return the member who answers.

    That is the user or, for an organiser, any present member.
    """
    own = present_member(evening.club_id, user)
    if own is None:
        raise Forbidden(
            "members-only",
            gettext("Only members of the club can answer. Ask an organiser for an invitation."),
        )
    if member_id is None or member_id == own.pk:
        return own
    expect_organiser(evening.club_id, user)
    members = Membership.objects.present().filter(club=evening.club_id)
    return find(members, member_id, "member")


def _expect_order(starts_at: datetime, ends_at: datetime) -> None:
    if ends_at <= starts_at:
        raise field_error("ends_at", "ends-too-early", gettext("The end must be after the start."))
    if ends_at - starts_at > LONGEST:
        raise field_error(
            "ends_at",
            "lasts-too-long",
            gettext("A club night can last %(days)s days at most.") % {"days": LONGEST.days},
        )


def _expect_on(evening: Evening) -> None:
    if evening.cancelled_at is not None:
        raise StateConflict("evening-cancelled", gettext("This club night is cancelled."))


def _start_and_place(evening: Evening) -> tuple[datetime, str]:
    return evening.starts_at, evening.place


def _save_moved(evening: Evening, was_at: tuple[datetime, str]) -> Evening:
    """Save a changed club night; if its start or place is new, notify those who wanted to go."""
    if _start_and_place(evening) != was_at:
        evening.moved_at = timezone.now()
        announce("evening", evening.pk)
    return _save(evening)


def _save(evening: Evening) -> Evening:
    evening.version += 1
    evening.changed_at = timezone.now()
    evening.save()
    return evening


@transaction.atomic
def make_calendar_link(*, user: User) -> str:
    """Create the user's new calendar address and return its secret.

    An earlier address stops working. Raises Forbidden "people-only" for a bot.
    """
    expect_person(user)
    secret = fresh_secret()
    kept = {
        "digest": digest_of(secret),
        "sealed": sealed_secret(secret, CALENDARS),
        "made_at": timezone.now(),
    }
    CalendarLink.objects.update_or_create(user=user, defaults=kept)
    return secret


def revoke_calendar_link(*, user: User) -> None:
    """Revoke the user's calendar address."""
    CalendarLink.objects.filter(user=user).delete()
