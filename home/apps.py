from django.apps import AppConfig


class HomeConfig(AppConfig):
    """The home page with the tasks of a member, and their notifications by e-mail and on devices."""

    name = "home"
