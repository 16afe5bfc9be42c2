"""Memory that processes share: what was loaded before they were forked."""

import gc

from core.jobs.running import release_memory


def settle_memory() -> None:
    """Free what loading has left behind, and let forks share everything that stays.

    The garbage collector writes to each object that it looks at, and so makes a copy for the
    process: it never looks at these again.
    """
    release_memory()
    gc.freeze()
