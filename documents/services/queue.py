"""The queue of documents and parts: which ones can be claimed, and the messages to workers."""

from datetime import timedelta
from uuid import UUID

from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from core.jobs.claims import claim, claim_first, claimable
from core.jobs.queue import Message, lost, messages_for, send_after_commit, send_all, take_over_jobs
from documents.models import Document, DocumentPart, DocumentState

RENDER = "documents.tasks.render"
RENDER_PART = "documents.tasks.render_part"

WANTED = (DocumentState.QUEUED, DocumentState.RENDERING)
UNFINISHED = Q(number__gt=0, finished_at__isnull=True)
"""Parts that must be finished first. The front matter, number 0, is set at the merge."""


LONGEST_BEHIND = timedelta(minutes=1)
"""The time that a due summary nobody has requested waits behind documents that somebody has."""


def due() -> Q:
    """Return the condition for documents that need not wait for further changes."""
    return ~Q(state=DocumentState.QUEUED) | Q(due_at=None) | Q(due_at__lte=timezone.now())


def claim_document(document_id: UUID, task: str) -> Document | None:
    """Claim a document that must be made and that no worker has claimed, or return None.

    A document that waits for its parts or for further changes cannot be claimed.
    """
    document = Document.objects.filter(
        claimable(task), due(), state__in=WANTED, pk=document_id
    ).first()
    if document is None or (document.may_have_parts and document.parts.filter(UNFINISHED).exists()):
        return None
    return document if claim(document, task) else None


def claim_part(part_id: int, task: str) -> DocumentPart | None:
    """Claim an unfinished part that no worker has claimed, or return None."""
    parts = DocumentPart.objects.select_related("document").filter(finished_at__isnull=True)
    return claim_first(parts.filter(pk=part_id), task)


def queue_document(document_id: UUID) -> None:
    """Queue a document to be rendered, or its parts to be merged, after the current transaction."""
    send_after_commit(RENDER, str(document_id))


def queue_part(part_id: int) -> None:
    """Queue a part to be rendered after the current transaction."""
    send_after_commit(RENDER_PART, part_id)


def sweep_documents() -> int:
    """Queue again what has waited too long, and return the number of messages.

    Stops if the broker is down.
    """
    return send_all(_documents() + _parts())


def take_over() -> int:
    """Release and queue again what dead workers had claimed, and return the number of jobs.

    At most four queries.
    """
    parts = DocumentPart.objects.filter(UNFINISHED)
    return take_over_jobs({RENDER_PART: parts, RENDER: Document.objects.filter(state__in=WANTED)})


def _documents() -> list[Message]:
    """Return messages for documents that no living worker has claimed.

    Documents that wait for their parts or for further changes are left out. A postponed document
    has never been sent: it is sent when it is due, but soon only if no requested one waits.
    """
    requested = Document.objects.filter(state__in=WANTED, claimed_by="", due_at=None)
    long_due = Q(due_at__lt=timezone.now() - LONGEST_BEHIND)
    unfinished = DocumentPart.objects.filter(UNFINISHED, document=OuterRef("pk"))
    candidates = Document.objects.filter(due(), state__in=WANTED)
    postponed = Q(state=DocumentState.QUEUED, claimed_by="", due_at__isnull=False)
    has_turn = postponed & (long_due | ~Exists(requested)) | ~postponed & lost("asked_at")
    waiting = candidates.filter(has_turn, ~Exists(unfinished))
    return messages_for(RENDER, waiting.order_by("asked_at"))


def _parts() -> list[Message]:
    """Return messages for parts of documents that were split some time ago."""
    waiting = DocumentPart.objects.filter(UNFINISHED).filter(lost("document__started_at"))
    return messages_for(RENDER_PART, waiting.order_by("pk"))
