"""The child processes of a worker."""

from threading import Event
from typing import Any

from billiard.pool import Pool, Supervisor
from celery.concurrency import prefork


class LastingSupervisor(Supervisor):
    """The thread that replaces child processes. It lasts as long as the worker.

    Linux kills the children of a worker when the thread that forked them ends (Celery asks it to).
    billiard's own thread ends before the children have finished, so their tasks were lost when the
    worker stopped, and it waited for their results for ten seconds.
    """

    def __init__(self, pool: Any) -> None:
        super().__init__(pool)
        self._has_finished = Event()

    def body(self) -> None:
        """Replace children until the pool is closed, then wait for the end of the process."""
        try:
            super().body()
        finally:
            self._has_finished.set()
        Event().wait()

    def stop(self, timeout: float | None = None) -> None:
        """Wait until no more children are replaced."""
        self._has_finished.wait(timeout)


class BlockingPool(Pool):
    """The pool for a queue without an event loop, such as the queue of files."""

    Supervisor = LastingSupervisor


class TaskPool(prefork.TaskPool):
    """Celery's pool, with children that finish their tasks when the worker stops."""

    BlockingPool = BlockingPool
