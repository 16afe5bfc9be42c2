"""Tasks that are kept while the broker is down, and sent by the scheduler once it is back.

This is for tasks that have no row of their own to say what is left to do. A task may run twice.
"""

import logging
from collections.abc import Iterable

from celery import current_app
from django.utils import timezone
from kombu.exceptions import OperationalError

from warbands.models import UnsentTask

MOST = 500
"""The most tasks that the scheduler sends in one round."""

logger = logging.getLogger("muster.warbands")


def send_or_keep(task: str, arguments: Iterable[list[int | str]]) -> int:
    """Send a task once for each list of arguments; return the number of tasks sent.

    Call this outside transactions. Tasks that the broker does not accept are stored.
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
    """Send the stored tasks, equal ones only once; return the number sent.

    Stops if the broker is down.
    """
    sent_count = 0
    rows: dict[tuple[str, str], list[UnsentTask]] = {}
    for row in UnsentTask.objects.order_by("pk")[:MOST]:
        rows.setdefault((row.task, repr(row.arguments)), []).append(row)
    for same in rows.values():
        try:
            current_app.send_task(same[0].task, same[0].arguments, retry=False)
        except (OperationalError, OSError):
            break
        # Delete after sending: a task that runs twice is better than a lost one.
        UnsentTask.objects.filter(pk__in=[row.pk for row in same]).delete()
        sent_count += 1
    return sent_count
