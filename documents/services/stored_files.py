"""Stored files of documents: check and repair them, and delete those without a row."""

import hashlib
import logging
from collections.abc import Iterator
from functools import partial
from uuid import UUID

from django.core.files import File
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext

from core.errors import StateConflict, Unavailable
from core.jobs.stored_files import delete_files, sweep_folders
from documents.models import Document, DocumentPart, DocumentState
from documents.services.queue import queue_document

logger = logging.getLogger("muster.documents")


def open_file(document: Document) -> File:
    """Return the file of a document, after checking that it is the one that was printed.

    Raises StateConflict (`not-ready`) if there is none yet, or if it is missing or damaged and is
    being made again. Raises Unavailable (`store-unusable`) if the disk cannot be read.
    """
    if not document.file:
        raise StateConflict(
            "not-ready", gettext("The document is not ready yet. Try again in a moment.")
        )
    try:
        damage = damage_of(document)
        if not damage:
            file: File = document.file.open("rb")
            return file
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
            if file.size != document.size:
                return "cut short" if file.size < document.size else "changed"
            digest = hashlib.file_digest(file, "sha256").hexdigest() if document.file_hash else ""
    except FileNotFoundError:
        return "gone"
    return "changed" if digest != document.file_hash else ""


def is_whole(document: Document) -> bool:
    """Return whether a document has an undamaged file; False if the disk cannot be read."""
    try:
        return bool(document.file) and not damage_of(document)
    except OSError:
        return False


@transaction.atomic
def make_again(document: Document) -> None:
    """Remove a damaged file from its document and queue the document, if that is not yet done."""
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
    transaction.on_commit(partial(delete_files, names))


def sweep_files() -> int:
    """Delete the folders of documents that have no row, and return their number.

    Recent files are kept, because they may still get a row.
    """
    return sweep_folders("documents", Document.objects.all())
