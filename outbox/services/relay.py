"""From committed changes to deliveries, and from deliveries that are due to workers."""

from datetime import timedelta
from uuid import UUID

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from audit.services.numbering import MOST, number_changes
from outbox.models import Delivery, DeliveryState, Webhook
from warbands.outbox import send_or_keep

DELIVER = "outbox.tasks.deliver"
QUEUED_FOR = timedelta(minutes=2)
"""The time for which a delivery may wait for a worker before it is queued again."""
KEPT = timedelta(days=30)
"""The time for which finished deliveries are listed."""


def relay_changes() -> int:
    """Number what was committed, and queue every delivery that is due. Return their number.

    May run twice, at the same time or be killed: changes and their deliveries are numbered and
    written in one transaction, and what was not queued then is due again.
    """
    while _fan_out() == MOST:
        pass
    return queue_due()


@transaction.atomic
def _fan_out() -> int:
    """Number some changes, and write a delivery of each for each active webhook of its club.

    Return the number of changes.
    """
    changes = number_changes()
    clubs = {change.entry.club for change in changes}
    webhooks: dict[UUID | None, list[Webhook]] = {}
    if clubs:
        for webhook in Webhook.objects.filter(active=True, club__in=clubs - {None}):
            webhooks.setdefault(webhook.club_id, []).append(webhook)
    deliveries = [
        Delivery(webhook=webhook, change=change)
        for change in changes
        for webhook in webhooks.get(change.entry.club, ())
        # What happened before the webhook was added is not news.
        if change.entry.at >= webhook.created_at
    ]
    Delivery.objects.bulk_create(deliveries, ignore_conflicts=True)
    return len(changes)


def queue_due() -> int:
    """Queue the deliveries that are due and that no worker is sending. Return their number."""
    now = timezone.now()
    free = Q(claimed_until=None) | Q(claimed_until__lt=now)
    due = Delivery.objects.filter(free, state=DeliveryState.WAITING, due_at__lte=now)
    keys = list(due.order_by("due_at").values_list("pk", flat=True)[:MOST])
    # Before the messages are sent: whatever is lost on the way is due again later.
    Delivery.objects.filter(pk__in=keys).update(due_at=now + QUEUED_FOR)
    return send_or_keep(DELIVER, [[str(key)] for key in keys])


def forget_old_deliveries() -> int:
    """Delete deliveries that finished ``KEPT`` ago, and return their number."""
    old = Delivery.objects.filter(finished_at__lt=timezone.now() - KEPT)
    number, _ = old.delete()
    return number
