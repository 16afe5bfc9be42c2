"""Messages for workers, sent after the commit. A broken broker never makes a request fail: the
clock sends lost messages again."""

import logging
from collections.abc import Iterable, Mapping
from datetime import timedelta
from functools import partial
from typing import Any

from celery import current_app
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from kombu.exceptions import OperationalError

from core.jobs.claims import expired

PATIENCE = timedelta(seconds=30)
"""The time that a job may wait for a worker before its message is sent again. With the clock's
interval nobody waits for a full minute. An extra message does no harm, and there are few: a sweep
is queued behind the messages that were sent before it."""
MAX_RESENT = 500
"""The maximum number of rows of one table whose messages are sent again at a time."""
Message = tuple[str, str | int]
"""The name of a task and the key of its job."""

logger = logging.getLogger(__name__)


def send_after_commit(task: str, key: str | int) -> None:
    """Send a task by name after the current transaction is committed."""
    transaction.on_commit(partial(send, task, key))


def send(task: str, key: str | int) -> bool:
    """Send a task by name. Return False if the broker is unreachable: the sweep retries later."""
    try:
        current_app.send_task(task, [key], retry=False)
    except (OperationalError, OSError):
        logger.warning(
            "The broker does not answer: what was asked for waits",
            extra={"task": task, "key": str(key)},
        )
        return False
    return True


def lost(queued_at: str) -> Q:
    """Match jobs that have waited too long since ``queued_at``, and jobs of dead workers."""
    return Q(claimed_by="", **{f"{queued_at}__lt": timezone.now() - PATIENCE}) | expired()


def messages_for(task: str, rows: "QuerySet[Any]") -> list[Message]:
    """Return messages for at most ``MAX_RESENT`` of these rows. One query."""
    return [
        (task, key if isinstance(key, int) else str(key))
        for key in rows.values_list("pk", flat=True)[:MAX_RESENT]
    ]


def send_all(messages: Iterable[Message]) -> int:
    """Send messages until the broker fails. Return how many were sent."""
    sent_count = 0
    for message in messages:
        if not send(*message):
            break
        sent_count += 1
    return sent_count


def take_over_jobs(unfinished: Mapping[str, "QuerySet[Any]"]) -> int:
    """Release the jobs of dead workers and queue them again. Return how many were queued.

    ``unfinished`` has the rows by the task that works on them. Makes at most two queries for each.
    A released row is not found here again: if its message is lost, its own sweep sends it again.
    """
    messages: list[Message] = []
    for task, rows in unfinished.items():
        dead = rows.filter(expired())
        expired_messages = messages_for(task, dead)
        if expired_messages:
            dead.filter(pk__in=[key for _, key in expired_messages]).update(
                claimed_by="", claimed_at=None
            )
            messages += expired_messages
    if messages:
        logger.warning("Took over from workers that are dead: %s rows", len(messages))
    return sum(send(*message) for message in messages)
