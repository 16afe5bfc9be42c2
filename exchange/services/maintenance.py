"""Periodic work on archives: queue lost messages, take over from dead workers, delete old files."""

from collections.abc import Iterator
from typing import Any

from django.db.models import QuerySet
from django.utils import timezone

from core.file_stores import delete_quietly
from core.jobs.queue import Message, lost, messages_for, send_all, take_over_jobs
from core.jobs.stored_files import sweep_folders
from exchange.models import Export, ExportState, Import
from exchange.services import exports, imports


def send_again() -> int:
    """Queue lost messages again, and return their number. Stop if the broker is down."""
    return send_all(_lost_messages())


def _lost_messages() -> Iterator[Message]:
    """Yield the exports and imports whose message was lost, oldest first.

    One query for each kind.
    """
    for task, rows in _wanted().items():
        yield from messages_for(task, rows.filter(lost("asked_at")).order_by("asked_at"))


def take_over() -> int:
    """Release the jobs of dead workers, queue them again, and return their number.

    Takes four queries at most.
    """
    return take_over_jobs(_wanted())


def _wanted() -> dict[str, QuerySet[Any]]:
    """Return the jobs that wait for a worker, by their task."""
    return {
        exports.MAKE: Export.objects.filter(state__in=exports.WANTED),
        imports.ADVANCE: Import.objects.filter(state__in=imports.WORKING),
    }


def tidy() -> int:
    """Delete expired files, and files that belong to no row.

    Return the number of exports, imports and folders.
    """
    over = (
        Export.objects.filter(expires_at__lt=timezone.now())
        .exclude(state__in=exports.WANTED)
        .exclude(file="")
    )
    forgotten = sum(_forget_export(export) for export in over)
    uploads = Import.objects.filter(expires_at__lt=timezone.now()).exclude(file="")
    forgotten += sum(imports.forget_upload(brought) for brought in uploads)
    folders = {"exports": Export.objects.all(), "imports": Import.objects.all()}
    return forgotten + sum(sweep_folders(folder, rows) for folder, rows in folders.items())


def _forget_export(export: Export) -> bool:
    """Delete the file of an export, unless it was requested again in the meantime."""
    state = ExportState.EXPIRED if export.state == ExportState.READY else export.state
    mine = Export.objects.filter(pk=export.pk, file=export.file.name, state=export.state)
    if not mine.update(state=state, file=""):
        return False
    delete_quietly(str(export.file.name))
    return True
