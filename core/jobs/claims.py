"""Which worker has a job in hand: a document, a part of one, an archive.

A claim is one UPDATE that succeeds for one worker only, on either database, and without holding a
lock while the work is done. Each claim has a number (``attempts``); whatever the worker writes
later is written on condition that its claim still stands, so that a worker that was thought dead
can do no harm when it wakes up.

A worker renews its claim every few seconds (``core.jobs.running.keep_alive``): a claim that was not
renewed for ``LAPSE`` is that of a dead worker, and anybody may take it over
(``core.jobs.queue.take_over_jobs``).
"""

from datetime import timedelta
from typing import Any, TypeVar

from django.conf import settings
from django.db.models import F, Model, Q, QuerySet
from django.utils import timezone

from core.models import Job

MAX_ATTEMPTS = 5
"""How often a job is tried before it counts as failed: it may be what kills its workers."""
LAPSE = timedelta(seconds=40)
"""Four heartbeats: a slow worker has time, and with the clock's round nobody waits for a full
minute."""

AnyJob = TypeVar("AnyJob", bound=Job)


class ClaimLost(Exception):
    """Another worker has taken the job over. Raised within a transaction, so that nothing of it is
    kept."""


def claim_limit() -> timedelta:
    """Return the longest time that a job can be in hand: the hard time limit has ended it by then.

    A file of that age that no row refers to belongs to nobody.
    """
    return timedelta(seconds=settings.CELERY_TASK_TIME_LIMIT + 30)


def expired() -> Q:
    """Match jobs in the hands of dead workers."""
    return ~Q(claimed_by="") & Q(claimed_at__lt=timezone.now() - LAPSE)


def claimable(task: str) -> Q:
    """Match jobs that nobody has in hand, or only a dead worker.

    A task that comes again was in the hands of a worker that died: its claim is void.
    """
    same = Q(claimed_by=task) if task else Q()
    return Q(claimed_by="") | expired() | same


def claim_first(rows: "QuerySet[AnyJob]", task: str) -> AnyJob | None:
    """Claim the job that the query finds; None if there is nothing to claim, or another worker was
    quicker."""
    job = rows.filter(claimable(task)).first()
    return job if job is not None and claim(job, task) else None


def claim(job: Job, task: str) -> bool:
    """Claim a job that was found to be claimable. Return whether this worker has it now.

    One try: the quicker worker raises the number of attempts, so that the condition of the other
    one fails.
    """
    now = timezone.now()
    mine = _rows(job).filter(claimable(task), pk=job.pk, attempts=job.attempts)
    if not mine.update(attempts=F("attempts") + 1, claimed_by=task or "unnamed", claimed_at=now):
        return False
    job.attempts, job.claimed_by, job.claimed_at = job.attempts + 1, task or "unnamed", now
    return True


def heartbeat(job: Job, attempts: int, claimed_by: str, **progress: Any) -> None:
    """Note that the worker that made this claim is alive, and its progress. A claim that has ended
    stays so."""
    claimed = _rows(job).filter(pk=job.pk, attempts=attempts, claimed_by=claimed_by)
    claimed.update(claimed_at=timezone.now(), **progress)


def write(job: Job, *conditions: Q, **fields: Any) -> bool:
    """Write to a claimed job. False if another worker has taken it over, or if one of the
    conditions does not hold."""
    claimed = _rows(job).filter(
        *conditions, pk=job.pk, attempts=job.attempts, claimed_by=job.claimed_by
    )
    if not claimed.update(**fields):
        return False
    for name, value in fields.items():
        setattr(job, name, value)
    return True


def release(job: Job, *conditions: Q, **fields: Any) -> bool:
    """Write as ``write`` does, and end the claim in the same statement."""
    return write(job, *conditions, **fields, claimed_by="", claimed_at=None)


def _rows(job: Model) -> QuerySet[Any]:
    return type(job)._default_manager.all()
