"""Tasks of archives. Each takes a key, may run twice, twice at once or die half way, and calls one
plain function."""

from typing import Any
from uuid import UUID

from celery import Task, shared_task

from core.jobs.running import TASK_OPTIONS
from exchange.services.exports import make_export as make_one_export
from exchange.services.imports import advance_import as advance_one_import
from exchange.services.maintenance import send_again
from exchange.services.maintenance import take_over as take_over_now
from exchange.services.maintenance import tidy as tidy_now


@shared_task(bind=True, **TASK_OPTIONS)
def make_export(self: "Task[Any, Any]", export_id: str) -> None:
    """Pack an archive."""
    make_one_export(UUID(export_id), task=self.request.id or "")


@shared_task(bind=True, **TASK_OPTIONS)
def advance_import(self: "Task[Any, Any]", import_id: str) -> None:
    """Check an uploaded archive, or make rows of it."""
    advance_one_import(UUID(import_id), task=self.request.id or "")


@shared_task
def sweep() -> int:
    """Send again what was lost on the way. For the clock, every few minutes."""
    return send_again()


@shared_task
def take_over() -> int:
    """Queue again what dead workers had in hand. For the clock, several times a minute."""
    return take_over_now()


@shared_task
def tidy() -> int:
    """Delete files whose time is over, and those of which no row knows. For the clock, once a
    night."""
    return tidy_now()
