"""The Celery application.

Tasks are in the `tasks` module of each app. The settings are Django's, as CELERY_*.
"""

import os
from typing import Any

from celery import Celery
from celery.signals import worker_ready
from kombu.exceptions import OperationalError

from core import file_broker
from core.cache import Breaker

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

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


@worker_ready.connect
def show_life(**_: Any) -> None:
    """Send a heartbeat when a worker starts, without waiting for the clock."""
    app.send_task("operations.tasks.heartbeat", expires=30)
