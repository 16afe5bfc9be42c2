"""Who has something in hand that workers make: a document, a part of one, an archive.

A claim is one UPDATE that succeeds for one worker only, on either database, and without holding a lock while the
printer is at work. Each claim has a number (``attempts``); whatever the worker writes later is written on condition
that its claim still stands, so that a worker that was thought dead can do no harm when it wakes up.

Whoever has something in hand renews the claim every few seconds (``documents.services.heartbeat``): a claim that was
not renewed for ``LAPSE`` is that of a dead worker, and anybody may take it over.
"""

from datetime import timedelta
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db.models import F, Q, QuerySet
from django.utils import timezone

from documents.models import Claimable, Document, DocumentPart, DocumentState

MAX_ATTEMPTS = 5
"""How often a document, or a part, is tried before it counts as failed: it may be what kills its workers."""

WANTED = (DocumentState.QUEUED, DocumentState.RENDERING)
LAPSE = timedelta(seconds=40)
"""Four beats of the heart: who is merely slow has time, and with the clock's round nobody waits for a full minute."""
UNFINISHED = Q(number__gt=0, finished_at__isnull=True)
"""Parts that a document waits for; the front matter, number 0, is set when it is bound."""


def claim_limit() -> timedelta:
    """How long anything can be in hand at most: the hard time limit has ended it by then. So old a file is nobody's."""
    return timedelta(seconds=settings.CELERY_TASK_TIME_LIMIT + 30)


def lapsed() -> Q:
    """Rows in the hands of workers that are dead."""
    return ~Q(claimed_by="") & Q(claimed_at__lt=timezone.now() - LAPSE)


def due() -> Q:
    """Documents that need not wait for further changes."""
    return ~Q(state=DocumentState.QUEUED) | Q(due_at=None) | Q(due_at__lte=timezone.now())


def claim_document(document_id: UUID, task: str) -> Document | None:
    """Take a document that is wanted and that nobody has in hand; None if there is nothing to take.

    One that waits for its parts, or for further changes, is not taken.
    """
    document = Document.objects.filter(free(task), due(), state__in=WANTED, pk=document_id).first()
    if document is None or (document.may_have_parts and document.parts.filter(UNFINISHED).exists()):
        return None
    return document if claim(document, task) else None


def claim_part(part_id: int, task: str) -> DocumentPart | None:
    """Take a part that is unfinished and that nobody has in hand; None if there is nothing to take."""
    parts = DocumentPart.objects.select_related("document").filter(finished_at__isnull=True)
    part = parts.filter(free(task), pk=part_id).first()
    return part if part is not None and claim(part, task) else None


def claim(row: Claimable, task: str) -> bool:
    """Take a row that was found to be free: whether this worker has it now.

    One try: whoever is quicker raises the number of attempts, so that the other one's condition fails.
    """
    rows: QuerySet[Any] = type(row)._default_manager.all()
    now = timezone.now()
    mine = rows.filter(free(task), pk=row.pk, attempts=row.attempts)
    if not mine.update(attempts=F("attempts") + 1, claimed_by=task or "unnamed", claimed_at=now):
        return False
    row.attempts, row.claimed_by, row.claimed_at = row.attempts + 1, task or "unnamed", now
    return True


def free(task: str) -> Q:
    """Nobody's, or given up. A task that comes again was in the hands of a worker that died: its claim is void."""
    same = Q(claimed_by=task) if task else Q()
    return Q(claimed_by="") | lapsed() | same


def renew(row: Claimable, attempts: int, claimed_by: str, **progress: Any) -> None:
    """The worker that made this claim is alive, and has come so far. Not what was let go or taken over."""
    rows: QuerySet[Any] = type(row)._default_manager.all()
    rows.filter(pk=row.pk, attempts=attempts, claimed_by=claimed_by).update(claimed_at=timezone.now(), **progress)


def write(row: Claimable, *conditions: Q, **fields: Any) -> bool:
    """Write to a claimed row if the claim still stands; False if somebody else has taken it over, or if one of the
    conditions does not hold."""
    rows: QuerySet[Any] = type(row)._default_manager.all()
    claim = rows.filter(*conditions, pk=row.pk, attempts=row.attempts, claimed_by=row.claimed_by)
    if not claim.update(**fields):
        return False
    for name, value in fields.items():
        setattr(row, name, value)
    return True


def release(row: Claimable, *conditions: Q, **fields: Any) -> bool:
    """Write, and let go of the claim. False if somebody else has taken it over, or if a condition does not hold."""
    return write(row, *conditions, **fields, claimed_by="", claimed_at=None)
