from django.apps import AppConfig


class WarbandsConfig(AppConfig):
    name = "warbands"

    def ready(self) -> None:
        # Models are loaded now, and not before.
        from warbands.pictures import register_subjects  # noqa: PLC0415

        register_subjects()
