"""The project: settings, URLs, the API's router, the task queue. Apps do not import it."""

import gc

from config.celery import app as celery_app

__all__ = ["celery_app"]

# Some hundred thousand objects of Django and the rule books live as long as the process. Python's
# default garbage collection would scan them again and again, which takes an eighth of the
# processor time.
gc.set_threshold(20_000, 20, 50)
