"""The WSGI application, for gunicorn, with everything loaded that the first request would wait for."""

import gc
import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
# Somebody waits for an answer, and holds a thread of the server meanwhile.
os.environ.setdefault("LOCK_SECONDS", "2")
application = get_wsgi_application()

from config.warming import warm_up  # noqa: E402 - the settings have to be there

warm_up()

# What is loaded now stays for good: nobody waits while it is searched for rubbish, and processes share its memory.
gc.collect()
gc.freeze()
