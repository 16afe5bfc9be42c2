"""Making documents. Every function here may be run twice, twice at once, or die half way."""

import logging
from collections.abc import Callable
from typing import Any
from uuid import UUID

from celery.exceptions import SoftTimeLimitExceeded
from django.conf import settings
from django.core.files.base import ContentFile
from django.db import OperationalError, transaction
from django.db.models import F
from django.utils import timezone

from documents.content.plans import plans
from documents.content.reading import content_hash, read_content
from documents.languages import speaking
from documents.models import Document, DocumentKind, DocumentPart, DocumentState
from documents.printing import Printed, markup, typeset
from documents.services.claims import MOST_ATTEMPTS, Row, claim_document, claim_part, release, write
from documents.services.files import forget_other_files, forget_parts
from documents.services.parts import bind_parts, make_part, split
from documents.services.queueing import queue_document
from warbands.errors import MusterError

TRANSIENT = (OperationalError, OSError)
"""What may be better in a minute: the database or the disk. The task tries again, a little later each time."""

logger = logging.getLogger(__name__)


def render_document(document_id: UUID, *, task: str = "") -> None:
    """Take a wanted document one step on: render it, split it into parts, or bind parts that are all there.

    ``task`` names the message that asks for it. Raises what is TRANSIENT after letting go of the document; every other
    failure is written to the document in words.
    """
    document = claim_document(document_id, task)
    if document is not None:
        _guarded(document, lambda: _advance(document))


def render_part(part_id: int, *, task: str = "") -> None:
    """Render a part that nobody has in hand. Raises and fails as ``render_document`` does."""
    part = claim_part(part_id, task)
    if part is not None:
        _guarded(part, lambda: make_part(part))


def _guarded(row: Row, work: Callable[[], None]) -> None:
    """Do some work on a claimed row; see to it that the claim ends and that a failure is told."""
    if row.attempts > MOST_ATTEMPTS:
        _fail(row, f"It was tried {MOST_ATTEMPTS} times without success, and is not tried again by itself.")
        return
    try:
        with speaking(row.document.language if isinstance(row, DocumentPart) else row.language):
            work()
    except TRANSIENT:
        release(row)
        raise
    except SoftTimeLimitExceeded:
        minutes = round(settings.CELERY_TASK_SOFT_TIME_LIMIT / 60)
        _fail(row, f"It was not finished within {minutes} minutes, which is all that a document is given.")
    except MusterError as refusal:
        _fail(row, refusal.sentence)
    except Exception:
        number = _document_of(row)
        logger.exception("A document could not be made", extra={"document": str(number)})
        _fail(row, f"Something is wrong in Muster itself. Its log knows more under {number}.")


def _fail(row: Row, sentence: str) -> None:
    """Tell whoever asked why there is no document. What was made of it so far is thrown away; an older file stays."""
    told = {"state": DocumentState.FAILED, "failure": sentence, "finished_at": timezone.now()}
    with transaction.atomic():
        if not release(row):
            return
        unfinished = Document.objects.filter(state__in=(DocumentState.QUEUED, DocumentState.RENDERING))
        unfinished.filter(pk=_document_of(row)).update(**told)
        forget_parts(_document_of(row))


def _document_of(row: Row) -> UUID:
    return row.document_id if isinstance(row, DocumentPart) else row.pk


def _advance(document: Document) -> None:
    cover = document.parts.filter(number=0).first() if document.may_have_parts else None
    if cover is None:
        _begin(document)
    else:
        _finish(document, bind_parts(document), cover.content_hash, bound=True)


def _begin(document: Document) -> None:
    """Read the content and render it, if it is new."""
    started_at = timezone.now()
    content = read_content(DocumentKind(document.kind), document.subject, document.chosen)
    digest = content_hash(content, document.paper, document.language)
    if digest == document.content_hash and document.file:
        _close(document, {"started_at": started_at})
        return
    begun = {"state": DocumentState.RENDERING, "started_at": started_at, "progress": 15}
    if not write(document, title=content.title[:200], **begun):
        return
    todo = plans(content)
    if len(todo) > 1:
        split(document, todo, digest)
    else:
        _finish(document, typeset(markup(todo[0]), paper=document.paper, identifier=digest[:32]), digest)


def _finish(document: Document, printed: Printed, digest: str, *, bound: bool = False) -> None:
    """Put the file in its place, then the row; the older files, and bound parts, go when that is committed."""
    file, old = document.file, document.file.name
    name = file.field.generate_filename(document, f"{document.attempts}-{digest[:16]}.pdf")
    stored = file.storage.save(name, ContentFile(printed.pdf))
    fields = {"file": stored, "content_hash": digest, "pages": printed.pages, "size": len(printed.pdf)}
    if _close(document, fields, bound=bound):
        forget_other_files(stored, old=old)
    else:
        file.storage.delete(stored)


def _close(document: Document, fields: dict[str, Any], *, bound: bool = False) -> bool:
    """The document is ready; or wanted anew, if somebody asked after its content was read. False: the claim is lost."""
    with transaction.atomic():
        ready = {"state": DocumentState.READY, "progress": 100, "failure": "", "finished_at": timezone.now()}
        if not release(document, **fields, **ready, attempts=0):
            return False
        if bound:
            forget_parts(document.pk)
        stale = Document.objects.filter(pk=document.pk, asked_at__gt=F("started_at"))
        if stale.update(state=DocumentState.QUEUED):
            queue_document(document.pk)
    return True
