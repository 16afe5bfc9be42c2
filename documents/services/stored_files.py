"""Stored files of documents: check and repair them, and delete those without a row."""

import hashlib
import logging
from collections.abc import Iterator
from functools import partial
from uuid import UUID

from django.core.files import File
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext

from core.errors import StateConflict, Unavailable
from core.file_stores import delete_quietly
from core.jobs.stored_files import sweep_folders
from documents.content.audiences import audience_of
from documents.content.visible_pictures import are_removed
from documents.models import Document, DocumentKind, DocumentPart, DocumentState
from documents.services.queue import queue_document

logger = logging.getLogger("muster.documents")


def open_file(document: Document) -> File:
    """Return the file of a document, after checking that it is the one that was printed.

    Raises StateConflict (`not-ready`) if there is none yet, or if it is missing, damaged, made for
    other readers or shows a picture that was removed: then it is made again. Raises Unavailable
    (`store-unusable`) if the disk cannot be read.
    """
    if not document.file:
        raise StateConflict(
            "not-ready", gettext("The document is not ready yet. Try again in a moment.")
        )
    if document.audience not in ("", audience_of(DocumentKind(document.kind), document.subject)):
        make_again(document)
        sentence = gettext(
            "Different people can see this now, so Muster is creating the document again. Try "
            "again in a moment."
        )
        raise StateConflict("not-ready", sentence)
    if are_removed(document.pictures):
        make_again(document)
        sentence = gettext(
            "A picture in it was removed or replaced, so Muster is creating the document again. "
            "Try again in a moment."
        )
        raise StateConflict("not-ready", sentence)
    try:
        file: File = document.file.open("rb")
        damage = _damage_in(file, document)
        if not damage:
            file.seek(0)
            return file
        file.close()
    except FileNotFoundError:
        damage = "gone"
    except OSError as error:
        logger.error(
            "The file of a document cannot be read: %s", error, extra={"document": str(document.pk)}
        )
        raise Unavailable(
            "store-unusable", gettext("The disk for documents cannot be read.")
        ) from error
    logger.error(
        "The file of a document is %s: it is made again",
        damage,
        extra={"document": str(document.pk)},
    )
    make_again(document)
    raise StateConflict(
        "not-ready",
        gettext(
            "The file was missing or damaged. Muster is creating it again. Try again in a moment."
        ),
    )


def damage_of(document: Document) -> str:
    """Return the damage of a document's file: "gone", "cut short", "changed", or "" for none.

    Raises OSError if the disk cannot be read. Of a file without a stored hash, only the size is
    checked.
    """
    try:
        with document.file.open("rb") as file:
            return _damage_in(file, document)
    except FileNotFoundError:
        return "gone"


def _damage_in(file: File, document: Document) -> str:
    """Return the damage of an open file. Reads all of it, if it has the right size."""
    if file.size != document.size:
        return "cut short" if file.size < document.size else "changed"
    digest = hashlib.file_digest(file, "sha256").hexdigest() if document.file_hash else ""
    return "changed" if digest != document.file_hash else ""


def is_whole(document: Document) -> bool:
    """Return whether a document has an undamaged file; False if the disk cannot be read."""
    try:
        return bool(document.file) and not damage_of(document)
    except OSError:
        return False


@transaction.atomic
def make_again(document: Document) -> None:
    """Remove a file from its document and queue the document, if that is not yet done."""
    damaged = Document.objects.filter(pk=document.pk, file=document.file.name)
    fields = {
        "file": "",
        "content_hash": "",
        "file_hash": "",
        "asked_at": timezone.now(),
        "due_at": None,
    }
    if damaged.update(**fields):
        idle = Document.objects.filter(pk=document.pk, claimed_by="").exclude(
            state=DocumentState.RENDERING
        )
        idle.update(state=DocumentState.QUEUED, progress=0, failure="", attempts=0)
        queue_document(document.pk)


def damaged_documents() -> Iterator[tuple[Document, str]]:
    """Yield each document with a damaged file, and the damage. Reads all files."""
    for document in Document.objects.exclude(file="").order_by("asked_at", "pk").iterator():
        if damage := damage_of(document):
            yield document, damage


def forget_parts(document_id: UUID) -> None:
    """Delete the parts of a document, and their files after the commit."""
    parts = DocumentPart.objects.filter(document=document_id)
    names = list(parts.exclude(file="").values_list("file", flat=True))
    parts.delete()
    for name in names:
        transaction.on_commit(partial(delete_quietly, name))


def forget_documents(documents: "QuerySet[Document]") -> int:
    """Delete documents, and their files after the commit. Return the number of documents.

    A worker that is printing one of them loses its claim. Members can request them again.
    """
    gone = list(documents.values_list("pk", "file"))
    for document_id, name in gone:
        forget_parts(document_id)
        if name:
            transaction.on_commit(partial(delete_quietly, name))
    Document.objects.filter(pk__in=[document_id for document_id, _ in gone]).delete()
    return len(gone)


def sweep_files() -> int:
    """Delete the folders of documents that have no row, and return their number.

    Recent files are kept, because they may still get a row.
    """
    return sweep_folders("documents", Document.objects.all())
