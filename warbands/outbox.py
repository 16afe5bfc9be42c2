"""Sending tasks that are kept while the broker does not answer, and sent by the clock once it is
back.

For tasks without a row of their own that says what is still to be done. Each may run twice.
"""

import logging
from collections.abc import Iterable

from celery import current_app
from django.utils import timezone
from kombu.exceptions import OperationalError

from warbands.models import UnsentTask

MOST = 500
"""Tasks that the clock sends in one round."""

logger = logging.getLogger("muster.warbands")


def send_or_keep(task: str, arguments: Iterable[list[int | str]]) -> int:
    """Send a task once for each list of arguments, outside any transaction; return how many were
    sent.

    What the broker does not take is kept.
    """
    waiting = list(arguments)
    sent_count = 0
    try:
        for task_arguments in waiting:
            current_app.send_task(task, task_arguments, retry=False)
            sent_count += 1
    except (OperationalError, OSError):
        logger.warning("The broker does not answer: %s waits for the clock", task)
        now = timezone.now()
        UnsentTask.objects.bulk_create(
            UnsentTask(task=task, arguments=each, kept_at=now) for each in waiting[sent_count:]
        )
    return sent_count


def send_kept() -> int:
    """Send what was kept, the same only once; return how many tasks that were. Stop where the
    broker is down."""
    sent_count = 0
    rows: dict[tuple[str, str], list[UnsentTask]] = {}
    for row in UnsentTask.objects.order_by("pk")[:MOST]:
        rows.setdefault((row.task, repr(row.arguments)), []).append(row)
    for same in rows.values():
        try:
            current_app.send_task(same[0].task, same[0].arguments, retry=False)
        except (OperationalError, OSError):
            break
        # After the sending: rather a task too many than one that is lost.
        UnsentTask.objects.filter(pk__in=[row.pk for row in same]).delete()
        sent_count += 1
    return sent_count
