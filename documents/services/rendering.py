"""Render documents. Every function here may be run twice, run twice at once, or be interrupted."""

import time
from collections.abc import Callable
from functools import partial
from importlib import import_module
from typing import Any
from uuid import UUID

from django.conf import settings
from django.core.files.base import ContentFile
from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone

from core.errors import InvalidInput, NotFound
from core.file_stores import delete_quietly
from core.jobs.claims import release, write
from core.jobs.running import run_job
from core.jobs.stored_files import forget_other_files, store_file
from core.signatures import digest as file_digest
from documents.content.audiences import audience_of
from documents.content.documents import AnyContent, ResultCard
from documents.content.print_jobs import plans
from documents.content.registry import content_hash, read_content
from documents.content.visible_pictures import picture_files
from documents.languages import speaking
from documents.models import Document, DocumentKind, DocumentPart, DocumentState
from documents.printing import Printed
from documents.rasters import png_of
from documents.services.parts import (
    bind_parts,
    has_part_files,
    make_part,
    print_in_one_go,
    split,
)
from documents.services.queue import claim_document, claim_part, due, queue_document
from documents.services.quotas import expect_room_for
from documents.services.stored_files import forget_parts, is_whole

Row = Document | DocumentPart
ASKED_BEFORE = Q(asked_at__lte=F("started_at"))
"""Nobody has requested the document since its content was read."""


def render_document(document_id: UUID, *, task: str = "") -> None:
    """Do the next step of a document: render it, split it into parts, or merge finished parts.

    ``task`` is the id of the message that asks for it. Transient errors are raised after the
    document is released. All other failures are written to the document as text.
    """
    document = claim_document(document_id, task)
    if document is not None:
        _run(document, lambda: _advance(document))


def render_part(part_id: int, *, task: str = "") -> None:
    """Render a part that no worker has claimed. Raises and fails as ``render_document`` does."""
    part = claim_part(part_id, task)
    if part is not None:
        _run(part, lambda: make_part(part))


def _run(row: Row, work: Callable[[], None]) -> None:
    """Run some work on a claimed row, in the language of its document."""
    started = time.perf_counter()
    with speaking(_language_of(row)):
        run_job(row, work, fail=partial(_fail, row), wait=partial(_wait, row))
    if settings.METRICS_TOKEN:
        import_module("core.metrics").document_made(_kind_of(row), time.perf_counter() - started)


def _wait(row: Row, failure: str) -> None:
    """Store on the document why it was not made and will be tried again."""
    Document.objects.filter(pk=_document_of(row)).update(failure=failure)


def _kind_of(row: Row) -> str:
    return row.document.kind if isinstance(row, DocumentPart) else row.kind


def _language_of(row: Row) -> str:
    return row.document.language if isinstance(row, DocumentPart) else row.language


def _fail(row: Row, failure: str) -> None:
    """Store on the document why it failed.

    Delete the parts that are made so far; an older file stays.
    """
    changes = {"state": DocumentState.FAILED, "failure": failure, "finished_at": timezone.now()}
    with transaction.atomic():
        if not release(row):
            return
        unfinished = Document.objects.filter(
            state__in=(DocumentState.QUEUED, DocumentState.RENDERING)
        )
        unfinished.filter(pk=_document_of(row)).update(**changes)
        forget_parts(_document_of(row))


def _document_of(row: Row) -> UUID:
    return row.document_id if isinstance(row, DocumentPart) else row.pk


def _advance(document: Document) -> None:
    cover = document.parts.filter(number=0).first() if document.may_have_parts else None
    if cover is None or not has_part_files(document):
        _begin(document)
    else:
        printed = bind_parts(document)
        _finish(document, printed.pdf, printed.pages, cover.content_hash, bound=True)


