from django.apps import AppConfig


class ClubsConfig(AppConfig):
    """Clubs, their members and invitations, and the evenings on which they play."""

    name = "clubs"

    def ready(self) -> None:
        # Models are loaded now, and not before.
        from clubs.pictures import register_subjects  # noqa: PLC0415

        register_subjects()
