import uuid

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

import documents.models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Document",
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
                    "kind",
                    models.CharField(
                        choices=[
                            ("campaign", "Campaign book"),
                            ("roster", "Warband roster"),
                            ("career", "Fighter's career"),
                            ("battle", "Battle summary"),
                            ("rank-ups", "Rank-up sheet"),
                            ("blank", "Blank roster"),
                            ("result-card", "Result card"),
                            ("certificate", "Certificate"),
                            ("memorial", "Memorial card"),
                            ("history", "Warband history"),
                            ("quick-reference", "Quick reference"),
                            ("result-sheet", "Result sheet"),
                            ("standings", "Standings chart"),
                            ("fixtures", "Fixtures poster"),
                            ("programme", "Club night programme"),
                        ],
                        max_length=20,
                    ),
                ),
                ("subject", models.UUIDField()),
                (
                    "paper",
                    models.CharField(
                        choices=[
                            ("A4", "A4"),
                            ("Letter", "Letter"),
                            ("A3", "A3"),
                            ("A6", "A6"),
                            ("Wide", "Wide, 1200 × 630 pixels"),
                            ("Square", "Square, 1080 × 1080 pixels"),
                        ],
                        default="A4",
                        max_length=6,
                    ),
                ),
                (
                    "language",
                    models.CharField(
                        choices=[("en", "English"), ("de", "Deutsch")], default="en", max_length=2
                    ),
                ),
                ("options", models.CharField(blank=True, default="", max_length=30)),
                ("title", models.CharField(blank=True, default="", max_length=200)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("queued", "Queued"),
                            ("rendering", "Being created"),
                            ("ready", "Ready"),
                            ("failed", "Failed"),
                        ],
                        default="queued",
                        max_length=10,
                    ),
                ),
                ("progress", models.PositiveSmallIntegerField(default=0)),
                ("content_hash", models.CharField(blank=True, default="", max_length=64)),
                (
                    "file",
                    models.FileField(
                        blank=True, max_length=200, upload_to=documents.models.document_path
                    ),
                ),
                ("file_hash", models.CharField(blank=True, default="", max_length=64)),
                (
                    "audience",
                    models.CharField(blank=True, default="", editable=False, max_length=32),
                ),
                ("pictures", models.JSONField(blank=True, default=list, editable=False)),
                ("pages", models.PositiveIntegerField(default=0)),
                ("size", models.PositiveIntegerField(default=0)),
                ("club", models.UUIDField(blank=True, editable=False, null=True)),
                ("failure", models.TextField(blank=True, default="")),
                ("asked_at", models.DateTimeField()),
                ("due_at", models.DateTimeField(blank=True, null=True)),
                ("started_at", models.DateTimeField(blank=True, null=True)),
                ("finished_at", models.DateTimeField(blank=True, null=True)),
                (
                    "asked_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ("-asked_at", "id"),
            },
        ),
        migrations.CreateModel(
            name="DocumentPart",
            fields=[
                ("attempts", models.PositiveIntegerField(default=0)),
                ("claimed_by", models.CharField(blank=True, default="", max_length=50)),
                ("claimed_at", models.DateTimeField(blank=True, null=True)),
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("number", models.PositiveIntegerField()),
                ("content_hash", models.CharField(max_length=64)),
                ("content", models.JSONField()),
                ("anchors", models.JSONField(blank=True, default=dict)),
                ("pages", models.PositiveIntegerField(default=0)),
                (
                    "file",
                    models.FileField(
                        blank=True, max_length=200, upload_to=documents.models.part_path
                    ),
                ),
                ("finished_at", models.DateTimeField(blank=True, null=True)),
                (
                    "document",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="parts",
                        to="documents.document",
                    ),
                ),
            ],
            options={
                "ordering": ("document", "number"),
            },
        ),
        migrations.AddIndex(
            model_name="document",
            index=models.Index(fields=["state", "asked_at"], name="document_state_asked"),
        ),
        migrations.AddIndex(
            model_name="document",
            index=models.Index(fields=["club"], name="document_club"),
        ),
        migrations.AddIndex(
            model_name="document",
            index=models.Index(fields=["subject"], name="document_subject"),
        ),
        migrations.AddConstraint(
            model_name="document",
            constraint=models.UniqueConstraint(
                fields=("kind", "subject", "paper", "language", "options"),
                name="one_document_per_subject",
            ),
        ),
        migrations.AddConstraint(
            model_name="document",
            constraint=models.CheckConstraint(
                condition=models.Q(("progress__lte", 100)), name="progress_is_percent"
            ),
        ),
        migrations.AddConstraint(
            model_name="documentpart",
            constraint=models.UniqueConstraint(
                fields=("document", "number"), name="part_has_one_place"
            ),
        ),
    ]
