"""Do several things at the same time."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

from django.db import OperationalError, connections

from core.errors import MusterError
from core.locks import is_lock_timeout


def at_once(*actions: Callable[[], Any]) -> list[Any]:
    """Return the result or refusal of each action.

    Each runs in its own thread, and all start together.
    """
    start = Barrier(len(actions))

    def run(action: Callable[[], Any]) -> Any:
        try:
            start.wait(timeout=120)
            try:
                return action()
            except OperationalError as error:
                if not is_lock_timeout(error):
                    raise
                # PostgreSQL aborts one of two transactions that wait for each other. Sent again,
                # it succeeds.
                return action()
        except MusterError as refusal:
            return refusal
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(actions)) as pool:
        return list(pool.map(run, actions))
