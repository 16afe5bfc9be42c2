"""Run a claimed job: heartbeats, failures as sentences, retries, and freeing memory."""

import ctypes
import errno
import gc
import logging
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from threading import Event, Thread
from typing import Any

from celery import Task
from celery.exceptions import SoftTimeLimitExceeded
from django.conf import settings
from django.db import Error, InterfaceError, OperationalError, connection
from django.utils import timezone
from django.utils.translation import gettext, gettext_noop

from core.errors import MusterError
from core.file_stores import StoreError
from core.jobs.claims import MAX_ATTEMPTS, heartbeat, release
from core.models import Job

TRANSIENT = (OperationalError, InterfaceError, OSError)
"""Errors of the database or disk that may be gone in a minute. The task retries after growing
delays."""
BEAT = 10.0
"""Seconds between two heartbeats."""
QUICK_BEAT = 2.0
"""Seconds between two heartbeats that also report progress, because a user is watching."""

DISK_FULL = gettext_noop("The disk for documents is full.")
DISK_SHUT = gettext_noop("Muster cannot write to the folder for documents.")
DISK_UNUSABLE = gettext_noop("The disk for documents cannot be used.")
STORE_SILENT = gettext_noop("The file store does not answer.")
DISK: dict[int | None, str] = {
    errno.ENOSPC: DISK_FULL,
    errno.EDQUOT: DISK_FULL,
    errno.EACCES: DISK_SHUT,
    errno.EPERM: DISK_SHUT,
    errno.EROFS: DISK_SHUT,
}
"""Sentences by the errno of a disk error. All other numbers get ``DISK_UNUSABLE``."""

Progress = Callable[[], Mapping[str, Any]]
"""A function that returns the columns of the job that report progress."""
Report = Callable[[str], object]
"""A function that takes a failure as a sentence."""

logger = logging.getLogger(__name__)


class MemoryHungry(Task):
    """A task after which the worker frees the memory that it used.

    The pages of a document refer to each other in cycles, which Python seldom collects (``config``
    sets how seldom), and the C library keeps freed memory. Without this, a worker grew by about
    90 MB with every part of a book.
    """

    def after_return(self, *args: Any, **options: Any) -> None:
        """Free memory. Celery calls this in the worker after the task, also after a failure."""
        release_memory()


TASK_OPTIONS: dict[str, Any] = {
    "autoretry_for": TRANSIENT,
    "retry_backoff": True,
    "retry_backoff_max": 300,
    "max_retries": 5,
    "acks_late": True,
    "base": MemoryHungry,
}
"""Options of every task that works on a job. The time limits apply to all tasks
(``CELERY_TASK_TIME_LIMIT``)."""


def run_job(
    job: Job,
    work: Callable[[], None],
    *,
    fail: Report,
    wait: Report,
    progress: Progress | None = None,
) -> None:
    """Run the work of a claimed job in the active language, and end the claim in every case.

    ``fail`` ends the claim and stores a failure as a sentence. ``wait`` stores the current problem
    before a retry. ``progress`` returns the progress of the work. Raises errors of TRANSIENT after
    releasing the job.
    """
    if job.attempts > MAX_ATTEMPTS:
        tried = gettext("It failed %(times)s times. Muster will not try again automatically.")
        fail(tried % {"times": MAX_ATTEMPTS})
        return
    try:
        with keep_alive(job, progress):
            work()
    except (OperationalError, InterfaceError):
        release(job)
        raise
    except OSError as error:
        place = f"bucket {settings.S3_BUCKET}" if settings.S3_BUCKET else settings.FILES_DIR
        logger.error("The store for documents, %s, cannot be used: %s", place, error)
        sentence = gettext(
            STORE_SILENT if isinstance(error, StoreError) else DISK.get(error.errno, DISK_UNUSABLE)
        )
        if job.attempts == MAX_ATTEMPTS:
            fail(sentence)
            return
        # Store the sentence while the claim is still held.
        wait(sentence)
        release(job)
        raise
    except SoftTimeLimitExceeded:
        too_long = gettext(
            "It was not finished within %(minutes)s minutes, the limit for a document."
        )
        fail(too_long % {"minutes": round(settings.CELERY_TASK_SOFT_TIME_LIMIT / 60)})
    except MusterError as refusal:
        fail("\n".join([refusal.sentence, *(problem.sentence for problem in refusal.problems)]))
    except Exception:
        logger.exception("What was asked for could not be made", extra={"row": str(job.pk)})
        broken = gettext(
            "This is a fault in Muster. For details, search the server log for %(number)s."
        )
        fail(broken % {"number": job.pk})


@contextmanager
def keep_alive(job: Job, progress: Progress | None = None) -> Iterator[None]:
    """Renew the claim on a job while the block runs, and save its progress.

    A thread with its own connection does this, so that others see it while the block is in a
    transaction. If a worker is killed, nothing renews its claim, and another worker takes over
    within a minute.
    """
    done = Event()
    claimed = (job.attempts, job.claimed_by)
    thread = Thread(
        target=_beat, args=(job, *claimed, done, progress), name="heartbeat", daemon=True
    )
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


def _beat(job: Job, attempts: int, claimed_by: str, done: Event, progress: Progress | None) -> None:
    while not done.wait(QUICK_BEAT if progress else BEAT):
        try:
            heartbeat(job, attempts, claimed_by, **(progress() if progress else {}))
        except Error:
            logger.warning(
                "A claim could not be renewed at %s: the database does not answer", timezone.now()
            )
        finally:
            # Beats are seconds apart and most jobs end before the first, so keep no connection.
            connection.close()


def release_memory() -> None:
    """Free unreachable objects and return freed memory to the operating system."""
    gc.collect()
    _trim()(0)


@cache
def _trim() -> Callable[[int], Any]:
    """Return glibc's ``malloc_trim``, or a function that does nothing with another C library."""
    try:
        trim: Callable[[int], Any] = ctypes.CDLL(None).malloc_trim
    except (AttributeError, OSError, TypeError):
        return lambda _: None
    return trim
