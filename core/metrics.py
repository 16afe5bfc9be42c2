"""Metrics for Prometheus: requests, tasks, documents, the database and the queue.

They are off unless ``METRICS_TOKEN`` is set, and then nothing of this is imported. Prometheus asks
``/metrics`` with the token (docs/running.md, "Metrics").

Every process counts in a file of its own under ``METRICS_DIR``, and an answer adds up all files, so
any web process answers for all processes with the same folder: web servers, workers and the clock.
"""

import fcntl
import os
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import cache
from types import SimpleNamespace
from typing import IO, Any

from celery import current_app, signals
from django.conf import settings
from django.core.exceptions import MiddlewareNotUsed
from django.db import connections
from django.http import HttpRequest, HttpResponse
from django.utils.crypto import constant_time_compare
from kombu.exceptions import OperationalError

PATH = "/metrics"
LATENCIES = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)
"""Upper limits of the classes of answer times, in seconds."""
DURATIONS = (0.05, 0.25, 1, 2.5, 5, 10, 30, 60, 120, 300, 600)
"""Upper limits of the classes of tasks and documents, in seconds."""
METRICS: dict[str, tuple[str, str, str, list[str], dict[str, Any]]] = {
    "requests": (
        "histogram",
        "muster_request_seconds",
        "Time to answer a request",
        ["view", "method", "status"],
        {"buckets": LATENCIES},
    ),
    "queries": ("counter", "muster_database_queries", "Statements of requests", ["view"], {}),
    "database": ("counter", "muster_database_seconds", "Time of these statements", ["view"], {}),
    "tasks": (
        "histogram",
        "muster_task_seconds",
        "Time of a task",
        ["task", "state"],
        {"buckets": DURATIONS},
    ),
    "documents": (
        "histogram",
        "muster_document_seconds",
        "Time of a step of a document",
        ["kind"],
        {"buckets": DURATIONS},
    ),
}
"""The kind, name, meaning and labels of each metric that processes count."""
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
NO_VIEW = "none"
"""The view of requests that no view answered: unknown addresses, refused requests."""


def is_on() -> bool:
    """Return whether this installation has metrics."""
    return bool(settings.METRICS_TOKEN)


class Slot:
    """The number of the file in which this process counts.

    A process takes the first number that no living process has: a lock that ends with the process,
    however it ends. So there are as many files as processes at a time, and the next process
    continues where a dead one stopped. Process ids would not do: each container has its own.
    """

    def __init__(self) -> None:
        self._owner = 0
        self._number = ""
        self._lock: IO[str] | None = None

    def __call__(self) -> str:
        """Return the number. A child process gets another one than its parent."""
        if self._owner != os.getpid():
            self._owner, self._number = os.getpid(), self._take()
        return self._number

    def _take(self) -> str:
        number = 0
        while True:
            lock = (settings.METRICS_DIR / f"{number}.lock").open("w")
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                lock.close()
                number += 1
            else:
                self._lock = lock
                return str(number)


@cache
def instruments() -> SimpleNamespace:
    """Return the metrics. The first call imports the library."""
    settings.METRICS_DIR.mkdir(mode=0o700, parents=True, exist_ok=True)
    # The library reads it when it is imported.
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = str(settings.METRICS_DIR)
    from prometheus_client import Counter, Histogram, values  # noqa: PLC0415 - only if it is on

    values.ValueClass = values.MultiProcessValue(Slot())  # type: ignore[no-untyped-call]
    kinds: dict[str, Any] = {"counter": Counter, "histogram": Histogram}
    # In no registry: an answer is read from the files of all processes.
    return SimpleNamespace(
        **{
            field: kinds[kind](name, help_text, labels, registry=None, **options)
            for field, (kind, name, help_text, labels, options) in METRICS.items()
        }
    )


