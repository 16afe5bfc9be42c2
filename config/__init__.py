"""The house: settings, addresses, the API's frame, the task queue. Rooms (apps) do not import
it."""

import gc

from config.celery import app as celery_app

__all__ = ["celery_app"]

# Some hundred thousand objects of Django and the rule books live as long as the process: to look
# through them for garbage again and again, as Python does by default, takes an eighth of the
# processor's time.
gc.set_threshold(20_000, 20, 50)
