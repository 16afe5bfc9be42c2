"""What the clock does for archives: sending lost messages again, taking over from the dead,
deleting what is old."""

from collections.abc import Iterator
from typing import Any

from django.core.files.storage import default_storage
from django.db.models import QuerySet
from django.utils import timezone

from core.jobs.queue import Message, lost, messages_for, send_all, take_over_jobs
from core.jobs.stored_files import sweep_folders
from exchange.models import Export, ExportState, Import
from exchange.services import exports, imports


def send_again() -> int:
    """Queue again what has waited too long; returns how many messages that were. Stops where the
    broker is down."""
    return send_all(_lost_messages())


def _lost_messages() -> Iterator[Message]:
    """Exports and imports that wait for a worker, the longest first. One query for each kind."""
    for task, rows in _wanted().items():
        yield from messages_for(task, rows.filter(lost("asked_at")).order_by("asked_at"))


def take_over() -> int:
    """Let go of what dead workers had in hand, and queue it again; returns how much that was. Four
    queries at most."""
    return take_over_jobs(_wanted())


def _wanted() -> dict[str, QuerySet[Any]]:
    """What a worker is awaited for, by the task that it is."""
    return {
        exports.MAKE: Export.objects.filter(state__in=exports.WANTED),
        imports.ADVANCE: Import.objects.filter(state__in=imports.WORKING),
    }


def tidy() -> int:
    """Delete the files whose time is over, and those of which no row knows; returns how many
    exports, imports and folders that were."""
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
    """Delete a file of an export that was not asked for again meanwhile."""
    state = ExportState.EXPIRED if export.state == ExportState.READY else export.state
    mine = Export.objects.filter(pk=export.pk, file=export.file.name, state=export.state)
    if not mine.update(state=state, file=""):
        return False
    default_storage.delete(str(export.file.name))
    return True