class Measured:
    """Middleware that measures requests, and answers Prometheus.

    It comes first: Prometheus reaches the server by an address that is not in ``ALLOWED_HOSTS``.
    Without the token it is an unknown address.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        if not is_on():
            raise MiddlewareNotUsed
        self.get_response = get_response
        self.instruments = instruments()

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.path == PATH and is_prometheus(request):
            return exposition()
        if request.path.startswith((settings.STATIC_URL, "/health/")):
            return self.get_response(request)
        statements = Statements()
        started = time.perf_counter()
        with ExitStack() as stack:
            for connection in connections.all():
                stack.enter_context(connection.execute_wrapper(statements))
            response = self.get_response(request)
        # By the name of the view: addresses have keys, of which there is no end.
        match = request.resolver_match
        view = (match.view_name if match else "") or NO_VIEW
        labels = view, known_method(request), str(response.status_code)
        self.instruments.requests.labels(*labels).observe(time.perf_counter() - started)
        self.instruments.queries.labels(view).inc(statements.number)
        self.instruments.database.labels(view).inc(statements.seconds)
        return response


class Statements:
    """The number of statements of a request, and their time in seconds."""

    def __init__(self) -> None:
        self.number = 0
        self.seconds = 0.0

    def __call__(self, execute: Callable[..., Any], *arguments: Any) -> Any:
        started = time.perf_counter()
        try:
            return execute(*arguments)
        finally:
            self.number += 1
            self.seconds += time.perf_counter() - started


def known_method(request: HttpRequest) -> str:
    """Return the method, or "other": clients can make up any number of methods."""
    method = request.method or ""
    return method if method in METHODS else "other"


def is_prometheus(request: HttpRequest) -> bool:
    """Return whether the request has the token."""
    sent = request.headers.get("Authorization", "")
    return constant_time_compare(sent, f"Bearer {settings.METRICS_TOKEN}")


def exposition() -> HttpResponse:
    """Return the metrics of all processes, and the present length of the queue."""
    from prometheus_client import (  # noqa: PLC0415 - only if it is on
        CONTENT_TYPE_LATEST,
        CollectorRegistry,
        generate_latest,
        multiprocess,
    )

    registry = CollectorRegistry()
    multiprocess.MultiProcessCollector(registry, path=str(settings.METRICS_DIR))  # type: ignore[no-untyped-call]
    registry.register(Queue())
    return HttpResponse(
        generate_latest(registry),
        content_type=CONTENT_TYPE_LATEST,
        headers={"Cache-Control": "no-store"},
    )


class Queue:
    """The queue as it is at the moment.

    Instruments would store its length in the file of this process, and the answers of all other
    processes would contain that old length too.
    """

    def collect(self) -> Iterator[Any]:
        """Yield whether the queue answers and, if it does, how many tasks wait."""
        from prometheus_client.core import GaugeMetricFamily  # noqa: PLC0415 - only if it is on

        length = queue_length()
        yield GaugeMetricFamily("muster_queue_up", "1 if the queue answers", length is not None)
        if length is not None:
            yield GaugeMetricFamily("muster_queue_length", "Tasks that wait", length)


def queue_length() -> int | None:
    """Return the number of tasks that wait for a worker, or None if the queue does not answer."""
    try:
        with current_app.connection_for_write() as connection:
            channel: Any = connection.default_channel
            return int(channel._size(settings.CELERY_TASK_DEFAULT_QUEUE))
    except (OperationalError, OSError):
        return None


def document_made(kind: str, seconds: float) -> None:
    """Note the time of a step of a document: a part of it, or the whole."""
    if is_on():
        instruments().documents.labels(kind).observe(seconds)


def measure_tasks() -> None:
    """Measure every task of this worker and its child processes. Call it before they start."""
    started: dict[str, float] = {}

    def note_start(task_id: str = "", **_: Any) -> None:
        started[task_id] = time.perf_counter()

    def note_end(task_id: str = "", task: Any = None, state: str = "", **_: Any) -> None:
        begun = started.pop(task_id, None)
        if begun is not None:
            taken = time.perf_counter() - begun
            instruments().tasks.labels(task.name, state or "UNKNOWN").observe(taken)

    signals.task_prerun.connect(note_start, weak=False)
    signals.task_postrun.connect(note_end, weak=False)
