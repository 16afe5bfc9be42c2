"""Memory that processes share: what was loaded before they were forked."""

import gc

from core.jobs.running import release_memory

COLLECT_AFTER = 50_000, 20, 100
"""The numbers of new objects, and of earlier collections, after which the garbage collector looks
for cycles. With Python's own numbers (700, 10, 10) it took a twentieth of a request's time."""


def settle_memory() -> None:
    """Free what loading has left behind, and let forks share everything that stays.

    The garbage collector writes to each object that it looks at, and so makes a copy for the
    process: it never looks at these again.
    """
    release_memory()
    gc.freeze()
    gc.set_threshold(*COLLECT_AFTER)
