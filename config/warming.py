"""Load what every request needs before a web server listens: URLs, templates, rule books. No
queries."""

from functools import cache
from pathlib import Path

from django.conf import settings
from django.db.migrations.recorder import MigrationRecorder
from django.template.loader import get_template
from django.urls import get_resolver
from django.utils.translation import gettext

from rulebook.registry import rulesets

NOT_FOR_PAGES = ("print/", "allauth/", "drf_spectacular/")
"""Folders of templates that only workers use, or that are rarely used."""


@cache
def warm_up() -> None:
    """Load all URLs with their views, the rule books, and the templates of all pages.

    A fork of a process that did so has nothing left to do.
    """
    get_resolver()._populate()
    for rules in rulesets():
        rules.catalogue({})
    root = Path(settings.BASE_DIR) / "templates"
    names = sorted(str(file.relative_to(root)) for file in root.rglob("*.html"))
    for name in names:
        if not name.startswith(NOT_FOR_PAGES):
            get_template(name)
    # What the first query and the first sentence of a process would compute. Django makes the model
    # of migrations, which the health check reads, when it is first used.
    str(MigrationRecorder.Migration.objects.filter(app__in=["core"]).query)
    gettext("Muster")
