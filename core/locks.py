"""Timeouts of database locks (``LOCK_SECONDS``), and how to recognise them."""

from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.db import OperationalError
from psycopg.pq import TransactionStatus

LOCK_NOT_AVAILABLE = "55P03"
"""PostgreSQL's SQLSTATE when ``lock_timeout`` has passed."""
DEADLOCK = "40P01"
"""PostgreSQL's SQLSTATE for one of two transactions that wait for each other. The request succeeds
when it is sent again."""


SQLITE_SECONDS = 20
"""The time that SQLite waits for a lock if nothing limits it."""


def is_lock_timeout(error: Exception) -> bool:
    """Return whether the error is a lock timeout or a deadlock."""
    cause = error.__cause__ if isinstance(error, OperationalError) else None
    return getattr(cause, "sqlstate", "") in (
        LOCK_NOT_AVAILABLE,
        DEADLOCK,
    ) or "database is locked" in str(cause)


def limit_lock_wait(seconds: int) -> None:
    """Wait for locks this long in this process. 0 means no limit, or 20 seconds on SQLite.

    Call it before the first connection.
    """
    settings.LOCK_SECONDS = seconds
    for database in settings.DATABASES.values():
        if "timeout" in database.get("OPTIONS", {}):
            database["OPTIONS"]["timeout"] = seconds or SQLITE_SECONDS


def set_lock_timeout(connection: Any, **_: Any) -> None:
    """Set the lock timeout of a new PostgreSQL connection. SQLite has it in the settings."""
    if not settings.LOCK_SECONDS or connection.vendor != "postgresql":
        return
    if not settings.DATABASE_POOLER:
        with connection.cursor() as cursor:
            cursor.execute(f"SET lock_timeout = {settings.LOCK_SECONDS * 1000:d}")
    elif set_in_transaction not in connection.execute_wrappers:
        connection.execute_wrappers.append(set_in_transaction)


def set_in_transaction(
    execute: Callable[..., Any], sql: Any, params: Any, many: bool, context: Any
) -> Any:
    """Set the timeout at the start of each transaction, before its first statement.

    A pooler gives the next transaction to another connection, with the settings of others.
    Everything that waits for locks is in transactions.
    """
    connection = context["connection"]
    status = connection.connection.info.transaction_status
    if connection.in_atomic_block and status == TransactionStatus.IDLE:
        with connection.connection.cursor() as cursor:
            cursor.execute(f"SET LOCAL lock_timeout = {settings.LOCK_SECONDS * 1000:d}")
    return execute(sql, params, many, context)
