"""Claims: which worker is working on a job, such as a document, a part of one, or an archive.

A claim is one UPDATE that succeeds for only one worker, on both databases, without a lock during
the work. Each claim has a number (``attempts``). The worker's later writes are conditional on its
claim, so a worker that was thought dead does no harm when it resumes.

A worker renews its claim every few seconds (``core.jobs.running.keep_alive``). A claim that was not
renewed for ``LAPSE`` belongs to a dead worker, and any worker may take it over
(``core.jobs.queue.take_over_jobs``).
"""

from datetime import timedelta
from typing import Any, TypeVar

from django.conf import settings
from django.db.models import F, Model, Q, QuerySet
from django.utils import timezone

from core.models import Job

MAX_ATTEMPTS = 5
"""The number of attempts after which a job counts as failed: it may be what kills its workers."""
LAPSE = timedelta(seconds=40)
"""Four heartbeats. Slow workers have time to renew a claim, and with the clock's interval nobody
waits for a full minute."""

AnyJob = TypeVar("AnyJob", bound=Job)


class ClaimLost(Exception):
    """Another worker has taken the job over. Raise it in a transaction, to roll that back."""


def claim_limit() -> timedelta:
    """Return the longest time that a job can be claimed: by then, the hard time limit has ended it.

    A file of that age that no row refers to can be deleted.
    """
    return timedelta(seconds=settings.CELERY_TASK_TIME_LIMIT + 30)


def expired() -> Q:
    """Match the claimed jobs of dead workers."""
    return ~Q(claimed_by="") & Q(claimed_at__lt=timezone.now() - LAPSE)


def claimable(task: str) -> Q:
    """Match jobs without a claim, or with the claim of a dead worker.

    If the same task arrives again, its first worker has died, so its claim is void.
    """
    same = Q(claimed_by=task) if task else Q()
    return Q(claimed_by="") | expired() | same


def claim_first(rows: "QuerySet[AnyJob]", task: str) -> AnyJob | None:
    """Claim the first job of the query that can be claimed.

    Returns None if there is none, or if another worker claimed it first.
    """
    job = rows.filter(claimable(task)).first()
    return job if job is not None and claim(job, task) else None


def claim(job: Job, task: str) -> bool:
    """Claim a job that was found to be claimable. Return whether this worker now has it.

    Tries once: the quicker worker increases ``attempts``, so the condition of the other one fails.
    """
    now = timezone.now()
    mine = _rows(job).filter(claimable(task), pk=job.pk, attempts=job.attempts)
    if not mine.update(attempts=F("attempts") + 1, claimed_by=task or "unnamed", claimed_at=now):
        return False
    job.attempts, job.claimed_by, job.claimed_at = job.attempts + 1, task or "unnamed", now
    return True


def heartbeat(job: Job, attempts: int, claimed_by: str, **progress: Any) -> None:
    """Renew this claim and save the worker's progress. Does nothing if the claim has ended."""
    claimed = _rows(job).filter(pk=job.pk, attempts=attempts, claimed_by=claimed_by)
    claimed.update(claimed_at=timezone.now(), **progress)


def write(job: Job, *conditions: Q, **fields: Any) -> bool:
    """Write to a claimed job. Return whether the claim and all conditions still held."""
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
