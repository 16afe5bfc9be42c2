"""Decide who gets letters and notifications: after a change, periodically, and every morning.

Each letter and each device is a task of its own.
"""

from collections.abc import Iterable
from datetime import UTC, date, datetime, time, timedelta
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

from django.conf import settings
from django.contrib.auth.models import User
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from battles.models import Side
from campaigns.models import HandOver
from clubs.models import Answer, Attendance, Membership, Role
from home.member_time import HOUR, last_monday, last_morning
from home.models import (
    TIME_ZONES,
    WITH_DIGESTS,
    WITH_LETTERS_AT_ONCE,
    Device,
    Mail,
    Notice,
    Preferences,
)
from home.selectors.club_night_cards import ToRememberTomorrow
from warbands.outbox import send_or_keep

AT_ONCE = "home.tasks.write_at_once"
DEVICE = "home.tasks.notify"
DIGEST = "home.tasks.write_digest"
MOST = 500
"""The number of members, and of devices, that one periodic run checks."""
NEWCOMERS = timedelta(days=2)
"""The time for which the frequent runs look for new accounts without preferences.

A nightly run handles older accounts.
"""


def concerned(what: str, key: UUID) -> QuerySet[User]:
    """Return the users concerned by a change.

    ``what`` is a "battle", "campaign", "evening", "member" or "warband".
    """
    if what == "battle":
        sides = Side.objects.filter(battle=key).values("warband")
        organisers = Membership.objects.filter(
            club__campaigns__battles=key, role=Role.ORGANISER
        ).values("user")
        substitutes = Side.objects.filter(battle=key, substitute__user__isnull=False).values(
            "substitute__user"
        )
        players = Q(warbands__in=sides) | Q(kept_warbands__in=sides) | Q(pk__in=substitutes)
        return User.objects.filter(players | Q(pk__in=organisers)).distinct()
    if what == "campaign":
        members = Membership.objects.present().filter(club__campaigns=key, user__isnull=False)
        return User.objects.filter(pk__in=members.values("user"))
    if what == "evening":
        going = Attendance.objects.filter(
            evening=key, answer__in=(Answer.COMING, Answer.PERHAPS), member__user__isnull=False
        )
        return User.objects.filter(pk__in=going.values("member__user"))
    if what == "member":
        return User.objects.filter(memberships=key)
    hand_overs = HandOver.objects.filter(warband=key)
    before_and_after = Q(pk__in=hand_overs.values("giver")) | Q(
        pk__in=hand_overs.values("receiver")
    )
    return User.objects.filter(Q(warbands=key) | Q(kept_warbands=key) | before_and_after).distinct()


def queue_news(what: str, key: UUID) -> int:
    """Queue letters and notifications for the users concerned by a change. Return their number.

    Only users who want e-mails at once get a letter. After a change of a club night, all get one
    who want e-mails.
    """
    users = concerned(what, key).filter(is_active=True)
    if what == "evening":
        readers = users.exclude(inbox_preferences__mail=Mail.NEVER)
    else:
        readers = users.filter(inbox_preferences__mail__in=WITH_LETTERS_AT_ONCE)
    queued = _queue(AT_ONCE, readers.values_list("pk", flat=True))
    return queued + _notify(Device.objects.filter(user__in=users.values("pk")))


def queue_lost_news() -> int:
    """Queue letters and notifications for lost messages, and for cards that depend on the day.

    One run takes ``MOST`` members of each kind of mail, and ``MOST`` devices: those that were
    checked longest ago.
    """
    # One query for each kind: the index cannot order several of them.
    members = [
        key for mail in WITH_LETTERS_AT_ONCE for key in _next(Preferences.objects.filter(mail=mail))
    ]
    queued = _queue(AT_ONCE, members)
    return queued + _queue(DEVICE, map(str, _next(Device.objects.all())))


def _next(rows: QuerySet[Any]) -> list[Any]:
    """Mark the next rows as checked. Return their keys, without those of closed accounts."""
    is_active_by_key = dict(
        rows.order_by("looked_at", "pk").values_list("pk", "user__is_active")[:MOST]
    )
    rows.model._default_manager.filter(pk__in=list(is_active_by_key)).update(
        looked_at=timezone.now()
    )
    return [key for key, is_active in is_active_by_key.items() if is_active]


def queue_digests() -> int:
    """Queue the digests whose morning has come, and return their number.

    New accounts get their first digest on the next morning.
    """
    moment = timezone.now()
    add_preferences(User.objects.filter(date_joined__gt=moment - NEWCOMERS))
    due: list[int] = []
    for mail in WITH_DIGESTS:
        for day, zones in _mornings(mail, moment).items():
            rows = Preferences.objects.filter(mail=mail, time_zone__in=zones)
            rows.filter(digested_on=None).update(digested_on=day)
            late = rows.filter(digested_on__lt=day)
            # Closed accounts get no digest. Without this update, each run would find them again.
            late.filter(user__is_active=False).update(digested_on=day)
            due += late.values_list("pk", flat=True)
    return _queue(DIGEST, due)


def queue_reminders() -> int:
    """Queue the letters of those with weekly e-mails about a club night tomorrow.

    Only those get one who want to go, once their morning has come: a digest of next Monday would be
    too late. Return their number. A letter that was sent before is not sent again.
    """
    moment = timezone.now()
    days: dict[date, list[str]] = {}
    for name in ("", *TIME_ZONES):
        local_time = moment.astimezone(ZoneInfo(name or settings.TIME_ZONE))
        if local_time.hour >= HOUR:
            days.setdefault(local_time.date(), []).append(name)
    due: list[int] = []
    for day, zones in days.items():
        tomorrow = datetime.combine(day + timedelta(days=1), time.min, UTC)
        notified = Notice.objects.filter(
            user=OuterRef("member__user"), kind=ToRememberTomorrow.kind, subject=OuterRef("evening")
        )
        going = Attendance.objects.filter(
            ~Exists(notified),
            answer__in=(Answer.COMING, Answer.PERHAPS),
            member__left_at=None,
            evening__cancelled_at=None,
            evening__starts_at__gte=tomorrow,
            evening__starts_at__lt=tomorrow + timedelta(days=1),
        )
        rows = Preferences.objects.filter(
            mail=Mail.WEEKLY,
            time_zone__in=zones,
            # Who gets the digest of Monday now learns it from that.
            digested_on__gte=last_monday(day),
            user__is_active=True,
            user__in=going.values("member__user"),
        )
        due += rows.values_list("pk", flat=True)
    return _queue(AT_ONCE, due)


def add_preferences(users: QuerySet[User]) -> None:
    """Create the default preferences for those of these accounts that have none."""
    new_users = users.filter(is_active=True, inbox_preferences=None)
    Preferences.objects.bulk_create(
        (Preferences(user=user) for user in new_users.iterator()),
        batch_size=500,
        ignore_conflicts=True,
    )


def _mornings(mail: str, moment: datetime) -> dict[date, list[str]]:
    """Return the time zones by the day of their last digest: two or three days at any time."""
    zones: dict[date, list[str]] = {}
    for name in ("", *TIME_ZONES):
        local_time = moment.astimezone(ZoneInfo(name or settings.TIME_ZONE))
        zones.setdefault(last_morning(mail, local_time), []).append(name)
    return zones


def _notify(devices: QuerySet[Device]) -> int:
    return _queue(DEVICE, (str(key) for key in devices.values_list("pk", flat=True)))


def _queue(task: str, keys: Iterable[int | str]) -> int:
    """Queue the tasks and return their number.

    If the broker fails, they are kept for a periodic run.
    """
    return send_or_keep(task, [[key] for key in keys])
