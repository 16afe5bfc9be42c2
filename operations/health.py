"""Health checks: whether Muster runs, and whether its components work. They never reveal secrets.

/health/live        the web process answers
/health/ready       it can serve: database, migrations and static files work. Other components
                    are reported but do not count
/health/<name>      one component: database, replica, migrations, static, broker, cache, store,
                    worker
"""

from collections.abc import Callable
from datetime import datetime
from errno import EACCES
from functools import cache as kept
from pathlib import Path
from uuid import uuid4

from celery import current_app
from django.apps import apps
from django.conf import settings
from django.core.cache import cache
from django.core.files.base import ContentFile
from django.core.files.storage import storages
from django.db import Error, connection
from django.db.migrations.recorder import MigrationRecorder
from django.http import Http404, HttpRequest, JsonResponse
from django.utils.timezone import now
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from kombu.exceptions import OperationalError

from core.api.problems import UNAVAILABLE
from core.cache import counting
from core.file_stores import StoreError
from core.outage import is_outage, note_outage, silent_database
from core.replica import REPLICA, bytes_behind

HEARTBEAT = "worker-heartbeat"
TRIAL = "health"
"""The prefix of files that only test whether files can be written."""
MANIFEST = "staticfiles.json"
"""The file that `collectstatic` writes last, with the hashed names of all files."""


class ComponentFailure(Exception):
    """A component does not work. The text tells the server's operator how."""


def database() -> str:
    """Raise ComponentFailure if the database does not answer, or did not answer moments ago."""
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


def replica() -> str:
    """Raise ComponentFailure if there is a read replica that pages cannot be read from."""
    if REPLICA not in settings.DATABASES:
        return "none: REPLICA_URL is not set"
    try:
        behind = bytes_behind()
    except Error as error:
        raise ComponentFailure("does not answer: pages are read from the first server") from error
    if behind is None:
        raise ComponentFailure("follows no server: pages are read from the first server")
    return f"follows the first server, {behind} bytes behind"


def migrations() -> str:
    """Raise ComponentFailure if a migration is not applied or the database does not answer."""
    if silent_database.is_open:
        # Another query would take as long as the last one: health checks time out after 5 s.
        raise ComponentFailure("cannot be read: the database does not answer")
    try:
        applied = MigrationRecorder(connection).applied_migrations().keys()
    except Error as error:
        raise ComponentFailure("cannot be read: the database does not answer") from error
    missing = len(migration_names() - applied)
    if missing:
        raise ComponentFailure(f"{missing} not applied: run `manage.py migrate`")
    return "all applied"


@kept
def migration_names() -> frozenset[tuple[str, str]]:
    """Return the apps and names of all migrations of this version, without loading them.

    Loading them took 8 MB in each web process, and each check built the graph of them again.
    """
    folders = {app.label: Path(app.path) / "migrations" for app in apps.get_app_configs()}
    return frozenset(
        (label, file.stem) for label, folder in folders.items() for file in folder.glob("[!_]*.py")
    )


def static() -> str:
    """Raise ComponentFailure if static files were not collected: pages would lack them."""
    if settings.SERVER and not (Path(settings.STATIC_ROOT) / MANIFEST).is_file():
        raise ComponentFailure(
            "not collected: run `manage.py collectstatic`, and check STATIC_ROOT"
        )
    return "collected" if settings.SERVER else "served from the source folders"


def broker() -> str:
    """Raise ComponentFailure if the task queue does not answer."""
    try:
        with current_app.connection_for_write() as queue:
            queue.ensure_connection(max_retries=0, timeout=1)
    except (OperationalError, OSError) as error:
        raise ComponentFailure("does not answer: background tasks are delayed") from error
    return "answers"


def counters() -> str:
    """Raise ComponentFailure if the cache stores nothing."""
    if not counting():
        raise ComponentFailure("does not answer: requests are not counted, and nobody can sign in")
    return "answers"


def store() -> str:
    """Raise ComponentFailure if the storage of documents and pictures is not writable."""
    try:
        trial = storages["health"]
        trial.delete(trial.save(f"{TRIAL}-{uuid4().hex}", ContentFile(b"well")))
    except StoreError as error:
        refused = error.errno == EACCES
        raise ComponentFailure(
            "the bucket refuses: check its name, its rights and S3_ACCESS_KEY"
            if refused
            else "the bucket does not answer, or does not exist: the log has the reason"
        ) from error
    except OSError as error:
        raise ComponentFailure(f"not writable: {error.strerror or 'no disk'}") from error
    return "writable"


def worker() -> str:
    """Raise ComponentFailure if no worker has run the heartbeat task recently."""
    if not counting():
        raise ComponentFailure("unknown: the cache, which stores the heartbeat, does not answer")
    last = last_heartbeat()
    if last is None:
        raise ComponentFailure("no worker is running")
    silence = now() - last
    if silence > settings.WORKER_SILENCE_LIMIT:
        raise ComponentFailure(f"no heartbeat for {silence.total_seconds():.0f} seconds")
    return f"last heartbeat {silence.total_seconds():.0f} seconds ago"


COMPONENTS: dict[str, Callable[[], str]] = {
    "database": database,
    "replica": replica,
    "migrations": migrations,
    "static": static,
    "broker": broker,
    "cache": counters,
    "store": store,
    "worker": worker,
}
NEEDED_TO_SERVE = ("database", "migrations", "static")
MISSED = ("broker", "cache", "store")
"""Components without which pages and the API still work: a load balancer that removed the server
would make things worse."""


def note_heartbeat() -> None:
    """Store the time of a heartbeat. A worker does this whenever the clock asks for it."""
    cache.set(HEARTBEAT, now().isoformat(), timeout=24 * 3600)


def last_heartbeat() -> datetime | None:
    """Return the time of the last heartbeat, or None if there was none in the last day."""
    written = cache.get(HEARTBEAT)
    return datetime.fromisoformat(written) if written else None


def examine(*names: str) -> dict[str, dict[str, object]]:
    """Return for each component whether it is healthy, with details."""
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
        raise Http404(f"Component not found: {name}.")
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
