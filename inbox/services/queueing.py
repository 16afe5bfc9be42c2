"""Who is told: after a change, on the clock, and every morning. Each letter and each device is a task of its own."""

from collections.abc import Iterable
from uuid import UUID

from django.contrib.auth.models import User
from django.db.models import Q, QuerySet
from django.utils import timezone

from battles.models import Side
from campaigns.models import HandOver, Membership, Role
from inbox.models import Device, Mail, Preferences
from inbox.mornings import last_morning
from warbands.outbox import send_or_keep

AT_ONCE = "inbox.tasks.write_at_once"
DEVICE = "inbox.tasks.notify"
DIGEST = "inbox.tasks.write_digest"


def concerned(what: str, key: UUID) -> QuerySet[User]:
    """Whom a change of a "battle", "campaign", "member" or "warband" may give something to do."""
    if what == "battle":
        sides = Side.objects.filter(battle=key).values("warband")
        organisers = Membership.objects.filter(club__campaigns__battles=key, role=Role.ORGANISER).values("user")
        substitutes = Side.objects.filter(battle=key, substitute__user__isnull=False).values("substitute__user")
        players = Q(warbands__in=sides) | Q(kept_warbands__in=sides) | Q(pk__in=substitutes)
        return User.objects.filter(players | Q(pk__in=organisers)).distinct()
    if what == "campaign":
        members = Membership.objects.present().filter(club__campaigns=key, user__isnull=False)
        return User.objects.filter(pk__in=members.values("user"))
    if what == "member":
        return User.objects.filter(memberships=key)
    hand_overs = HandOver.objects.filter(warband=key)
    before_and_after = Q(pk__in=hand_overs.values("giver")) | Q(pk__in=hand_overs.values("receiver"))
    return User.objects.filter(Q(warbands=key) | Q(kept_warbands=key) | before_and_after).distinct()


def queue_news(what: str, key: UUID) -> int:
    """Queue a letter for whoever is concerned by a change and wants to be told at once, and what their devices show;
    returns how many."""
    users = concerned(what, key).filter(is_active=True)
    queued = _queue(AT_ONCE, users.filter(inbox_preferences__mail=Mail.AT_ONCE).values_list("pk", flat=True))
    return queued + _notify(Device.objects.filter(user__in=users.values("pk")))


def queue_lost_news() -> int:
    """Queue a letter for everybody who wants to be told at once, and all devices: for messages that were lost, and days
    that came."""
    wanting = Preferences.objects.filter(mail=Mail.AT_ONCE, user__is_active=True)
    queued = _queue(AT_ONCE, wanting.values_list("user", flat=True))
    return queued + _notify(Device.objects.filter(user__is_active=True))


def queue_digests() -> int:
    """Queue the digests whose morning has come; returns how many. Who has no preferences yet gets the usual ones.

    Who is met for the first time gets the first digest on the next morning.
    """
    moment = timezone.now()
    fresh = User.objects.filter(is_active=True, inbox_preferences=None)
    Preferences.objects.bulk_create((Preferences(user=user) for user in fresh.iterator()), ignore_conflicts=True)
    due, met = [], []
    rows = Preferences.objects.filter(mail__in=(Mail.DAILY, Mail.WEEKLY), user__is_active=True)
    for row in rows.iterator():
        day = last_morning(row.mail, moment.astimezone(row.zone))
        if row.digested_on is None:
            row.digested_on = day
            met.append(row)
        elif row.digested_on < day:
            due.append(row.pk)
    Preferences.objects.bulk_update(met, ["digested_on"], batch_size=500)
    return _queue(DIGEST, due)


def _notify(devices: QuerySet[Device]) -> int:
    return _queue(DEVICE, (str(key) for key in devices.values_list("pk", flat=True)))


def _queue(task: str, keys: Iterable[int | str]) -> int:
    """How many were queued. What the broker does not take is kept for the clock."""
    return send_or_keep(task, [[key] for key in keys])
