"""Who has a document, or a part of one, in hand.

A claim is one UPDATE that succeeds for one worker only, on either database, and without holding a lock while the
printer is at work. Each claim has a number (``attempts``); whatever the worker writes later is written on condition
that its claim still stands, so that a worker that was thought dead can do no harm when it wakes up.
"""

from datetime import timedelta
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db.models import F, Q, QuerySet
from django.utils import timezone

from documents.models import Document, DocumentPart, DocumentState

MOST_ATTEMPTS = 5
"""How often a document, or a part, is tried before it counts as failed: it may be what kills its workers."""

WANTED = (DocumentState.QUEUED, DocumentState.RENDERING)
UNFINISHED = Q(number__gt=0, finished_at__isnull=True)
"""Parts that a document waits for; the front matter, number 0, is set when it is bound."""

Row = Document | DocumentPart


def claim_limit() -> timedelta:
    """How long a claim stands: nothing runs for longer, since the hard time limit has ended it by then."""
    return timedelta(seconds=settings.CELERY_TASK_TIME_LIMIT + 30)


def claim_document(document_id: UUID, task: str) -> Document | None:
    """Take a document that is wanted and that nobody has in hand; None if there is nothing to take.

    One that waits for its parts is not taken.
    """
    document = Document.objects.filter(_free(task), state__in=WANTED, pk=document_id).first()
    if document is None or (document.may_have_parts and document.parts.filter(UNFINISHED).exists()):
        return None
    return document if _claim(document, task) else None


def claim_part(part_id: int, task: str) -> DocumentPart | None:
    """Take a part that is unfinished and that nobody has in hand; None if there is nothing to take."""
    parts = DocumentPart.objects.select_related("document").filter(finished_at__isnull=True)
    part = parts.filter(_free(task), pk=part_id).first()
    return part if part is not None and _claim(part, task) else None


def _claim(row: Row, task: str) -> bool:
    """One try: whoever is quicker raises the number of attempts, so that the other one's condition fails."""
    rows: QuerySet[Any] = type(row)._default_manager.all()
    now = timezone.now()
    mine = rows.filter(_free(task), pk=row.pk, attempts=row.attempts)
    if not mine.update(attempts=F("attempts") + 1, claimed_by=task or "unnamed", claimed_at=now):
        return False
    row.attempts, row.claimed_by, row.claimed_at = row.attempts + 1, task or "unnamed", now
    return True


def _free(task: str) -> Q:
    """Nobody's, or given up. A task that comes again was in the hands of a worker that died: its claim is void."""
    given_up = Q(claimed_at__lt=timezone.now() - claim_limit())
    same = Q(claimed_by=task) if task else Q()
    return Q(claimed_by="") | given_up | same


def write(row: Row, **fields: Any) -> bool:
    """Write to a claimed row if the claim still stands; False if somebody else has taken it over."""
    rows: QuerySet[Any] = type(row)._default_manager.all()
    claim = rows.filter(pk=row.pk, attempts=row.attempts, claimed_by=row.claimed_by)
    if not claim.update(**fields):
        return False
    for name, value in fields.items():
        setattr(row, name, value)
    return True


def release(row: Row, **fields: Any) -> bool:
    """Write, and let go of the claim. False if somebody else has taken it over."""
    return write(row, **fields, claimed_by="", claimed_at=None)
