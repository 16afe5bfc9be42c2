"""Circuit breakers, which skip a server for a few seconds after a failure, and what the cache can
do."""

import time
from datetime import timedelta
from uuid import uuid4

from django.core.cache import cache

LEFT_ALONE = timedelta(seconds=5)


class Breaker:
    """A circuit breaker for a server that may not answer.

    The threads of a process share it. Without a lock, two of them may wait at worst.
    """

    def __init__(self) -> None:
        self._asked_again_at = 0.0

    @property
    def is_open(self) -> bool:
        """True while the server is skipped because it has just failed to answer."""
        return time.monotonic() < self._asked_again_at

    def trip(self) -> None:
        """Skip the server for a few seconds because it did not answer."""
        self._asked_again_at = time.monotonic() + LEFT_ALONE.total_seconds()

    def reset(self) -> None:
        """Use the server again at once."""
        self._asked_again_at = 0.0


def counting() -> bool:
    """Return whether counters work, which they do not while Redis is down. Writes a test key."""
    trial = f"counting-{uuid4().hex}"
    cache.set(trial, True, 10)
    return cache.get(trial) is True
