"""Sign rows. The upgrade trusts the rows that it finds, once (docs/decisions/signed-rows.md)."""

from typing import Any

from django.conf import settings
from django.db import migrations, models

import warbands.signed
from warbands.signed import sign_rows_of

SIGNED = {
    "SigningKey": ("fingerprint", "public", "retired_at"),
    "TrustedKey": ("club", "fingerprint", "public", "name", "address", "trusted_by", "withdrawn_by", "withdrawn_at"),
    "ArchivedPerson": ("user", "reference", "name", "placeholder", "brought_by"),
    "ReceivedPassport": ("user", "content", "name", "fingerprint", "origin", "warband", "taken_on_at", "length"),
}
"""The columns that are signed when this runs."""


def sign_all(apps: Any, schema_editor: Any) -> None:
    """Sign every row as it stands."""
    for name, columns in SIGNED.items():
        sign_rows_of(apps.get_model("exchange", name), columns, trusting=True)


class Migration(migrations.Migration):
    dependencies = [
        ("exchange", "0004_received_passports"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name="archivedperson",
            name="row_signature",
            field=models.CharField(default="", editable=False, max_length=64),
        ),
        migrations.AddField(
            model_name="receivedpassport",
            name="row_signature",
            field=models.CharField(default="", editable=False, max_length=64),
        ),
        migrations.AddField(
            model_name="signingkey",
            name="row_signature",
            field=models.CharField(default="", editable=False, max_length=64),
        ),
        migrations.AddField(
            model_name="trustedkey",
            name="row_signature",
            field=models.CharField(default="", editable=False, max_length=64),
        ),
        migrations.AlterField(
            model_name="archivedperson",
            name="brought_by",
            field=models.ForeignKey(
                null=True, on_delete=warbands.signed.set_null_signed, related_name="+", to=settings.AUTH_USER_MODEL
            ),
        ),
        migrations.AlterField(
            model_name="receivedpassport",
            name="user",
            field=models.ForeignKey(
                null=True,
                on_delete=warbands.signed.set_null_signed,
                related_name="received_passports",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AlterField(
            model_name="trustedkey",
            name="trusted_by",
            field=models.ForeignKey(
                null=True, on_delete=warbands.signed.set_null_signed, related_name="+", to=settings.AUTH_USER_MODEL
            ),
        ),
        migrations.AlterField(
            model_name="trustedkey",
            name="withdrawn_by",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=warbands.signed.set_null_signed,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.RunPython(sign_all, migrations.RunPython.noop),
    ]
