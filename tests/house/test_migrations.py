"""Migrations leave the old code running for one step: expand, then contract (docs/running.md)."""

from collections.abc import Iterable
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.db import migrations, models
from django.db.migrations.operations.base import Operation

ROOT = Path(__file__).parents[2]
TAKEN_AWAY = (
    migrations.RemoveField,
    migrations.DeleteModel,
    migrations.RenameField,
    migrations.RenameModel,
    migrations.AlterModelTable,
)
"""Operations after which the old code asks for something that is gone."""
UNREADABLE = (migrations.RunSQL, migrations.RunPython, migrations.SeparateDatabaseAndState)
"""Operations that this cannot judge: their migration has to say why old code can bear them."""


def complaints(migration: Any) -> list[str]:
    """Return what old code cannot bear in a migration.

    A migration that contracts has the attribute ``unused_since``, with the version whose code no
    longer uses what it takes away. One with code of its own has ``safe_because``, a sentence.
    """
    if getattr(migration, "initial", False) or getattr(migration, "unused_since", ""):
        return []
    problems = (complaint(each) for each in migration.operations)
    explained = bool(getattr(migration, "safe_because", ""))
    return [
        text for text, is_readable in filter(None, problems) if not (explained and not is_readable)
    ]


def complaint(operation: Operation) -> tuple[str, bool] | None:
    """Return what is wrong with an operation, and whether it was clear, or None."""
    text = operation.describe()
    if isinstance(operation, TAKEN_AWAY):
        return f"{text}: old code still uses it. Do it one version later.", True
    if isinstance(operation, UNREADABLE):
        return f"{text}: say in `safe_because` why old code can bear it.", False
    if isinstance(operation, migrations.AddField | migrations.AlterField):
        field = operation.field
        has_value = field.null or field.db_default is not models.NOT_PROVIDED
        if not (has_value or field.many_to_many):
            return f"{text}: old code gives no value. Use `null=True` or `db_default`.", True
    return None


def later_migrations() -> Iterable[tuple[str, Any]]:
    """Yield our migrations after the initial ones, with their names."""
    for app in apps.get_app_configs():
        folder = Path(app.path)
        if folder.parent == ROOT:
            for file in sorted((folder / "migrations").glob("[!_]*.py")):
                module = import_module(f"{app.name}.migrations.{file.stem}")
                yield f"{app.label}.{file.stem}", module.Migration


def test_old_code_runs_on_the_schema_of_the_next_version():
    unsafe = {name: complaints(each) for name, each in later_migrations()}
    assert {name: texts for name, texts in unsafe.items() if texts} == {}


TEXT = models.CharField(max_length=9)


@pytest.mark.parametrize(
    ("operation", "is_safe"),
    [
        (migrations.RemoveField("club", "name"), False),
        (migrations.RenameField("club", "name", "title"), False),
        (migrations.DeleteModel("club"), False),
        (migrations.RunPython(migrations.RunPython.noop), False),
        (migrations.AddField("club", "motto", models.CharField(max_length=9, default="")), False),
        (migrations.AlterField("club", "motto", TEXT), False),
        (migrations.AddField("club", "motto", models.CharField(max_length=9, null=True)), True),
        (migrations.AddField("club", "motto", models.CharField(max_length=9, db_default="")), True),
        (migrations.AddField("club", "friends", models.ManyToManyField("clubs.Club")), True),
        (migrations.CreateModel("motto", [("text", TEXT)]), True),
        (migrations.AddIndex("club", models.Index(fields=["name"], name="by_name")), True),
    ],
)
def test_operations_that_old_code_cannot_bear_are_named(operation, is_safe):
    step = type("Migration", (), {"operations": [operation]})
    assert bool(complaints(step)) is not is_safe
    later = type("Migration", (), {"operations": [operation], "unused_since": "1.1"})
    assert complaints(later) == []


def test_a_reason_excuses_only_what_cannot_be_judged():
    operations = [migrations.RunSQL("SELECT 1"), migrations.RemoveField("club", "name")]
    step = type("Migration", (), {"operations": operations, "safe_because": "it only reads"})
    assert len(complaints(step)) == 1
