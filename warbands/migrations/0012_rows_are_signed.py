"""Sign rows. The upgrade trusts the rows that it finds, once (docs/decisions/signed-rows.md)."""

from typing import Any

from django.db import migrations, models

from warbands.signed import sign_rows_of

SIGNED = {
    "Warband": ("owner", "keeper", "visibility", "archived_at"),
}
"""The columns that are signed when this runs."""


def sign_all(apps: Any, schema_editor: Any) -> None:
    """Sign every row as it stands."""
    for name, columns in SIGNED.items():
        sign_rows_of(apps.get_model("warbands", name), columns, trusting=True)


class Migration(migrations.Migration):
    dependencies = [
        ("warbands", "0011_battles_in_the_order_of_play"),
    ]

    operations = [
        migrations.AddField(
            model_name="warband",
            name="row_signature",
            field=models.CharField(default="", editable=False, max_length=64),
        ),
        migrations.RunPython(sign_all, migrations.RunPython.noop),
    ]
