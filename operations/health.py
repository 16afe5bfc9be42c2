"""Is Muster alive, and can it work? Answers name components and say yes or no; they never hold a
secret.

/health/live        the web process answers
/health/ready       it can serve: database, migrations and static files are there. What else
                    it says decides nothing
/health/<name>      one component: database, migrations, static, broker, cache, store, worker
"""

from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from uuid import uuid4

from celery import current_app
from django.conf import settings
from django.core.cache import cache
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.db import Error, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import Http404, HttpRequest, JsonResponse
from django.utils.timezone import now
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from kombu.exceptions import OperationalError

from core.api.problems import UNAVAILABLE
from core.cache import counting
from core.outage import is_outage, note_outage, silent_database

HEARTBEAT = "worker-heartbeat"
TRIAL = "health"
"""How the files are called that only show that files can be written."""
MANIFEST = "staticfiles.json"
"""What `collectstatic` writes last: under which names everything lies."""


class ComponentFailure(Exception):
    """A component does not work; the text says how, in words for the person who runs the server."""


def database() -> str:
    """Raises Unwell when the database does not answer, or did not a moment ago."""
    if silent_database.is_open:
        raise ComponentFailure("does not answer")
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except Error as error:
        if is_outage(error):
            note_outage(error)
        raise ComponentFailure("does not answer") from error
    return "answers"


def migrations() -> str:
    """Raises Unwell when a migration has not been applied, or nobody knows."""
    if silent_database.is_open:
        # Another question would wait as long as the one before: health checks give up after 5 s.
        raise ComponentFailure("cannot be read: the database does not answer")
    try:
        executor = MigrationExecutor(connection)
    except Error as error:
        raise ComponentFailure("cannot be read: the database does not answer") from error
    missing = len(executor.migration_plan(executor.loader.graph.leaf_nodes()))
    if missing:
        raise ComponentFailure(f"{missing} not applied: run `manage.py migrate`")
    return "all applied"


def static() -> str:
    """Raises Unwell when style sheets and scripts were not collected: pages would come without
    them."""
    if settings.SERVER and not (Path(settings.STATIC_ROOT) / MANIFEST).is_file():
        raise ComponentFailure(
            "not collected: run `manage.py collectstatic`, and look at STATIC_ROOT"
        )
    return "collected" if settings.SERVER else "taken from where they lie"


def broker() -> str:
    """Raises Unwell when the task queue cannot be reached."""
    try:
        with current_app.connection_for_write() as queue:
            queue.ensure_connection(max_retries=0, timeout=1)
    except (OperationalError, OSError) as error:
        raise ComponentFailure("does not answer: what workers do comes later") from error
    return "answers"


def counters() -> str:
    """Raises Unwell when the cache keeps nothing."""
    if not counting():
        raise ComponentFailure("does not answer: requests are not counted, and nobody can sign in")
    return "answers"


def store() -> str:
    """Raises Unwell when no file can be written where documents and pictures are kept."""
    try:
        default_storage.delete(default_storage.save(f"{TRIAL}-{uuid4().hex}", ContentFile(b"well")))
    except OSError as error:
        raise ComponentFailure(f"cannot be written to: {error.strerror or 'no disk'}") from error
    return "can be written to"


def worker() -> str:
    """Raises Unwell when no worker has taken the heartbeat task for a while."""
    if not counting():
        raise ComponentFailure(
            "nobody knows: the cache, which hears the heartbeat, does not answer"
        )
    last = last_heartbeat()
    if last is None:
        raise ComponentFailure("no worker has been heard of")
    silence = now() - last
    if silence > settings.WORKER_SILENCE_LIMIT:
        raise ComponentFailure(f"silent for {silence.total_seconds():.0f} seconds")
    return f"heard of {silence.total_seconds():.0f} seconds ago"


COMPONENTS: dict[str, Callable[[], str]] = {
    "database": database,
    "migrations": migrations,
    "static": static,
    "broker": broker,
    "cache": counters,
    "store": store,
    "worker": worker,
}
NEEDED_TO_SERVE = ("database", "migrations", "static")
MISSED = ("broker", "cache", "store")
"""Without these pages and API go on: a load balancer that took the server away would make it
worse."""


def note_heartbeat() -> None:
    """Written by a worker each time the clock asks for it."""
    cache.set(HEARTBEAT, now().isoformat(), timeout=24 * 3600)


def last_heartbeat() -> datetime | None:
    """When a worker last showed life, or None if never in the last day."""
    written = cache.get(HEARTBEAT)
    return datetime.fromisoformat(written) if written else None


def examine(*names: str) -> dict[str, dict[str, object]]:
    """For each component: is it healthy, and what it says."""
    return {name: _examine(COMPONENTS[name]) for name in names}


def _examine(check: Callable[[], str]) -> dict[str, object]:
    try:
        return {"healthy": True, "detail": check()}
    except ComponentFailure as complaint:
        return {"healthy": False, "detail": str(complaint)}


@require_safe
@never_cache
def live(request: HttpRequest) -> JsonResponse:
    return JsonResponse({"healthy": True})


@require_safe
@never_cache
def ready(request: HttpRequest) -> JsonResponse:
    return _answer(*NEEDED_TO_SERVE, missed=MISSED)


@require_safe
@never_cache
def component(request: HttpRequest, name: str) -> JsonResponse:
    if name not in COMPONENTS:
        raise Http404(f"There is no component called {name}.")
    return _answer(name)


def _answer(*names: str, missed: tuple[str, ...] = ()) -> JsonResponse:
    components = examine(*names, *missed)
    healthy = all(components[name]["healthy"] for name in names)
    answer = {"healthy": healthy, "components": components}
    return (
        JsonResponse(answer)
        if healthy
        else JsonResponse(answer, status=503, headers=UNAVAILABLE.headers)
    )
