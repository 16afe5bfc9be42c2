"""Asking for documents."""

from uuid import UUID

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from documents.content.reading import content_hash, may_see, read_content
from documents.models import Document, DocumentKind, DocumentState, Paper
from documents.services.queueing import queue_document
from warbands.errors import LostRace, NotFound


def request_document(*, user: User, kind: DocumentKind, subject: UUID, paper: Paper = Paper.A4) -> Document:
    """The document of a subject that the user may see: ready if its content has not changed, else queued.

    Asking twice is asking once. Raises NotFound for what is not there or not the user's to see, Refused
    ("nothing-to-print") for a battle without a result.
    """
    if not may_see(user, kind, subject):
        raise NotFound("not-found", "There is no such thing here, or it is not yours to see.")
    content = read_content(kind, subject)
    with transaction.atomic():
        document = _row(kind, subject, paper, user)
        if document.state == DocumentState.READY and document.content_hash == content_hash(content, paper):
            return document
        _want(document)
        queue_document(document.pk)
    return document


def retry_document(*, user: User, document_id: UUID) -> Document:
    """Queue a document that failed, or got stuck in the queue. Raises NotFound, LostRace ("not-failed")."""
    if not Document.objects.visible_to(user).filter(pk=document_id).exists():
        raise NotFound("not-found", "There is no such document, or it is not yours to see.")
    return request_again(document_id)


@transaction.atomic
def request_again(document_id: UUID) -> Document:
    """Queue a document that failed, or got stuck in the queue, whoever asks. Raises LostRace ("not-failed")."""
    document = Document.objects.select_for_update().get(pk=document_id)
    if document.state not in (DocumentState.FAILED, DocumentState.QUEUED):
        raise LostRace("not-failed", "Only a document that failed can be tried again.")
    _want(document)
    queue_document(document.pk)
    return document


def refresh_documents(kind: DocumentKind, subject: UUID) -> list[Document]:
    """Want the documents of a subject anew, on whatever paper there are some, and on A4 in any case.

    A burst of battles does not make a burst of renderings: a message that finds the document done takes nothing.
    """
    with transaction.atomic():
        _row(kind, subject, Paper.A4, None)
        documents = list(Document.objects.select_for_update().filter(kind=kind, subject=subject))
        for document in documents:
            _want(document)
            queue_document(document.pk)
    return documents


def _row(kind: DocumentKind, subject: UUID, paper: Paper, user: User | None) -> Document:
    """The one row of a kind, subject and paper, locked."""
    now = timezone.now()
    Document.objects.get_or_create(
        kind=kind, subject=subject, paper=paper, defaults={"asked_by": user, "asked_at": now}
    )
    return Document.objects.select_for_update().get(kind=kind, subject=subject, paper=paper)


def _want(document: Document) -> None:
    """Note that somebody wants the document. One that a worker has in hand is looked at again when it is done."""
    document.asked_at = timezone.now()
    if document.state != DocumentState.RENDERING and not document.claimed_by:
        document.state, document.progress, document.failure, document.attempts = DocumentState.QUEUED, 0, "", 0
    document.save(update_fields=["asked_at", "state", "progress", "failure", "attempts"])
