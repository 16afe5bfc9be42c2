from django.apps import AppConfig


class OutboxConfig(AppConfig):
    """Results and plans for other programs: the list of changes, webhooks, Discord."""

    name = "outbox"
