"""A worker shows that it is alive while it has something in hand: what it makes may take minutes.

A thread beside the printer renews the claim. Whoever is killed renews nothing, and within a minute somebody else takes
over (``documents.services.sweeping``).
"""

import logging
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from threading import Event, Thread
from typing import Any

from django.db import Error, connection
from django.utils import timezone

from documents.models import Claimable
from documents.services.claims import renew

BEAT = 10.0
"""Seconds."""
QUICK_BEAT = 2.0
"""Seconds, of a heart that tells progress as well: somebody looks on."""

Progress = Callable[[], Mapping[str, Any]]
"""Columns of the row that tell how far the worker has come."""

logger = logging.getLogger("muster.documents")


@contextmanager
def heartbeat(row: Claimable, progress: Progress | None = None) -> Iterator[None]:
    """Renew the claim on a row while the block runs, and tell its progress: by a connection of its own, so that it is
    seen while the block is still in a transaction."""
    done = Event()
    claimed = (row.attempts, row.claimed_by)
    thread = Thread(target=_beat, args=(row, *claimed, done, progress), name="heartbeat", daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


def _beat(row: Claimable, attempts: int, claimed_by: str, done: Event, progress: Progress | None) -> None:
    while not done.wait(QUICK_BEAT if progress else BEAT):
        try:
            renew(row, attempts, claimed_by, **(progress() if progress else {}))
        except Error:
            logger.warning("A claim could not be renewed at %s: the database does not answer", timezone.now())
        finally:
            # Beats are seconds apart, and mostly there is none: no connection is kept for them.
            connection.close()
