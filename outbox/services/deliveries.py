"""Send a change to a webhook: claim, send, write the result.

A change reaches a webhook at least once, and every repetition has the same ``webhook-id``.
"""

from datetime import datetime, timedelta
from typing import NamedTuple
from uuid import UUID

import msgspec
from celery.exceptions import SoftTimeLimitExceeded
from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext

from clubs.services.permissions import find
from core.errors import StateConflict
from outbox.failures import REFUSED, TOO_SLOW
from outbox.models import Delivery, DeliveryState, Webhook, WebhookKind
from outbox.safe_requests import NoAnswer, Refused, send
from outbox.selectors.changes import ChangeLine, change_line, is_of_club
from outbox.services.discord_posts import NotYet, post_change
from outbox.signing import signed_headers
from warbands.outbox import send_or_keep

DELIVER = "outbox.tasks.deliver"
CLAIM_HOLDS = timedelta(seconds=90)
"""The time for which a worker's claim holds: longer than a task may run."""
BACK_OFF = (
    timedelta(seconds=5),
    timedelta(minutes=5),
    timedelta(minutes=30),
    timedelta(hours=2),
    timedelta(hours=5),
    timedelta(hours=10),
    timedelta(hours=14),
    timedelta(hours=20),
    timedelta(hours=24),
)
"""The waits between attempts: three days in all, as Standard Webhooks recommend."""
GONE = 410
"""The answer of a receiver that wants nothing any more."""


class Message(msgspec.Struct, frozen=True):
    """The body of a webhook: what happened and when (in UTC)."""

    type: str
    timestamp: datetime
    data: ChangeLine


class Result(NamedTuple):
    """The result of an attempt: the status of the answer, the failure, and how long to wait."""

    status: int | None
    failure: str = ""
    wait: timedelta | None = None


def deliver(*, delivery_id: UUID) -> bool:
    """Send a waiting delivery that no worker is sending. Return whether it was sent now.

    May run twice, at the same time or be killed. If it fails, it is due again after a while, up to
    ten times.
    """
    delivery = _claim(delivery_id)
    if delivery is None:
        return False
    webhook = delivery.webhook
    if not webhook.active or not is_of_club(delivery.change, webhook.club):
        _finish(delivery, DeliveryState.SKIPPED, Result(None))
        return False
    try:
        result = _attempt(delivery)
    except NotYet as waiting:
        # The picture is being made. That is no failed attempt.
        Delivery.objects.filter(pk=delivery.pk).update(
            due_at=timezone.now() + waiting.wait,
            claimed_until=None,
            attempts=F("attempts") - 1,
        )
        return False
    if result.status is not None and 200 <= result.status < 300:
        _finish(delivery, DeliveryState.SENT, result)
        return True
    if result.status == GONE:
        Webhook.objects.filter(pk=webhook.pk).update(active=False)
    if result.status == GONE or delivery.attempts > len(BACK_OFF):
        _finish(delivery, DeliveryState.FAILED, result)
        return False
    wait = max(BACK_OFF[delivery.attempts - 1], result.wait or timedelta())
    Delivery.objects.filter(pk=delivery.pk).update(
        due_at=timezone.now() + wait,
        claimed_until=None,
        status=result.status,
        failure=result.failure,
    )
    return False


@transaction.atomic
def send_again(*, delivery_id: UUID, user: User) -> Delivery:
    """Queue a finished delivery once more, with the same id. Only for organisers of the club.

    Raises NotFound, and StateConflict "being-sent" if it is waiting already.
    """
    webhooks = Webhook.objects.visible_to(user)
    rows = Delivery.objects.select_for_update(of=("self",)).filter(webhook__in=webhooks)
    delivery = find(rows, delivery_id, "delivery")
    if delivery.state == DeliveryState.WAITING:
        raise StateConflict("being-sent", gettext("This is being sent already."))
    delivery.state, delivery.attempts = DeliveryState.WAITING, 0
    delivery.due_at, delivery.claimed_until = timezone.now(), None
    delivery.finished_at = None
    delivery.save()
    key = str(delivery.pk)
    transaction.on_commit(lambda: send_or_keep(DELIVER, [[key]]))
    return delivery


def _claim(delivery_id: UUID) -> Delivery | None:
    """Claim a delivery and count the attempt, or return None if there is nothing to send."""
    now = timezone.now()
    free = Q(claimed_until=None) | Q(claimed_until__lt=now)
    # This one UPDATE decides between workers. Sending happens outside of any transaction.
    claimed = Delivery.objects.filter(free, pk=delivery_id, state=DeliveryState.WAITING).update(
        claimed_until=now + CLAIM_HOLDS, attempts=F("attempts") + 1
    )
    if not claimed:
        return None
    related = ("webhook__club", "change__entry")
    return Delivery.objects.select_related(*related).filter(pk=delivery_id).first()


def _attempt(delivery: Delivery) -> Result:
    """Send a claimed delivery once. Raises NotYet."""
    webhook = delivery.webhook
    try:
        if webhook.kind == WebhookKind.DISCORD:
            answer = post_change(delivery.change, webhook)
            if answer is None:
                return Result(204)
        else:
            body = msgspec.json.encode(_message(delivery)).decode()
            now = timezone.now()
            headers = signed_headers(webhook.secret, str(delivery.change_id), now, body)
            headers["Content-Type"] = "application/json"
            answer = send("POST", webhook.address, body=body.encode(), headers=headers)
    except (Refused, NoAnswer) as error:
        return Result(None, str(error))
    except SoftTimeLimitExceeded:
        # A failed attempt as any other: without a result it would be repeated without end.
        return Result(None, TOO_SLOW)
    failure = "" if answer.status < 300 else REFUSED
    return Result(answer.status, failure, _asked_wait(answer.headers.get("Retry-After", "")))


def _message(delivery: Delivery) -> Message:
    line = change_line(delivery.change, settings.SITE_URL.rstrip("/"))
    return Message(line.type, line.at, line)


def _asked_wait(seconds: str) -> timedelta | None:
    """Return the time that `Retry-After` asks for, at most an hour."""
    try:
        return timedelta(seconds=min(max(float(seconds), 0), 3600))
    except ValueError:
        return None


def _finish(delivery: Delivery, state: DeliveryState, result: Result) -> None:
    Delivery.objects.filter(pk=delivery.pk).update(
        state=state,
        status=result.status,
        failure=result.failure,
        claimed_until=None,
        finished_at=timezone.now(),
    )
