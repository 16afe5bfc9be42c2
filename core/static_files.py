"""Select the files that `collectstatic` collects."""

from django.contrib.staticfiles.apps import StaticFilesConfig


class StaticFiles(StaticFilesConfig):
    """Django's StaticFilesConfig without folders that no page uses.

    "print" and "fonts" are for documents, which read them from their source folders.
    """

    ignore_patterns = [
        *StaticFilesConfig.ignore_patterns,
        *("print", "fonts", "rest_framework", "django_htmx", "redoc"),
    ]
