"""What workers are awaited for: documents and their parts, which may be claimed and when, and their
messages."""

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
"""Parts that a document waits for; the front matter, number 0, is set when it is bound."""


def due() -> Q:
    """Documents that need not wait for further changes."""
    return ~Q(state=DocumentState.QUEUED) | Q(due_at=None) | Q(due_at__lte=timezone.now())


def claim_document(document_id: UUID, task: str) -> Document | None:
    """Take a document that is wanted and that nobody has in hand; None if there is nothing to take.

    One that waits for its parts, or for further changes, is not taken.
    """
    document = Document.objects.filter(
        claimable(task), due(), state__in=WANTED, pk=document_id
    ).first()
    if document is None or (document.may_have_parts and document.parts.filter(UNFINISHED).exists()):
        return None
    return document if claim(document, task) else None


def claim_part(part_id: int, task: str) -> DocumentPart | None:
    """Take a part that is unfinished and that nobody has in hand; None if there is nothing to
    take."""
    parts = DocumentPart.objects.select_related("document").filter(finished_at__isnull=True)
    return claim_first(parts.filter(pk=part_id), task)


def queue_document(document_id: UUID) -> None:
    """Have a document rendered, or its parts bound, once the present transaction is committed."""
    send_after_commit(RENDER, str(document_id))


def queue_part(part_id: int) -> None:
    """Have a part rendered once the present transaction is committed."""
    send_after_commit(RENDER_PART, part_id)


def sweep_documents() -> int:
    """Queue again what has waited too long; returns how many messages that were. Stops where the
    broker is down."""
    return send_all(_documents() + _parts())


def take_over() -> int:
    """Let go of what dead workers had in hand, and queue it again; returns how much that was. Four
    queries at most."""
    parts = DocumentPart.objects.filter(UNFINISHED)
    return take_over_jobs({RENDER_PART: parts, RENDER: Document.objects.filter(state__in=WANTED)})


def _documents() -> list[Message]:
    """Documents that nobody has in hand, or only a dead worker, and that wait neither for their
    parts nor for further changes. What was postponed has never been sent: it is as soon as it is
    due."""
    unfinished = DocumentPart.objects.filter(UNFINISHED, document=OuterRef("pk"))
    candidates = Document.objects.filter(due(), state__in=WANTED)
    postponed = Q(state=DocumentState.QUEUED, claimed_by="", due_at__isnull=False)
    waiting = candidates.filter(postponed | lost("asked_at"), ~Exists(unfinished))
    return messages_for(RENDER, waiting.order_by("asked_at"))


def _parts() -> list[Message]:
    """Parts of documents that were split a while ago."""
    waiting = DocumentPart.objects.filter(UNFINISHED).filter(lost("document__started_at"))
    return messages_for(RENDER_PART, waiting.order_by("pk"))
