"""The threads of a web process."""

import logging
import threading
import time
from collections import deque
from collections.abc import Callable
from queue import SimpleQueue
from typing import Protocol

logger = logging.getLogger(__name__)


class Task(Protocol):
    """A request that has arrived completely."""

    def service(self) -> None:
        """Answer the request."""

    def cancel(self) -> None:
        """Drop the request without an answer."""


FRAME_SLOTS = 32 * 1024
"""The size of the frame below every request, in slots of 8 bytes."""


def with_room_for_frames(function: Callable[..., object], *arguments: object) -> None:
    """Call a function with room for the frames of all its calls.

    CPython keeps the frames of a thread in chunks of 16 KB and unmaps a chunk when its last frame
    returns. If calls cross the end of a chunk up and down, each of them maps and unmaps memory:
    hundreds of times for a page, a fifth to a third of its processor time. Which pages are affected
    depends on the depth of their calls. A frame that does not fit gets a chunk of twice its size:
    this one leaves 250 KB after it, enough for about 1,000 nested calls.
    """
    function(*arguments)


# The large operand stack makes the frame large. Nothing is written to it, so it uses no memory.
with_room_for_frames.__code__ = with_room_for_frames.__code__.replace(co_stacksize=FRAME_SLOTS)


class Threads:
    """A thread pool of limited size: the idle thread that worked last takes the next task.

    In waitress's terms it is a dispatcher. Each thread has its own database connection, and
    PostgreSQL prepares the statements that a connection repeats. waitress wakes the thread that has
    been idle longest, so all connections share the requests and all of them plan the same
    statements: under light load a page took up to twice the processor time.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._lock = threading.Lock()
        self._started: list[threading.Thread] = []
        self._idle: list[SimpleQueue[Task | None]] = []
        self._waiting: deque[Task] = deque()
        self._ended = False

    def add_task(self, task: Task) -> None:
        """Give the task to an idle thread, to a new one, or to the first that becomes free."""
        with self._lock:
            if self._idle:
                self._idle.pop().put(task)
            elif len(self._started) < self._most:
                thread = threading.Thread(
                    target=with_room_for_frames, args=(self._work, task), daemon=True
                )
                self._started.append(thread)
                thread.start()
            else:
                self._waiting.append(task)

    def shutdown(self, *, timeout: float) -> None:
        """End the threads and cancel waiting tasks.

        Running tasks get ``timeout`` seconds to finish.
        """
        with self._lock:
            self._ended = True
            waiting, self._waiting = self._waiting, deque()
            for inbox in self._idle:
                inbox.put(None)
            self._idle.clear()
        for task in waiting:
            task.cancel()
        until = time.monotonic() + timeout
        for thread in self._started:
            thread.join(max(0, until - time.monotonic()))

    def _work(self, first: Task) -> None:
        inbox: SimpleQueue[Task | None] = SimpleQueue()
        task: Task | None = first
        while task is not None:
            try:
                task.service()
            except BaseException:
                # As in waitress, the thread continues whatever error a request raises.
                logger.exception("A request failed outside Django.")
            task = self._next(inbox)

    def _next(self, inbox: SimpleQueue[Task | None]) -> Task | None:
        with self._lock:
            if self._waiting:
                return self._waiting.popleft()
            if self._ended:
                return None
            self._idle.append(inbox)
        return inbox.get()
