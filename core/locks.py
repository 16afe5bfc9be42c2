"""How long anybody waits for a lock of the database (``LOCK_SECONDS``), and how one knows that it
was in vain."""

from typing import Any

from django.conf import settings
from django.db import OperationalError

LOCK_NOT_AVAILABLE = "55P03"
"""Of PostgreSQL, when ``lock_timeout`` is over."""
DEADLOCK = "40P01"
"""Of PostgreSQL, for one of two transactions that wait for each other. Sent again, the request is
carried out."""


def is_lock_timeout(error: Exception) -> bool:
    """Whether a lock was waited for in vain."""
    cause = error.__cause__ if isinstance(error, OperationalError) else None
    return getattr(cause, "sqlstate", "") in (
        LOCK_NOT_AVAILABLE,
        DEADLOCK,
    ) or "database is locked" in str(cause)


def set_lock_timeout(connection: Any, **_: Any) -> None:
    """On each new connection: wait so long for a lock and no longer. SQLite has it from the
    settings."""
    if settings.LOCK_SECONDS and connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(f"SET lock_timeout = {settings.LOCK_SECONDS * 1000:d}")
