"""Recompute the folded names of all searchable rows, after the database was changed by hand."""

from typing import Any

from django.apps import apps
from django.core.management.base import BaseCommand

from core.models import Searchable, fold_rows


class Command(BaseCommand):
    """``manage.py fold_names``: corrects wrong folded names and prints how many each model had."""

    help = "Fold the names for the search again, and print how many were wrong."

    def handle(self, *args: Any, **options: Any) -> None:
        for model in apps.get_models():
            if issubclass(model, Searchable):
                number = fold_rows(model, model.found_by)
                self.stdout.write(f"{model._meta.verbose_name_plural}: {number} updated")
