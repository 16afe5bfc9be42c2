from django.apps import AppConfig


class BattlesConfig(AppConfig):
    name = "battles"

    def ready(self) -> None:
        # Models are loaded now, and not before.
        from battles.pictures import register_subjects  # noqa: PLC0415

        register_subjects()
