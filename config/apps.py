from django.apps import AppConfig

from config.checks import register_checks


class HouseConfig(AppConfig):
    """The house itself: health, tokens, problems, tasks that no room owns."""

    name = "config"
    verbose_name = "Muster"

    def ready(self) -> None:
        register_checks()
