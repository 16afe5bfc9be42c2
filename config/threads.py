"""The threads of a web server's process."""

import logging
import threading
import time
from collections import deque
from collections.abc import Callable
from queue import SimpleQueue
from typing import Protocol

logger = logging.getLogger(__name__)


class Task(Protocol):
    """A request that is here as a whole."""

    def service(self) -> None:
        """Answer it."""

    def cancel(self) -> None:
        """Drop it: nobody will answer it any more."""


FRAME_SLOTS = 32 * 1024
"""The size of the frame below every request, in slots of 8 bytes."""


def with_room_for_frames(function: Callable[..., object], *arguments: object) -> None:
    """Call a function, with room for the frames of all that it calls.

    CPython keeps the frames of a thread in chunks of 16 KB and unmaps a chunk as soon as its last
    frame returns. Where calls go up and down across the end of a chunk, each of them maps and
    unmaps memory: hundreds of times for a page, a fifth to a third of its processor time, and which
    pages it hits depends on how deep they are called. A frame that does not fit gets a chunk of
    twice its size: behind this one there are 250 KB, about 1,000 calls deep.
    """
    function(*arguments)


# The size of its stack of operands makes the frame large; nothing is written there, so it takes no
# memory.
with_room_for_frames.__code__ = with_room_for_frames.__code__.replace(co_stacksize=FRAME_SLOTS)


class Threads:
    """Runs tasks in at most so many threads. Of the idle threads, the one that worked last takes
    the next task.

    Each thread has a database connection of its own, and PostgreSQL prepares what a connection asks
    again and again. waitress wakes the thread that has been idle longest, so all connections share
    the requests, and all of them plan the same statements: under light load a page took up to twice
    the processor time. This is what waitress calls a dispatcher.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._lock = threading.Lock()
        self._started: list[threading.Thread] = []
        self._idle: list[SimpleQueue[Task | None]] = []
        self._waiting: deque[Task] = deque()
        self._ended = False

    def add_task(self, task: Task) -> None:
        """Have the task done by an idle thread, by a new one, or by the first that has time."""
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
        """End the threads: those that work finish their task, for at most so many seconds. What
        waits is cancelled."""
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
                # As waitress does: whatever a request raises, the thread goes on.
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
