from django.apps import AppConfig


class ClubsConfig(AppConfig):
    """Clubs, their members and invitations, and their club nights."""

    name = "clubs"

    def ready(self) -> None:
        # Models must be loaded before they can be imported.
        from clubs.pictures import register_subjects  # noqa: PLC0415

        register_subjects()
