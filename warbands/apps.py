from django.apps import AppConfig


class WarbandsConfig(AppConfig):
    name = "warbands"

    def ready(self) -> None:
        from warbands import page_rows  # noqa: F401, PLC0415

        # Models must be loaded before they can be imported.
        from warbands.pictures import register_subjects  # noqa: PLC0415

        register_subjects()
