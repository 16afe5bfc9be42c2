"""The table of the audit."""

import django.core.serializers.json
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="AuditEntry",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("at", models.DateTimeField()),
                ("club", models.UUIDField(null=True)),
                ("campaign", models.UUIDField(null=True)),
                ("verb", models.CharField(max_length=40)),
                ("subject_kind", models.CharField(max_length=20)),
                ("subject_id", models.UUIDField(null=True)),
                ("subject_name", models.CharField(blank=True, default="", max_length=200)),
                ("details", models.JSONField(default=dict, encoder=django.core.serializers.json.DjangoJSONEncoder)),
                (
                    "face",
                    models.CharField(
                        choices=[
                            ("page", "a page"),
                            ("api", "the API"),
                            ("command", "a command"),
                            ("worker", "a worker"),
                        ],
                        max_length=8,
                    ),
                ),
                ("request", models.CharField(blank=True, default="", max_length=40)),
                (
                    "actor",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "person",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "audit entries",
                "ordering": ("-at", "-id"),
                "indexes": [
                    models.Index(fields=["club", "-at", "-id"], name="audit_of_club"),
                    models.Index(fields=["club", "actor", "-at", "-id"], name="audit_of_person"),
                    models.Index(fields=["club", "campaign", "-at", "-id"], name="audit_of_campaign"),
                ],
            },
        ),
    ]
