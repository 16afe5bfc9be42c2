"""The app configuration of ``audit``."""

from django.apps import AppConfig


class AuditConfig(AppConfig):
    """The activity log of clubs."""

    name = "audit"
