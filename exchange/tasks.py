"""Celery tasks of archives.

Each takes a key and calls one plain function. A task may run twice, run twice at the same time, or
be killed half way.
"""

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
    """Write an archive."""
    make_one_export(UUID(export_id), task=self.request.id or "")


@shared_task(bind=True, **TASK_OPTIONS)
def advance_import(self: "Task[Any, Any]", import_id: str) -> None:
    """Check an uploaded archive, or import it."""
    advance_one_import(UUID(import_id), task=self.request.id or "")


@shared_task
def sweep() -> int:
    """Queue lost messages again. Runs every few minutes."""
    return send_again()


@shared_task
def take_over() -> int:
    """Queue the jobs of dead workers again. Runs several times a minute."""
    return take_over_now()


@shared_task
def tidy() -> int:
    """Delete expired files, and files that belong to no row. Runs once a night."""
    return tidy_now()
