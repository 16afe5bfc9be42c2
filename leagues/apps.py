from django.apps import AppConfig


class LeaguesConfig(AppConfig):
    """The play of a campaign: rounds and fixtures, classic campaigns, honours and history."""

    name = "leagues"

    def ready(self) -> None:
        # Models must be loaded before they can be imported.
        from leagues import page_rows  # noqa: F401, PLC0415
