"""Prepared statements, which PostgreSQL plans once for each connection.

``prepare_threshold`` (config.settings) turns them on. But PostgreSQL still plans a prepared
statement again for each execution, as long as it expects that a plan for the actual values is
faster. Planning a long statement over many tables takes ten times as long as running it, so such
statements get one plan for all values (``planned_once``).
"""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from django.db.backends.utils import CursorWrapper
from psycopg.errors import InFailedSqlTransaction

MAX_PREPARED = 500
"""The number of prepared statements that a connection keeps. The pages use more than psycopg's
default of 100."""


def keep_more_statements(connection: Any, **_: Any) -> None:
    """Set the number of prepared statements of a new connection. Receives `connection_created`."""
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
        # Prepare at the first use. By default psycopg does so at the sixth, after five plans.
        threshold, opened.prepare_threshold = opened.prepare_threshold, 0
        try:
            yield cursor
        finally:
            opened.prepare_threshold = threshold
            # A failed transaction accepts no statement; its rollback undoes the first SET.
            with suppress(InFailedSqlTransaction):
                opened.execute("SET plan_cache_mode = auto")


def is_prepared(connection: Any) -> bool:
    """Return whether a connection prepares the statements that it repeats."""
    options = connection.settings_dict.get("OPTIONS", {})
    return connection.vendor == "postgresql" and bool(options.get("prepare_threshold"))
