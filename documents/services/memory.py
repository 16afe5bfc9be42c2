"""Giving memory back after a big piece of work: what a worker keeps, it keeps for good."""

import ctypes
import gc
from collections.abc import Callable
from functools import cache
from typing import Any

from celery import Task


class MemoryHungry(Task):
    """A task after which a worker gives back what it used.

    Pages that were set refer to each other in circles, which Python looks for rarely (``config`` sets how rarely), and
    the C library keeps what was freed. A worker grew with every part of a book by about 90 MB.
    """

    def after_return(self, *args: Any, **options: Any) -> None:
        """Celery calls this in the worker when the task is over, failed or not."""
        release_memory()


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
