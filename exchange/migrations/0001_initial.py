import uuid

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

import exchange.models.archives
import warbands.signed


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("auth", "0012_alter_user_first_name_max_length"),
        ("clubs", "0001_initial"),
        ("warbands", "0001_initial"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="SigningKey",
            fields=[
                ("row_signature", models.CharField(default="", editable=False, max_length=64)),
                ("number", models.PositiveIntegerField(primary_key=True, serialize=False)),
                ("fingerprint", models.CharField(max_length=32, unique=True)),
                ("public", models.CharField(max_length=64)),
                ("sealed", models.BinaryField()),
                ("made_at", models.DateTimeField(auto_now_add=True)),
                ("retired_at", models.DateTimeField(blank=True, null=True)),
            ],
            options={
                "ordering": ("-number",),
            },
        ),
        migrations.CreateModel(
            name="ArchivedPerson",
            fields=[
                ("row_signature", models.CharField(default="", editable=False, max_length=64)),
                (
                    "user",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="archived_person",
                        serialize=False,
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("reference", models.UUIDField(db_index=True, default=uuid.uuid4)),
                ("name", models.CharField(blank=True, default="", max_length=150)),
                ("placeholder", models.BooleanField(default=False)),
                (
                    "brought_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=warbands.signed.set_null_signed,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ("reference",),
            },
        ),
        migrations.CreateModel(
            name="ReceivedPassport",
            fields=[
                ("row_signature", models.CharField(default="", editable=False, max_length=64)),
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("content", models.BinaryField()),
                ("name", models.CharField(max_length=100)),
                ("fingerprint", models.CharField(max_length=32)),
                ("origin", models.CharField(max_length=200)),
                ("received_at", models.DateTimeField(auto_now_add=True)),
                ("taken_on_at", models.DateTimeField(blank=True, null=True)),
                ("length", models.PositiveIntegerField(default=0)),
                (
                    "user",
                    models.ForeignKey(
                        null=True,
                        on_delete=warbands.signed.set_null_signed,
                        related_name="received_passports",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "warband",
                    models.OneToOneField(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="received_passport",
                        to="warbands.warband",
                    ),
                ),
            ],
            options={
                "ordering": ("-received_at", "id"),
            },
        ),
        migrations.CreateModel(
            name="Export",
            fields=[
                ("attempts", models.PositiveIntegerField(default=0)),
                ("claimed_by", models.CharField(blank=True, default="", max_length=50)),
                ("claimed_at", models.DateTimeField(blank=True, null=True)),
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                (
                    "language",
                    models.CharField(
                        choices=[("en", "English"), ("de", "Deutsch")], default="en", max_length=2
                    ),
                ),
                ("failure", models.TextField(blank=True, default="")),
                ("size", models.PositiveBigIntegerField(default=0)),
                ("asked_at", models.DateTimeField()),
                ("finished_at", models.DateTimeField(blank=True, null=True)),
                ("expires_at", models.DateTimeField(blank=True, null=True)),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("warband", "Warband"),
                            ("campaign", "Campaign"),
                            ("club", "Club"),
                        ],
                        max_length=10,
                    ),
                ),
                ("subject", models.UUIDField()),
                ("name", models.CharField(max_length=100)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("queued", "Queued"),
                            ("running", "Being created"),
                            ("ready", "Ready"),
                            ("failed", "Failed"),
                            ("expired", "Deleted"),
                        ],
                        default="queued",
                        max_length=10,
                    ),
                ),
                ("progress", models.PositiveSmallIntegerField(default=0)),
                (
                    "file",
                    models.FileField(
                        blank=True, max_length=200, upload_to=exchange.models.archives.export_path
                    ),
                ),
                ("sha256", models.CharField(blank=True, default="", max_length=64)),
                ("contents", models.JSONField(blank=True, default=dict)),
                (
                    "asked_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ("-asked_at", "id"),
                "abstract": False,
                "indexes": [
                    models.Index(fields=["state", "asked_at"], name="export_state_asked"),
                    models.Index(
                        condition=models.Q(("file", ""), _negated=True),
                        fields=["expires_at"],
                        name="export_file_expires",
                    ),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("asked_by", "kind", "subject"), name="one_export_per_asker"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("progress__lte", 100)),
                        name="export_progress_is_percent",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Import",
            fields=[
                ("attempts", models.PositiveIntegerField(default=0)),
                ("claimed_by", models.CharField(blank=True, default="", max_length=50)),
                ("claimed_at", models.DateTimeField(blank=True, null=True)),
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                (
                    "language",
                    models.CharField(
                        choices=[("en", "English"), ("de", "Deutsch")], default="en", max_length=2
                    ),
                ),
                ("failure", models.TextField(blank=True, default="")),
                ("size", models.PositiveBigIntegerField(default=0)),
                ("asked_at", models.DateTimeField()),
                ("finished_at", models.DateTimeField(blank=True, null=True)),
                ("expires_at", models.DateTimeField(blank=True, null=True)),
                ("name", models.CharField(blank=True, default="", max_length=200)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("uploaded", "Being checked"),
                            ("checked", "Checked"),
                            ("running", "Being imported"),
                            ("done", "Imported"),
                            ("failed", "Failed"),
                            ("expired", "Deleted"),
                        ],
                        default="uploaded",
                        max_length=10,
                    ),
                ),
                (
                    "file",
                    models.FileField(
                        blank=True, max_length=200, upload_to=exchange.models.archives.import_path
                    ),
                ),
                ("people", models.JSONField(blank=True, default=dict)),
                ("club", models.UUIDField(blank=True, null=True)),
                ("preview", models.JSONField(blank=True, default=dict)),
                ("result", models.JSONField(blank=True, default=dict)),
                (
                    "asked_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ("-asked_at", "id"),
                "abstract": False,
                "indexes": [
                    models.Index(fields=["state", "asked_at"], name="import_state_asked"),
                    models.Index(
                        condition=models.Q(("file", ""), _negated=True),
                        fields=["expires_at"],
                        name="import_file_expires",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="TrustedKey",
            fields=[
                ("row_signature", models.CharField(default="", editable=False, max_length=64)),
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("fingerprint", models.CharField(max_length=32)),
                ("public", models.CharField(max_length=64)),
                ("name", models.CharField(max_length=100)),
                ("address", models.CharField(blank=True, default="", max_length=200)),
                ("trusted_at", models.DateTimeField(auto_now_add=True)),
                ("withdrawn_at", models.DateTimeField(blank=True, null=True)),
                (
                    "club",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="trusted_keys",
                        to="clubs.club",
                    ),
                ),
                (
                    "trusted_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=warbands.signed.set_null_signed,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "withdrawn_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=warbands.signed.set_null_signed,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ("name", "id"),
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("club__isnull", False), ("withdrawn_at__isnull", True)),
                        fields=("club", "fingerprint"),
                        name="club_trusts_a_key_once",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("club__isnull", True), ("withdrawn_at__isnull", True)),
                        fields=("fingerprint",),
                        name="installation_trusts_a_key_once",
                    ),
                ],
            },
        ),
    ]
