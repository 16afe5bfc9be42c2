"""A read replica: pages are read from it, where nobody can see that it is a moment behind.

Without ``REPLICA_URL`` nothing here is used. With it, a GET or HEAD request of a page reads from
the replica. These read from the primary server:

- requests that write, from their start, and a reading request from its first write on;
- transactions, and so all locks;
- sessions, accounts and tokens: nobody stays signed in because a server is behind;
- a member who has just written, until the replica has what they wrote. The answer to the write has
  the place of the write-ahead log in a cookie, and reading compares it with the replica's place;
- requests with a token, as programs need not keep cookies; tasks and commands;
- everybody, while the replica does not answer, which the log says.

A value that is stored with a version of its rows (``xmin`` is the same on both) must be read from
the same server as that version: `reading_database` names it.
"""

import logging
from collections.abc import Callable
from contextvars import ContextVar
from typing import Any

from django.conf import settings
from django.core.exceptions import MiddlewareNotUsed
from django.db import Error, connections
from django.http import HttpRequest, HttpResponse

from core.cache import Breaker
from core.outage import is_outage, reason_of

PRIMARY, REPLICA = "default", "replica"
COOKIE = "written"
SECONDS = 300
"""The time for which a browser keeps the place of its last write."""
SAFE = ("GET", "HEAD")
ON_PRIMARY = frozenset(("sessions", "auth", "account", "mfa", "knox", "core"))
"""Labels of apps that are always read from the primary server: sessions, accounts, tokens, and the
keys of sent requests."""

_replica_reads: ContextVar[bool] = ContextVar("replica_reads", default=False)
logger = logging.getLogger("muster.database")
silent_replica = Breaker()


def reading_database() -> str:
    """Return the alias of the database that this request reads from at the moment."""
    reads_replica = _replica_reads.get() and not connections[PRIMARY].in_atomic_block
    return REPLICA if reads_replica else PRIMARY


class Router:
    """Django's router: reads of pages go to the replica, everything else to the primary server."""

    def db_for_read(self, model: Any, **hints: Any) -> str:
        """Return where to read rows of a model."""
        return PRIMARY if model._meta.app_label in ON_PRIMARY else reading_database()

    def db_for_write(self, model: Any, **hints: Any) -> str:
        """Return where to write. The rest of the request has to see it, so it reads there too."""
        if model._meta.app_label not in ON_PRIMARY:
            _replica_reads.set(False)
        return PRIMARY

    def allow_relation(self, obj1: Any, obj2: Any, **hints: Any) -> bool:
        """Allow relations between rows of both: they are the same rows."""
        return True

    def allow_migrate(self, db: str, app_label: str, **hints: Any) -> bool:
        """Migrate the primary server only: the replica follows."""
        return db == PRIMARY


class ReadReplica:
    """Middleware that decides where a request reads, and notes in a cookie that a member wrote."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        if REPLICA not in settings.DATABASES:
            raise MiddlewareNotUsed
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        token = _replica_reads.set(may_read_replica(request))
        try:
            response = self.get_response(request)
        finally:
            _replica_reads.reset(token)
        if request.method not in SAFE and response.status_code < 400:
            note_write(response)
        return response

    def process_exception(self, request: HttpRequest, error: Exception) -> None:
        """Read from the primary server for a few seconds if the replica has failed."""
        if _replica_reads.get() and is_outage(error):
            skip_replica(error)


def may_read_replica(request: HttpRequest) -> bool:
    """Return whether the replica answers, and has everything that this member wrote."""
    if (
        request.method not in SAFE
        or silent_replica.is_open
        or "Authorization" in request.headers
        or request.path.startswith(("/static/", "/health/", "/admin/"))
    ):
        return False
    try:
        place = replica_place()
    except Error as error:
        if not is_outage(error):
            raise
        skip_replica(error)
        return False
    written = request.COOKIES.get(COOKIE)
    return place is not None and (written is None or number(written) <= number(place))


def skip_replica(error: Exception) -> None:
    """Read from the primary server for a few seconds, and log why: nobody sees it on a page."""
    silent_replica.trip()
    connections[REPLICA].close()
    logger.warning(
        "The replica cannot be used: pages are read from the first server (%s)", reason_of(error)
    )


def bytes_behind() -> int | None:
    """Return how much of the primary server's log the replica lacks.

    Returns None for a server that does not follow another. Raises django.db.Error if one of the
    two does not answer.
    """
    place = replica_place()
    # In this order, a replica that follows is never ahead.
    return None if place is None else int(number(primary_place()) - number(place))


def replica_place() -> str | None:
    """Return the place in the log that the replica has reached, None if it follows no server."""
    with connections[REPLICA].cursor() as cursor:
        cursor.execute("SELECT pg_last_wal_replay_lsn()")
        place: str | None = cursor.fetchone()[0]
    return place


def primary_place() -> str:
    """Return the present place in the primary server's log."""
    with connections[PRIMARY].cursor() as cursor:
        cursor.execute("SELECT pg_current_wal_insert_lsn()")
        place: str = cursor.fetchone()[0]
    return place


def note_write(response: HttpResponse) -> None:
    """Put the present place of the primary server's log into a cookie."""
    place = primary_place()
    response.set_cookie(
        COOKIE,
        place,
        max_age=SECONDS,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def number(place: str) -> float:
    """Return a place of the log, such as ``16/B374D848``, as a number.

    Nonsense is never reached.
    """
    high, _, low = place.partition("/")
    try:
        return (int(high, 16) << 32) + int(low, 16)
    except ValueError:
        return float("inf")
