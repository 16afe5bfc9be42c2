from django.apps import AppConfig


class ClubsConfig(AppConfig):
    """Clubs, their members and invitations, and their club nights."""

    name = "clubs"

    def ready(self) -> None:
        from clubs import page_rows  # noqa: F401, PLC0415

        # Models must be loaded before they can be imported.
        from clubs.pictures import register_subjects  # noqa: PLC0415
        from clubs.quotas import register_limits  # noqa: PLC0415

        register_subjects()
        register_limits()
