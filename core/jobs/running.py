"""What surrounds the work on a claimed job: signs of life, failures in words, tries again, memory
given back."""

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
from core.jobs.claims import MAX_ATTEMPTS, heartbeat, release
from core.models import Job

TRANSIENT = (OperationalError, InterfaceError, OSError)
"""What may be better in a minute: the database or the disk. The task tries again, a little later
each time."""
BEAT = 10.0
"""Seconds between two heartbeats."""
QUICK_BEAT = 2.0
"""Seconds between two heartbeats that report progress as well: somebody is watching."""

DISK_FULL = gettext_noop("The disk on which documents are kept is full.")
DISK_SHUT = gettext_noop("The folder in which documents are kept cannot be written to.")
DISK_UNUSABLE = gettext_noop("The disk on which documents are kept cannot be used.")
DISK: dict[int | None, str] = {
    errno.ENOSPC: DISK_FULL,
    errno.EDQUOT: DISK_FULL,
    errno.EACCES: DISK_SHUT,
    errno.EPERM: DISK_SHUT,
    errno.EROFS: DISK_SHUT,
}
"""Sentences by the number of an error of the disk; every other number makes it unusable."""

Progress = Callable[[], Mapping[str, Any]]
"""Columns of the job that say how far the worker has come."""
Report = Callable[[str], object]
"""Takes a failure in words."""

logger = logging.getLogger(__name__)


class MemoryHungry(Task):
    """A task after which a worker gives back the memory that it used.

    Pages that were set refer to each other in circles, which Python looks for rarely (``config``
    sets how rarely), and the C library keeps what was freed. A worker grew with every part of a
    book by about 90 MB.
    """

    def after_return(self, *args: Any, **options: Any) -> None:
        """Celery calls this in the worker when the task is over, failed or not."""
        release_memory()


TASK_OPTIONS: dict[str, Any] = {
    "autoretry_for": TRANSIENT,
    "retry_backoff": True,
    "retry_backoff_max": 300,
    "max_retries": 5,
    "acks_late": True,
    "base": MemoryHungry,
}
"""Of every task that works on a job. Time limits are those of all tasks
(``CELERY_TASK_TIME_LIMIT``)."""


def run_job(
    job: Job,
    work: Callable[[], None],
    *,
    fail: Report,
    wait: Report,
    progress: Progress | None = None,
) -> None:
    """Do some work on a claimed job, in the active language. However it ends, the claim ends with
    it.

    ``fail`` ends the claim and keeps a failure in words; ``wait`` keeps what is wrong while it is
    tried again; ``progress`` says how far the work is. Raises what is TRANSIENT after releasing the
    job.
    """
    if job.attempts > MAX_ATTEMPTS:
        tried = gettext(
            "It was tried %(times)s times without success, and is not tried again by itself."
        )
        fail(tried % {"times": MAX_ATTEMPTS})
        return
    try:
        with keep_alive(job, progress):
            work()
    except (OperationalError, InterfaceError):
        release(job)
        raise
    except OSError as error:
        logger.error("The disk for documents, %s, cannot be used: %s", settings.FILES_DIR, error)
        sentence = gettext(DISK.get(error.errno, DISK_UNUSABLE))
        if job.attempts == MAX_ATTEMPTS:
            fail(sentence)
            return
        # The sentence is written while the claim still stands.
        wait(sentence)
        release(job)
        raise
    except SoftTimeLimitExceeded:
        too_long = gettext(
            "It was not finished within %(minutes)s minutes, which is all that a document is given."
        )
        fail(too_long % {"minutes": round(settings.CELERY_TASK_SOFT_TIME_LIMIT / 60)})
    except MusterError as refusal:
        fail("\n".join([refusal.sentence, *(problem.sentence for problem in refusal.problems)]))
    except Exception:
        logger.exception("What was asked for could not be made", extra={"row": str(job.pk)})
        broken = gettext(
            "Something is wrong in Muster itself. Its log knows more under %(number)s."
        )
        fail(broken % {"number": job.pk})


@contextmanager
def keep_alive(job: Job, progress: Progress | None = None) -> Iterator[None]:
    """Renew the claim on a job while the block runs, and write its progress.

    A thread with a connection of its own does this, so that it is seen while the block is still in
    a transaction. A worker that is killed renews nothing, and within a minute another one takes
    over.
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
            # Beats are seconds apart, and mostly there is none: no connection is kept for them.
            connection.close()


def release_memory() -> None:
    """Free what is reachable no more, and hand the freed memory back to the system."""
    gc.collect()
    _trim()(0)


@cache
def _trim() -> Callable[[int], Any]:
    """glibc's ``malloc_trim``; where the C library is another one, nothing is to be done."""
    try:
        trim: Callable[[int], Any] = ctypes.CDLL(None).malloc_trim
    except (AttributeError, OSError, TypeError):
        return lambda _: None
    return trim
