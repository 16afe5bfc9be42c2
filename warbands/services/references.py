"""Search for rows that refer to missing rows, which can be written while constraints are off."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

from django.apps import apps
from django.conf import settings
from django.core.exceptions import ValidationError
from django.db.models import Exists, ForeignKey, Model, OuterRef, TextField
from django.db.models.functions import Cast

from warbands.services.verification import ProjectionMismatch, guarded


def check_references() -> Iterator[ProjectionMismatch]:
    """Yield each row of Muster's own tables that refers to a missing row.

    One query per foreign key.
    """
    for model in own_models():
        for field in model._meta.concrete_fields:
            # A column without a constraint may refer to a deleted row, such as the account of an
            # entry of the log.
            if isinstance(field, ForeignKey) and getattr(field, "db_constraint", True):
                yield from guarded(
                    f"{model._meta.verbose_name}: {field.name}", partial(_dangling, model, field)
                )


def own_models() -> Iterator[type[Model]]:
    """Yield every model of the apps that belong to Muster, not to a library."""
    for config in apps.get_app_configs():
        if Path(config.path).parent == Path(settings.BASE_DIR):
            yield from config.get_models(include_auto_created=True)


def _dangling(model: type[Model], field: Any) -> Iterator[ProjectionMismatch]:
    label, target = model._meta.verbose_name, field.remote_field.model
    targets = target._base_manager.filter(**{field.target_field.name: OuterRef(field.attname)})
    rows = (
        model._base_manager.filter(**{f"{field.name}__isnull": False})
        .exclude(Exists(targets))
        .order_by("pk")
    )
    # Read keys as text: one key that cannot be read must not hide the others.
    texts = rows.annotate(
        key_text=Cast("pk", TextField()), target_text=Cast(field.attname, TextField())
    )
    for key, lost in texts.values_list("key_text", "target_text"):
        to = f"{target._meta.verbose_name} {_readable(field.target_field, lost)}"
        yield ProjectionMismatch(
            f"{label} {_readable(model._meta.pk, key)}",
            f"{field.name} points to {to}, which does not exist",
            "",
            f"rows like this: {label}, {field.name}",
        )


def _readable(field: Any, text: str) -> Any:
    while field.remote_field:
        field = field.target_field
    try:
        return field.to_python(text)
    except ValidationError:
        return text
