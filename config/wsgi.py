"""The WSGI application for gunicorn, with everything loaded that the first request needs."""

import os

import django
from django.conf import settings

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from config.application import Application  # noqa: E402
from config.memory import settle_memory  # noqa: E402
from config.warming import warm_up  # noqa: E402
from core.bundles import collect_changes  # noqa: E402 - the apps have to be there
from core.checks import refuse_invalid_settings  # noqa: E402
from core.locks import limit_lock_wait  # noqa: E402

refuse_invalid_settings()
limit_lock_wait(settings.WEB_LOCK_SECONDS)

# Run this before the application, which reads what was collected. On a server, `collectstatic` is
# a separate step.
if not (settings.SERVER or settings.DEBUG):
    collect_changes()
application = Application()
warm_up()
settle_memory()
