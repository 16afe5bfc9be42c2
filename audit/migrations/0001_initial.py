import uuid

import django.core.serializers.json
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from audit.chains import CHAINS, sign_chain
from core.database_objects import append_only


def create_chains(apps, schema_editor):
    """Create all chains, empty and signed."""
    chain_type = apps.get_model("audit", "AuditChain")
    chains = [chain_type(pk=number) for number in range(CHAINS)]
    for chain in chains:
        sign_chain(chain)
    chain_type.objects.bulk_create(chains)


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="AuditChain",
            fields=[
                ("id", models.PositiveSmallIntegerField(primary_key=True, serialize=False)),
                ("length", models.PositiveIntegerField(default=0)),
                ("seal", models.CharField(blank=True, default="", max_length=64)),
                ("signature", models.CharField(blank=True, default="", max_length=64)),
            ],
        ),
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
                (
                    "details",
                    models.JSONField(
                        default=dict, encoder=django.core.serializers.json.DjangoJSONEncoder
                    ),
                ),
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
                ("origin", models.CharField(max_length=32, null=True)),
                ("number", models.BigIntegerField(null=True)),
                ("brought_by", models.CharField(max_length=32, null=True)),
                ("imported_at", models.DateTimeField(null=True)),
                ("chain", models.PositiveSmallIntegerField(null=True)),
                ("place", models.PositiveIntegerField(null=True)),
                ("seal", models.CharField(max_length=64, null=True)),
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
                    models.Index(
                        fields=["campaign", "club", "-at", "-id"], name="audit_of_campaign"
                    ),
                    models.Index(
                        condition=models.Q(("actor__isnull", False)),
                        fields=["actor"],
                        name="audit_by_actor",
                    ),
                    models.Index(
                        condition=models.Q(("person__isnull", False)),
                        fields=["person"],
                        name="audit_about_person",
                    ),
                    models.Index(fields=["-at", "-id"], name="audit_newest_first"),
                    models.Index(
                        condition=models.Q(("request", ""), _negated=True),
                        fields=["request"],
                        name="audit_of_request",
                    ),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("chain__isnull", False)),
                        fields=("chain", "place"),
                        name="one_place_in_an_audit_chain",
                    )
                ],
            },
        ),
        append_only("audit_auditentry", "audit"),
        migrations.CreateModel(
            name="ChangeCounter",
            fields=[
                (
                    "id",
                    models.PositiveSmallIntegerField(default=1, primary_key=True, serialize=False),
                ),
                ("last", models.BigIntegerField(default=0)),
            ],
        ),
        migrations.CreateModel(
            name="Change",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("cursor", models.BigIntegerField(null=True, unique=True)),
                (
                    "entry",
                    models.OneToOneField(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="change",
                        to="audit.auditentry",
                    ),
                ),
            ],
            options={
                "ordering": ("cursor",),
                "indexes": [
                    models.Index(
                        condition=models.Q(("cursor", None)),
                        fields=["entry"],
                        name="changes_without_cursor",
                    )
                ],
            },
        ),
        migrations.RunPython(create_chains, migrations.RunPython.noop),
    ]
