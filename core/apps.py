from django.apps import AppConfig
from django.db.backends.signals import connection_created

from core.checks import register_checks
from core.locks import set_lock_timeout


class CoreConfig(AppConfig):
    """The app for code that all apps use."""

    name = "core"
    verbose_name = "Muster"

    def ready(self) -> None:
        register_checks()
        connection_created.connect(set_lock_timeout)
