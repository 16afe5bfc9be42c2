"""Stored files of documents: check and repair them, delete those that no row needs any more."""

import hashlib
import logging
from collections.abc import Iterator
from functools import partial
from pathlib import PurePosixPath
from typing import Any
from uuid import UUID

from django.core.files import File
from django.core.files.storage import default_storage
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext

from core.errors import StateConflict, Unavailable
from documents.models import Document, DocumentPart, DocumentState
from documents.services.claims import claim_limit
from documents.services.queueing import queue_document

logger = logging.getLogger("muster.documents")


def hash_of(content: bytes) -> str:
    """Of a file, as it is kept beside its name."""
    return hashlib.sha256(content).hexdigest()


def open_file(document: Document) -> File:
    """The file of a document, proved to be the one that was printed.

    Raises StateConflict ("not-ready") if there is none yet; or if it is gone or damaged, and then it is being made
    again. Raises Unavailable ("store-unusable") if the disk cannot be read.
    """
    if not document.file:
        raise StateConflict("not-ready", gettext("The document is not ready yet. Ask again in a moment."))
    try:
        damage = damage_of(document)
        if not damage:
            file: File = document.file.open("rb")
            return file
    except OSError as error:
        logger.error("The file of a document cannot be read: %s", error, extra={"document": str(document.pk)})
        raise Unavailable("store-unusable", gettext("The disk on which documents are kept cannot be read.")) from error
    logger.error("The file of a document is %s: it is made again", damage, extra={"document": str(document.pk)})
    make_again(document)
    raise StateConflict("not-ready", gettext("The file was gone or damaged. It is made again: ask in a moment."))


def damage_of(document: Document) -> str:
    """What is wrong with the file that a document has: "gone", "cut short" or "changed"; "" if nothing is.

    Raises OSError if the disk cannot be read. A file from before hashes were kept is only measured.
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
    """Whether a document has a file that can be handed out. Not from a disk that cannot be read."""
    try:
        return bool(document.file) and not damage_of(document)
    except OSError:
        return False


@transaction.atomic
def make_again(document: Document) -> None:
    """Take the damaged file away from its document, and have it made again; unless somebody has just done so."""
    damaged = Document.objects.filter(pk=document.pk, file=document.file.name)
    fields = {"file": "", "content_hash": "", "file_hash": "", "asked_at": timezone.now(), "due_at": None}
    if damaged.update(**fields):
        idle = Document.objects.filter(pk=document.pk, claimed_by="").exclude(state=DocumentState.RENDERING)
        idle.update(state=DocumentState.QUEUED, progress=0, failure="", attempts=0)
        queue_document(document.pk)


def damaged_documents() -> Iterator[tuple[Document, str]]:
    """Every document whose file is not what was printed, and what is wrong with it. Reads all files."""
    for document in Document.objects.exclude(file="").order_by("asked_at", "pk").iterator():
        if damage := damage_of(document):
            yield document, damage


def forget_parts(document_id: UUID) -> None:
    """Delete the parts of a document, and their files after the commit."""
    parts = DocumentPart.objects.filter(document=document_id)
    names = list(parts.exclude(file="").values_list("file", flat=True))
    parts.delete()
    transaction.on_commit(partial(_delete, names))


def forget_other_files(kept: str, *, old: str | None) -> None:
    """Delete the file that ``kept`` has replaced, and what dead workers left beside it.

    A file that nobody refers to yet may be that of a worker who is just about to say so: it is left alone until no
    claim can stand any more. Where the file that was replaced had gone, the new one may bear its name.
    """
    folder = PurePosixPath(kept).parent
    _, names = default_storage.listdir(str(folder))
    others = (str(folder / name) for name in names)
    _delete([name for name in others if name != kept and (name == old or _abandoned(name))])


def _abandoned(name: str) -> bool:
    return default_storage.get_modified_time(name) < timezone.now() - claim_limit()


def _delete(names: list[str]) -> None:
    for name in names:
        default_storage.delete(name)


FOLDER = "documents"


def sweep_files() -> int:
    """Delete the folders of documents that have no row; returns how many. A young file may still get its row."""
    return sweep_folders(FOLDER, Document.objects.all())


def sweep_folders(parent: str, rows: QuerySet[Any]) -> int:
    """As ``sweep_files``, for any rows that keep their files in a folder each, under the first two letters of its name.
    A query for each two letters."""
    return sum(_sweep_shelf(f"{parent}/{name}", rows) for name in _folders(parent))


def _sweep_shelf(shelf: str, rows: QuerySet[Any]) -> int:
    """As ``sweep_folders``, for the folders that begin with the same two letters. One query."""
    keys = {name: key for name in _folders(shelf) if (key := _key(name))}
    existing = set(rows.filter(pk__in=keys.values()).values_list("pk", flat=True))
    swept = 0
    for name in (name for name, key in keys.items() if key not in existing):
        files = list(_inside(f"{shelf}/{name}"))
        if not any(_is_young(path) for path, is_file in files if is_file):
            for path, _ in files:
                default_storage.delete(path)
            swept += 1
    return swept


def _inside(folder: str) -> Iterator[tuple[str, bool]]:
    """Everything in a folder and the folder itself, what is inside first, and whether it is a file."""
    folders, files = default_storage.listdir(folder)
    for name in folders:
        yield from _inside(f"{folder}/{name}")
    for name in files:
        yield f"{folder}/{name}", True
    yield folder, False


def _is_young(path: str) -> bool:
    return default_storage.get_modified_time(path) > timezone.now() - claim_limit()


def _folders(parent: str) -> list[str]:
    return sorted(default_storage.listdir(parent)[0]) if default_storage.exists(parent) else []


def _key(name: str) -> UUID | None:
    """The row to which a folder belongs; None for a folder that is not ours."""
    try:
        return UUID(name)
    except ValueError:
        return None
