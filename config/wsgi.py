"""The WSGI application, for gunicorn, with everything loaded that the first request would wait
for."""

import gc
import os

import django
from django.conf import settings
from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
# Somebody waits for an answer, and holds a thread of the server meanwhile.
os.environ.setdefault("LOCK_SECONDS", "2")
django.setup()

from config.warming import warm_up  # noqa: E402
from core.bundles import collect_changes  # noqa: E402 - the apps have to be there

# Before the application, which notes what has been collected. On a server `collectstatic` is a step
# of its own.
if not (settings.SERVER or settings.DEBUG):
    collect_changes()
application = get_wsgi_application()
warm_up()

# What is loaded now stays for good: nobody waits while it is searched for rubbish, and processes
# share its memory.
gc.collect()
gc.freeze()
