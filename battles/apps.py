from django.apps import AppConfig


class BattlesConfig(AppConfig):
    name = "battles"

    def ready(self) -> None:
        from battles import page_rows  # noqa: F401, PLC0415

        # Models can be imported only now.
        from battles.models import Battle  # noqa: PLC0415
        from battles.pictures import register_subjects  # noqa: PLC0415
        from warbands.links import register_subject  # noqa: PLC0415

        register_subjects()
        register_subject(Battle, battles=True)
