"""Timeouts of database locks (``LOCK_SECONDS``), and how to recognise them."""

from typing import Any

from django.conf import settings
from django.db import OperationalError

LOCK_NOT_AVAILABLE = "55P03"
"""PostgreSQL's SQLSTATE when ``lock_timeout`` has passed."""
DEADLOCK = "40P01"
"""PostgreSQL's SQLSTATE for one of two transactions that wait for each other. The request succeeds
when it is sent again."""


def is_lock_timeout(error: Exception) -> bool:
    """Return whether the error is a lock timeout or a deadlock."""
    cause = error.__cause__ if isinstance(error, OperationalError) else None
    return getattr(cause, "sqlstate", "") in (
        LOCK_NOT_AVAILABLE,
        DEADLOCK,
    ) or "database is locked" in str(cause)


def set_lock_timeout(connection: Any, **_: Any) -> None:
    """Set the lock timeout of a new PostgreSQL connection. SQLite has it in the settings."""
    if settings.LOCK_SECONDS and connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(f"SET lock_timeout = {settings.LOCK_SECONDS * 1000:d}")
