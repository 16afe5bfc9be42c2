"""Fold the names of everything that is searched for anew, after somebody has written to the
database by hand."""

from typing import Any

from django.apps import apps
from django.core.management.base import BaseCommand

from core.models import Searchable, fold_rows


class Command(BaseCommand):
    """``manage.py fold_names``: says how many rows of each kind were not as they should be, and
    mends them."""

    help = "Fold the names that a search looks at anew. Says how many were not as they should be."

    def handle(self, *args: Any, **options: Any) -> None:
        for model in apps.get_models():
            if issubclass(model, Searchable):
                number = fold_rows(model, model.found_by)
                self.stdout.write(f"{model._meta.verbose_name_plural}: {number} mended")
