from django.apps import AppConfig


class InboxConfig(AppConfig):
    """What waits for each member, on the first page and by mail."""

    name = "inbox"
