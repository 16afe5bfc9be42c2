"""Prepared statements: PostgreSQL plans a statement once for each connection.

Django asks for them by ``prepare_threshold`` (config.settings). PostgreSQL then still plans a
statement for its values as long as it expects a faster plan that way. For a long statement over
many tables, planning takes ten times as long as running it.
"""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from django.db.backends.utils import CursorWrapper
from psycopg.errors import InFailedSqlTransaction

MAX_PREPARED = 500
"""The number of statements that a connection keeps prepared; psycopg's own limit of 100 is less
than the pages use."""


def keep_more_statements(connection: Any, **_: Any) -> None:
    """Set the number of prepared statements of a new connection. Receives a signal."""
    if is_prepared(connection):
        connection.connection.prepared_max = MAX_PREPARED


@contextmanager
def planned_once(connection: Any) -> Iterator[CursorWrapper]:
    """Yield a cursor whose statements PostgreSQL plans once, whatever their values.

    Use it for long statements that find few rows by keys, for which the values do not matter. It
    has no effect on SQLite, or behind a pooler.
    """
    with connection.cursor() as cursor:
        if not is_prepared(connection):
            yield cursor
            return
        # The settings are for the connection, so they must not last longer than these statements.
        opened = connection.connection
        opened.execute("SET plan_cache_mode = force_generic_plan")
        # psycopg would let PostgreSQL plan it five times before it prepares it.
        threshold, opened.prepare_threshold = opened.prepare_threshold, 0
        try:
            yield cursor
        finally:
            opened.prepare_threshold = threshold
            # In a transaction that has failed, the rollback resets it.
            with suppress(InFailedSqlTransaction):
                opened.execute("SET plan_cache_mode = auto")


def is_prepared(connection: Any) -> bool:
    """Return whether a connection prepares the statements that it repeats."""
    options = connection.settings_dict.get("OPTIONS", {})
    return connection.vendor == "postgresql" and bool(options.get("prepare_threshold"))
