from django.apps import AppConfig


class HomeConfig(AppConfig):
    """What waits for each member, on the first page, by mail and on devices."""

    name = "home"
