"""The app."""

from django.apps import AppConfig


class AuditConfig(AppConfig):
    """Who did what in a club."""

    name = "audit"
