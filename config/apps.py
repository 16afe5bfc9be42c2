from django.apps import AppConfig
from django.db.backends.signals import connection_created

from config.checks import register_checks
from config.locks import set_lock_timeout
from config.pages.sign_ins import watch_sign_ins


class HouseConfig(AppConfig):
    """The house itself: health, tokens, problems, tasks that no room owns."""

    name = "config"
    verbose_name = "Muster"

    def ready(self) -> None:
        register_checks()
        watch_sign_ins()
        connection_created.connect(set_lock_timeout)
