"""Names with an apostrophe or a hyphen are found by one word as well: their folds are made anew."""

from typing import Any

from django.db import migrations

from core.models import fold_rows

FOUND_BY = {
    ("warbands", "Warband"): ("name",),
    ("warbands", "Fighter"): ("name", "profile_name"),
    ("campaigns", "Club"): ("name",),
    ("campaigns", "Campaign"): ("name",),
    ("campaigns", "Membership"): ("name",),
    ("battles", "Battle"): ("title",),
}


def fold_all(apps: Any, schema_editor: Any) -> None:
    """Fold every name anew."""
    for (app, name), columns in FOUND_BY.items():
        fold_rows(apps.get_model(app, name), columns)


class Migration(migrations.Migration):
    dependencies = [
        ("warbands", "0007_names_are_found"),
        ("campaigns", "0012_players_are_found"),
        ("battles", "0010_names_are_found"),
    ]
    operations = [migrations.RunPython(fold_all, migrations.RunPython.noop)]
