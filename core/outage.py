"""Detect outages of the database: stopped, starting, full, read-only or out of connections.

The only remedy is to wait, so requests get 503 with ``Retry-After`` instead of a fault, and the log
gets one line every few seconds instead of a traceback for each request.
"""

import logging
import sqlite3

from django.db import Error, InterfaceError, OperationalError
from psycopg.errors import ConnectionTimeout

from core.cache import Breaker

STATES = ("08", "53", "57P", "58", "25006")
"""Prefixes of SQLSTATE: connection, resources (disk, memory, connections), shutdown and start,
system, read-only."""
UNDEFINED_TABLE = "42P01"
FILE_STATES = frozenset(
    (
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_NOMEM,
    )
)

logger = logging.getLogger("muster.database")
silent_database = Breaker()
"""Open while requests skip PostgreSQL, because a connection has just timed out."""
_logged = Breaker()


def is_outage(error: BaseException | None) -> bool:
    """Return whether the error means that the database is currently unavailable."""
    if not isinstance(error, Error):
        return False
    cause = error.__cause__
    if isinstance(cause, sqlite3.Error):
        # The lower eight bits are the kind of error, the others are details.
        return getattr(cause, "sqlite_errorcode", 0) & 0xFF in FILE_STATES
    state = getattr(cause, "sqlstate", None)
    if state:
        return str(state).startswith(STATES)
    # No state: PostgreSQL did not answer, the connection failed or was lost.
    return hasattr(cause, "sqlstate") and isinstance(error, OperationalError | InterfaceError)


def lacks_table(error: BaseException) -> bool:
    """Return whether a table is missing, which means that migrations were not applied."""
    cause = error.__cause__
    return getattr(cause, "sqlstate", None) == UNDEFINED_TABLE or str(cause).startswith(
        "no such table"
    )


def note_outage(
    error: BaseException, consequence: str = "requests are answered with 503 until it can"
) -> None:
    """Log an outage, unless one was logged moments ago.

    After a connection timeout, other requests skip the database for a few seconds.
    """
    if isinstance(error.__cause__, ConnectionTimeout):
        silent_database.trip()
    if not _logged.is_open:
        _logged.trip()
        logger.error("The database cannot be used: %s (%s)", consequence, reason_of(error))


def reason_of(error: BaseException) -> str:
    """Return the message of the database or its driver on one line."""
    return " ".join(str(error).split())
