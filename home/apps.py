from django.apps import AppConfig


class HomeConfig(AppConfig):
    """The home page with a member's tasks, and notifications by e-mail and on devices."""

    name = "home"

    def ready(self) -> None:
        # Models must be loaded before they can be imported.
        from home import page_rows  # noqa: F401, PLC0415
