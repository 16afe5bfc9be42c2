from django.apps import AppConfig


class ReferenceConfig(AppConfig):
    """Rule systems as pages, and their calculators."""

    name = "reference"
