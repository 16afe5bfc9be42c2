"""The Celery application. Tasks are found in every app's `tasks` module; all settings are Django's,
as CELERY_*."""

import os
from typing import Any

from celery import Celery
from celery.signals import worker_ready
from kombu.exceptions import OperationalError

from core import file_broker
from core.cache import Breaker

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

PATIENCE = {"max_retries": 0, "socket_timeout": 0.3, "socket_connect_timeout": 0.3}
"""Of whoever sends a task: somebody waits for an answer meanwhile, and what is not sent the clock
sends later."""


class Queue(Celery):
    """Celery with a queue that nobody waits for: a broker that does not answer is left alone for a
    moment."""

    breaker = Breaker()

    def connection_for_write(self, url: str | None = None, **options: Any) -> Any:
        """A connection that gives up soon; that of a worker, which reads, is patient."""
        return super().connection_for_write(url, **({"transport_options": PATIENCE} | options))

    def send_task(self, *args: Any, **options: Any) -> Any:
        """As Celery's. Raises OperationalError when the broker does not answer, or did not a moment
        ago."""
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


@worker_ready.connect
def show_life(**_: Any) -> None:
    """A worker that has just started need not wait for the clock to say so."""
    app.send_task("operations.tasks.heartbeat", expires=30)
