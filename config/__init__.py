"""The house: settings, addresses, the API's frame, the task queue. Rooms (apps) do not import it."""

from config.celery import app as celery_app

__all__ = ["celery_app"]
