"""The Celery application.

Tasks are in the `tasks` module of each app. The settings are Django's, as CELERY_*.
"""

import gc
import os
from importlib import import_module
from typing import Any

from celery import Celery, bootsteps
from celery.beat import EmbeddedService
from celery.signals import worker_init, worker_ready
from click import Option
from django.conf import settings
from kombu.exceptions import OperationalError

from core import file_broker
from core.cache import Breaker

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
# Celery would run Django's checks in every worker and ignore what they return. `migrate` runs them
# and reports problems; they take 8 MB and load the code of commands.
os.environ.setdefault("CELERY_SKIP_CHECKS", "1")

PATIENCE = {"max_retries": 0, "socket_timeout": 0.3, "socket_connect_timeout": 0.3}
"""Limits for senders of tasks: a user is waiting meanwhile, and the clock sends lost messages
later."""


class Queue(Celery):
    """Celery with a circuit breaker: a broker that does not answer is skipped for a few seconds."""

    breaker = Breaker()

    def connection_for_write(self, url: str | None = None, **options: Any) -> Any:
        """Return a connection with short timeouts. Workers, which read, wait longer."""
        return super().connection_for_write(url, **({"transport_options": PATIENCE} | options))

    def send_task(self, *args: Any, **options: Any) -> Any:
        """Send a task as Celery does.

        Raises OperationalError if the broker does not answer, or did not answer moments ago.
        """
        if self.breaker.is_open:
            raise OperationalError("The broker did not answer a moment ago.")
        try:
            return super().send_task(*args, **options)
        except (OperationalError, OSError):
            self.breaker.trip()
            raise


app = Queue("muster")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()

__all__ = ["app", "file_broker"]


class Clock(bootsteps.StartStopStep):
    """The clock (beat) in a thread of the worker. Celery's own `--beat` uses a process for it.

    `--clock` starts it. Use it only where there is one worker.
    """

    requires = ("celery.worker.components:Pool",)

    def __init__(self, worker: Any, clock: bool = False, **options: Any) -> None:
        self.enabled = clock
        super().__init__(worker, clock=clock, **options)

    def create(self, worker: Any) -> Any:
        """Return the thread. The worker starts it after its child processes, and stops it first."""
        return EmbeddedService(
            worker.app,
            thread=True,
            schedule_filename=worker.schedule_filename,
            scheduler_cls=worker.scheduler,
        )


app.user_options["worker"].add(Option(("--clock",), is_flag=True, help="Run the clock as well."))
app.steps["worker"].add(Clock)


@worker_init.connect
def measure(**_: Any) -> None:
    """Count tasks for Prometheus, if the settings ask for it."""
    if settings.METRICS_TOKEN:
        import_module("core.metrics").measure_tasks()


@worker_init.connect
def share_memory(**_: Any) -> None:
    """Load WeasyPrint before a server's worker starts its processes, and let them share memory.

    On a laptop WeasyPrint is loaded for the first document (`documents.tasks`). What is loaded here
    is never searched for garbage, which is done after each document.
    """
    if settings.SERVER:
        import_module("documents.services.rendering")
    import_module("config.memory").settle_memory()
    # Tasks that need much memory free it at their end (core.jobs.running). Collecting more often
    # finds little, since the pages of a document are in use until then.
    gc.set_threshold(200_000, 20, 50)


@worker_ready.connect
def show_life(**_: Any) -> None:
    """Send a heartbeat when a worker starts, without waiting for the clock.

    It does not expire soon: a print that another worker left unfinished may come first.
    """
    app.send_task("operations.tasks.heartbeat", expires=600)
