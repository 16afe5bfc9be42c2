"""Whether the database is away: stopped, starting, full, out of connections, or read-only.

Nobody can do anything about it but wait, so the answer is 503 with ``Retry-After`` instead of a
fault, and the log gets one line every few seconds instead of a traceback for each request.
"""

import logging
import sqlite3

from django.db import Error, InterfaceError, OperationalError
from psycopg.errors import ConnectionTimeout

from core.cache import Breaker

STATES = ("08", "53", "57P", "58", "25006")
"""How SQLSTATE begins: connection, resources (disk, memory, connections), shutdown and start,
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
"""Open while PostgreSQL is left alone, since a connection has just been waited for in vain."""
_logged = Breaker()


def is_outage(error: BaseException | None) -> bool:
    """Return whether the error says that the database cannot be used just now."""
    if not isinstance(error, Error):
        return False
    cause = error.__cause__
    if isinstance(cause, sqlite3.Error):
        # The lower eight bits are the kind, the others say more about it.
        return getattr(cause, "sqlite_errorcode", 0) & 0xFF in FILE_STATES
    state = getattr(cause, "sqlstate", None)
    if state:
        return str(state).startswith(STATES)
    # No state: it was not PostgreSQL that answered, the connection failed or is gone.
    return hasattr(cause, "sqlstate") and isinstance(error, OperationalError | InterfaceError)


def lacks_table(error: BaseException) -> bool:
    """Return whether the error says that a table is missing: nobody has applied the migrations."""
    cause = error.__cause__
    return getattr(cause, "sqlstate", None) == UNDEFINED_TABLE or str(cause).startswith(
        "no such table"
    )


def note_outage(
    error: BaseException, consequence: str = "requests are answered with 503 until it can"
) -> None:
    """Log it, unless that was done a moment ago. After a timeout, other requests do not wait for
    the database."""
    if isinstance(error.__cause__, ConnectionTimeout):
        silent_database.trip()
    if not _logged.is_open:
        _logged.trip()
        logger.error("The database cannot be used: %s (%s)", consequence, reason_of(error))


def reason_of(error: BaseException) -> str:
    """What the database or its driver says, on one line."""
    return " ".join(str(error).split())
