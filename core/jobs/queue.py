"""Messages for workers: sent after the commit, and never a reason to fail. The clock sends again
what was lost."""

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
"""How long a job may wait for a worker before it is sent again: with the clock's round nobody waits
for a full minute. A message too many does no harm, and there are few: a sweep stands in the queue
behind what was sent before it."""
MAX_RESENT = 500
"""Rows of one table that are sent again at a time."""
Message = tuple[str, str | int]
"""A task's name and the key of its job."""

logger = logging.getLogger(__name__)


def send_after_commit(task: str, key: str | int) -> None:
    """Send a task by name once the present transaction is committed."""
    transaction.on_commit(partial(send, task, key))


def send(task: str, key: str | int) -> bool:
    """Send a task by name. False if the broker cannot be reached: the sweep tries again."""
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
    """Match jobs that have waited too long since the moment in that column, and those of dead
    workers."""
    return Q(claimed_by="", **{f"{queued_at}__lt": timezone.now() - PATIENCE}) | expired()


def messages_for(task: str, rows: "QuerySet[Any]") -> list[Message]:
    """Return the messages for so many of these rows as are sent again at a time. One query."""
    return [
        (task, key if isinstance(key, int) else str(key))
        for key in rows.values_list("pk", flat=True)[:MAX_RESENT]
    ]


def send_all(messages: Iterable[Message]) -> int:
    """Send messages until the broker is down; return how many were sent."""
    sent_count = 0
    for message in messages:
        if not send(*message):
            break
        sent_count += 1
    return sent_count


def take_over_jobs(unfinished: Mapping[str, "QuerySet[Any]"]) -> int:
    """Release what dead workers had in hand, and queue it again; return how much that was.

    ``unfinished`` are rows by the task that works on them. Two queries at most for each. Without
    its claim no row is found twice here: what is lost on the way waits for its sweep.
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