def _begin(document: Document) -> None:
    """Read the content and render it, if it has changed or its file is missing or damaged."""
    started_at, kind = timezone.now(), DocumentKind(document.kind)
    # Before the content: if readers change meanwhile, the file is made once more.
    audience = audience_of(kind, document.subject)
    try:
        content = read_content(kind, document.subject, document.chosen)
    except (InvalidInput, NotFound):
        # Nothing to print any more, such as a result after its battle was voided: the old file
        # shows what is no longer so, and may have a name that was deleted with an account.
        _withdraw_file(document)
        raise
    digest = content_hash(content, document.paper, document.language)
    pictures = picture_files(content)
    shows = {"audience": audience, "pictures": pictures}
    if digest == document.content_hash and is_whole(document):
        _close(document, {"started_at": started_at, **shows})
        return
    if document.audience != audience or not {*document.pictures} <= {*pictures}:
        # The old file must not be read while the new one is made: it was made for other readers,
        # or shows a picture that is no longer there.
        _withdraw_file(document)
    begun = {"state": DocumentState.RENDERING, "started_at": started_at, "progress": 15, **shows}
    if not write(document, title=content.title[:200], **begun):
        return
    todo = plans(content)
    if len(todo) > 1:
        split(document, todo, digest)
    else:
        printed = print_in_one_go(todo[0], paper=document.paper, identifier=digest[:32])
        _finish(document, file_of(content, printed), printed.pages, digest)


def _withdraw_file(document: Document) -> None:
    """Remove the file of a claimed document, and delete it after the commit."""
    old = document.file.name
    with transaction.atomic():
        if old and write(document, file="", content_hash="", file_hash="", pages=0, size=0):
            transaction.on_commit(partial(delete_quietly, old))


def file_of(content: AnyContent, printed: Printed) -> bytes:
    """Return the file of a document that is printed in one go: its PDF, or a PNG of its page."""
    if not isinstance(content, ResultCard):
        return printed.pdf
    return png_of(printed.pdf, title=content.title, description=content.description)


def _finish(
    document: Document, file: bytes, pages: int, digest: str, *, bound: bool = False
) -> None:
    """Store the file, then update the row.

    Older files and merged parts are deleted after the commit.
    """
    extension = document.file_type.extension
    old, name = document.file.name, f"{document.attempts}-{digest[:16]}.{extension}"
    fields: dict[str, Any] = {"content_hash": digest, "file_hash": file_digest(file)}
    fields |= {"pages": pages, "size": len(file)}

    @transaction.atomic
    def keep(path: str) -> bool:
        # In the transaction that writes the size, so that two cannot take the same room.
        expect_room_for(document, size=len(file) - document.size)
        return _close(document, {**fields, "file": path}, bound=bound)

    if stored := store_file(document.file, name, ContentFile(file), keep=keep):
        forget_other_files(stored, old=old)


def _shows_newest(document: Document, fields: dict[str, Any]) -> bool:
    """Return whether a file that was just made shows what its document would show now.

    Then what changed while it was made does not concern it.
    """
    kind = DocumentKind(document.kind)
    try:
        content = read_content(kind, document.subject, document.chosen)
    except (InvalidInput, NotFound):
        return False
    digest = content_hash(content, document.paper, document.language)
    audience = audience_of(kind, document.subject)
    return (digest, audience) == (fields["content_hash"], document.audience)


def _close(document: Document, fields: dict[str, Any], *, bound: bool = False) -> bool:
    """Set the document to ready, or queue it again if it was requested after its content was read.

    Return False if the claim is lost.
    """
    ready = {
        "state": DocumentState.READY,
        "progress": 100,
        "failure": "",
        "finished_at": timezone.now(),
    }
    fields = {**fields, **ready, "attempts": 0}
    if not bound and "started_at" not in fields and release(document, ASKED_BEFORE, **fields):
        return True
    with transaction.atomic():
        if not release(document, **fields):
            return False
        if bound:
            forget_parts(document.pk)
        stale = Document.objects.filter(~ASKED_BEFORE, pk=document.pk)
        if not bound and "content_hash" in fields and _shows_newest(document, fields):
            # The row is locked: who changes something from now on postpones it afterwards.
            stale.update(due_at=None)
            return True
        # The periodic task sends a document that waits for further changes.
        if stale.update(state=DocumentState.QUEUED) and stale.filter(due()).exists():
            queue_document(document.pk)
    return True
