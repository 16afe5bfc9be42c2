"""What every request needs, made ready before a web server listens: addresses, pages, rule books.
No queries."""

from pathlib import Path

from django.conf import settings
from django.template.loader import get_template
from django.urls import get_resolver

from rulebook.registry import rulesets

NOT_FOR_PAGES = ("print/", "allauth/", "drf_spectacular/")
"""Folders of templates that workers, or next to nobody, ask for."""


def warm_up() -> None:
    """Load all addresses, with the views behind them, the rule books, and every template of a
    page."""
    get_resolver()._populate()
    for rules in rulesets():
        rules.catalogue({})
    root = Path(settings.BASE_DIR) / "templates"
    names = sorted(str(file.relative_to(root)) for file in root.rglob("*.html"))
    for name in names:
        if not name.startswith(NOT_FOR_PAGES):
            get_template(name)
