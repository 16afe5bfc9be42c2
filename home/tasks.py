"""Celery tasks of letters and notifications.

Each takes a key and calls one plain function. A task may run twice, run twice at the same time, or
be killed half way.
"""

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
"""Retry with growing delays if a server is unavailable.

What is still unsent after that waits for a periodic task.
"""


@shared_task(**AGAIN)
def write_at_once(user_id: int) -> None:
    """Send a member a letter with their new cards."""
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
    """Show new cards on a device."""
    try:
        push.notify(device_id=UUID(device_id))
    except Device.DoesNotExist:
        return


@shared_task
def queue_news_for(what: str, key: str) -> int:
    """Notify the users whose tasks may change with something that has changed."""
    return recipients.queue_news(what, UUID(key))


@shared_task
def requeue_news() -> int:
    """Queue lost notifications and letters again. Runs periodically."""
    return recipients.queue_lost_news() + account_letters.queue_lost_account_letters()


@shared_task
def digests() -> int:
    """Queue the digests and reminders whose morning has come. Runs several times an hour."""
    return recipients.queue_digests() + recipients.queue_reminders()


@shared_task
def add_missing_preferences() -> None:
    """Create the default preferences for every account that has none. Runs once a night."""
    recipients.add_preferences(User.objects.all())
