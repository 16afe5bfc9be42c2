"""The connection to PostgreSQL.

A request for an unchanged page makes two statements. By default, Django asks the server before the
first one whether it answers. If ``planned_once`` also changed a setting before and after the second
one, that would take longer than the page. So the server is asked once in a few seconds, and the
setting stays as it is until a statement needs the other one.
"""

import select
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from django.db import InternalError
from django.db.backends.postgresql import base

ASK_SECONDS = 5
"""The time after which a connection that seems to be open is checked again."""
BY_COST, ONCE = "auto", "force_generic_plan"
"""The values of ``plan_cache_mode``: plan again if it seems to be worth it, or once."""


class DatabaseWrapper(base.DatabaseWrapper):
    """Django's connection, which checks itself less often and changes its plan mode late."""

    health_check_enabled: bool
    health_check_done: bool

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.plan_mode: str | None = BY_COST
        """The value of ``plan_cache_mode``; None after a rollback, which may have reset it."""
        self.is_planning_once = False
        self.checked_at = 0.0

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        """Return a new connection of psycopg."""
        self.plan_mode, self.checked_at = BY_COST, time.monotonic()
        return super().get_new_connection(conn_params)

    def close_if_health_check_failed(self) -> None:
        """Close a connection that does not work, before the first statement of a request."""
        if self.connection is None or not self.health_check_enabled or self.health_check_done:
            return
        now = time.monotonic()
        if now < self.checked_at + ASK_SECONDS and not self._has_news():
            self.health_check_done = True
            return
        self.checked_at = now
        super().close_if_health_check_failed()

    def _has_news(self) -> bool:
        """Return whether the server has sent something, such as the end of the connection."""
        poll = select.poll()
        poll.register(self.connection.fileno(), select.POLLIN)
        return bool(poll.poll(0))

    def create_cursor(self, name: str | None = None) -> Any:
        """Return a cursor, whose statements are planned by their cost outside ``planning_once``."""
        if not self.is_planning_once:
            self._set_plan_mode(BY_COST)
        return super().create_cursor(name)

    @contextmanager
    def planning_once(self) -> Iterator[None]:
        """Plan each statement once, at its first use. See ``core.prepared_statements``."""
        self.close_if_health_check_failed()
        self.ensure_connection()
        self._set_plan_mode(ONCE)
        opened, before = self.connection, self.is_planning_once
        # Prepare at the first use. By default psycopg does so at the sixth, after five plans.
        threshold, opened.prepare_threshold = opened.prepare_threshold, 0
        self.is_planning_once = True
        try:
            yield
        finally:
            self.is_planning_once = before
            opened.prepare_threshold = threshold

    def _set_plan_mode(self, mode: str) -> None:
        if self.plan_mode == mode:
            return
        # A failed transaction accepts no statement, and its rollback resets the mode.
        with suppress(InternalError), self.wrap_database_errors:
            self.connection.execute(f"SET plan_cache_mode = {mode}")
            self.plan_mode = mode

    def _rollback(self) -> Any:
        self.plan_mode = None
        return super()._rollback()  # type: ignore[misc]

    def _savepoint_rollback(self, sid: str) -> None:
        super()._savepoint_rollback(sid)  # type: ignore[misc]
        self.plan_mode = None
