from importlib import import_module

from django.apps import AppConfig
from django.conf import settings
from django.db.backends.signals import connection_created

from core.checks import register_checks
from core.locks import set_lock_timeout
from core.prepared_statements import remember_placeholders, set_up_planning
from core.remembered_translations import remember_translations


class CoreConfig(AppConfig):
    """The app for code that all apps use."""

    name = "core"
    verbose_name = "Muster"

    def ready(self) -> None:
        from core import page_rows  # noqa: F401, PLC0415

        register_checks()
        remember_translations()
        remember_placeholders()
        connection_created.connect(set_lock_timeout)
        connection_created.connect(set_up_planning)
        if settings.SENTRY_DSN:
            import_module("core.faults").report_faults()
