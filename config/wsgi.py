"""The WSGI application for gunicorn, with everything loaded that the first request needs."""

import gc
import os

import django
from django.conf import settings
from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
# Users wait for a response and hold a thread of the server meanwhile.
os.environ.setdefault("LOCK_SECONDS", "2")
django.setup()

from config.warming import warm_up  # noqa: E402
from core.bundles import collect_changes  # noqa: E402 - the apps have to be there

# Run this before the application, which reads what was collected. On a server, `collectstatic` is
# a separate step.
if not (settings.SERVER or settings.DEBUG):
    collect_changes()
application = get_wsgi_application()
warm_up()

# Everything loaded now stays: exclude it from garbage collection, so that processes share its
# memory.
gc.collect()
gc.freeze()
