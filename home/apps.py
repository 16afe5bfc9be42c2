from django.apps import AppConfig


class HomeConfig(AppConfig):
    """The home page with a member's tasks, and notifications by e-mail and on devices."""

    name = "home"
