from django.apps import AppConfig
from django.db.backends.signals import connection_created

from core.checks import register_checks
from core.locks import set_lock_timeout


class CoreConfig(AppConfig):
    """What every app needs and no app owns."""

    name = "core"
    verbose_name = "Muster"

    def ready(self) -> None:
        register_checks()
        connection_created.connect(set_lock_timeout)
