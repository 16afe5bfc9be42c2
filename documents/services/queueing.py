"""Sending tasks: always after the commit, and never a reason to fail. What is lost on the way the sweep sends again."""

import logging
from functools import partial
from uuid import UUID

from celery import current_app
from django.db import transaction
from kombu.exceptions import OperationalError

RENDER = "documents.tasks.render"
RENDER_PART = "documents.tasks.render_part"

logger = logging.getLogger(__name__)


def queue_document(document_id: UUID) -> None:
    """Have a document rendered, or its parts bound, once the present transaction is committed."""
    transaction.on_commit(partial(send, RENDER, str(document_id)))


def queue_part(part_id: int) -> None:
    """Have a part rendered once the present transaction is committed."""
    transaction.on_commit(partial(send, RENDER_PART, part_id))


def send(task: str, key: str | int) -> bool:
    """Send a task by name. False if the broker cannot be reached: the sweep tries again."""
    try:
        current_app.send_task(task, [key], retry=False)
    except (OperationalError, OSError):
        logger.warning("The broker does not answer: what was asked for waits", extra={"task": task, "key": str(key)})
        return False
    return True
