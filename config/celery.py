"""The Celery application. Tasks are found in every app's `tasks` module; all settings are Django's, as CELERY_*."""

import os
from typing import Any

from celery import Celery
from celery.signals import worker_ready

from config import broker

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

app = Celery("muster")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()

__all__ = ["app", "broker"]


@worker_ready.connect
def show_life(**_: Any) -> None:
    """A worker that has just started need not wait for the clock to say so."""
    app.send_task("config.tasks.heartbeat", expires=30)
