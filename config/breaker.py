"""A server that does not answer is left alone for a moment, so that it costs one wait and not one for each question."""

import time
from datetime import timedelta

LEFT_ALONE = timedelta(seconds=5)


class Breaker:
    """Whether it makes sense to ask a server. Shared by the threads of a process; at worst two of them wait."""

    def __init__(self) -> None:
        self._asked_again_at = 0.0

    @property
    def is_open(self) -> bool:
        """True while the server is left alone, since it has just failed to answer."""
        return time.monotonic() < self._asked_again_at

    def trip(self) -> None:
        """The server did not answer: leave it alone for a moment."""
        self._asked_again_at = time.monotonic() + LEFT_ALONE.total_seconds()

    def reset(self) -> None:
        """Ask it again at once."""
        self._asked_again_at = 0.0
