"""Tasks of the inbox. Each takes a key, may run twice, at once or die half way, and calls one plain
function."""

from typing import Any
from uuid import UUID

from celery import shared_task
from django.contrib.auth.models import User
from django.db import InterfaceError, OperationalError

from home.models import Device
from home.services import account_letters, letters, push, recipients
from home.services.letters import NotSent

AGAIN: dict[str, Any] = {
    "autoretry_for": (NotSent, OperationalError, InterfaceError),
    "retry_backoff": 30,
    "retry_backoff_max": 1800,
    "max_retries": 6,
    "soft_time_limit": 60,
    "time_limit": 90,
}
"""A server that is away is asked again, after ever longer times; what is still unsent then waits
for the clock."""


@shared_task(**AGAIN)
def write_at_once(user_id: int) -> None:
    """Tell a member of what is new."""
    try:
        letters.write_at_once(user_id=user_id)
    except User.DoesNotExist:
        return


@shared_task(**AGAIN)
def write_digest(user_id: int) -> None:
    """Send a member the digest of the last morning."""
    try:
        letters.write_digest(user_id=user_id)
    except User.DoesNotExist:
        return


@shared_task(**AGAIN)
def send_account_letter(letter_id: str) -> None:
    """Send a letter about a change of an account."""
    account_letters.send_account_letter(letter_id=UUID(letter_id))


@shared_task(**AGAIN)
def notify(device_id: str) -> None:
    """Show on a device what is new."""
    try:
        push.notify(device_id=UUID(device_id))
    except Device.DoesNotExist:
        return


@shared_task
def queue_news_for(what: str, key: str) -> int:
    """Something has changed: tell whom it gives something to do."""
    return recipients.queue_news(what, UUID(key))


@shared_task
def requeue_news() -> int:
    """Tell of what no message told of, and send letters that are still there. For the clock."""
    return recipients.queue_lost_news() + account_letters.queue_lost_account_letters()


@shared_task
def digests() -> int:
    """Have the digests written whose morning has come. For the clock, several times an hour."""
    return recipients.queue_digests()


@shared_task
def add_missing_preferences() -> None:
    """Give the usual preferences to every account that has none. For the clock, once a night."""
    recipients.add_preferences(User.objects.all())
