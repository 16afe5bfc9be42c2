"""Load everything that a process of Muster needs, without a query.

A web server does this before it listens, and `make run` before it forks web server and worker.
"""

from importlib import import_module

import django
from django.conf import settings

django.setup()

from config.celery import app  # noqa: E402 - the apps have to be there
from config.memory import settle_memory  # noqa: E402
from config.warming import warm_up  # noqa: E402

warm_up()
app.loader.import_default_modules()
app.finalize()
for name in ("django.db.models.sql.compiler", settings.SESSION_ENGINE):
    import_module(name)
settle_memory()
