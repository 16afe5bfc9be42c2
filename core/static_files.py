"""Which files `collectstatic` collects."""

from django.contrib.staticfiles.apps import StaticFilesConfig


class StaticFiles(StaticFilesConfig):
    """Django's, without folders that no page asks for.

    "print" and "fonts" are for documents, which read them from where they lie.
    """

    ignore_patterns = [
        *StaticFilesConfig.ignore_patterns,
        *("print", "fonts", "rest_framework", "django_htmx", "redoc"),
    ]
