import uuid

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("auth", "0012_alter_user_first_name_max_length"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="AccountLetter",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("address", models.EmailField(max_length=320)),
                ("subject", models.CharField(max_length=200)),
                ("body", models.TextField()),
                ("written_at", models.DateTimeField()),
                ("claimed_at", models.DateTimeField(blank=True, null=True)),
            ],
            options={
                "ordering": ("written_at", "id"),
            },
        ),
        migrations.CreateModel(
            name="Device",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("name", models.CharField(max_length=60)),
                ("endpoint", models.CharField(max_length=1000, unique=True)),
                ("key", models.CharField(max_length=100)),
                ("secret", models.CharField(max_length=40)),
                ("added_at", models.DateTimeField()),
                ("told_at", models.DateTimeField(blank=True, null=True)),
                (
                    "looked_at",
                    models.DateTimeField(db_index=True, default=django.utils.timezone.now),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="devices",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ("-added_at", "id"),
            },
        ),
        migrations.CreateModel(
            name="Letter",
            fields=[
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
                            (
                                "this-week",
                                "Immediately for this week's tasks, daily for the rest",
                            ),
                            ("at-once", "Immediately"),
                            ("daily", "Daily, if there is something new"),
                            ("weekly", "Weekly on Mondays, if there is something to do"),
                            ("never", "Never"),
                        ],
                        max_length=10,
                    ),
                ),
                ("day", models.DateField()),
                ("claimed_at", models.DateTimeField()),
                ("sent_at", models.DateTimeField(blank=True, null=True)),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="letters",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ("-claimed_at", "id"),
            },
        ),
        migrations.CreateModel(
            name="Notice",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("kind", models.CharField(max_length=20)),
                ("subject", models.UUIDField()),
                ("occasion", models.CharField(blank=True, default="", max_length=64)),
                (
                    "letter",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="notices",
                        to="home.letter",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="notices",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ("id",),
            },
        ),
        migrations.CreateModel(
            name="Preferences",
            fields=[
                (
                    "user",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="inbox_preferences",
                        serialize=False,
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "mail",
                    models.CharField(
                        choices=[
                            (
                                "this-week",
                                "Immediately for this week's tasks, daily for the rest",
                            ),
                            ("at-once", "Immediately"),
                            ("daily", "Daily, if there is something new"),
                            ("weekly", "Weekly on Mondays, if there is something to do"),
                            ("never", "Never"),
                        ],
                        default="this-week",
                        max_length=10,
                    ),
                ),
                ("time_zone", models.CharField(blank=True, default="", max_length=64)),
                (
                    "language",
                    models.CharField(
                        blank=True,
                        choices=[("en-gb", "English"), ("de", "Deutsch")],
                        default="",
                        max_length=10,
                    ),
                ),
                ("digested_on", models.DateField(blank=True, null=True)),
                ("looked_at", models.DateTimeField(default=django.utils.timezone.now)),
            ],
            options={
                "verbose_name_plural": "preferences",
                "indexes": [
                    models.Index(
                        fields=["mail", "time_zone", "digested_on"], name="preferences_digest"
                    ),
                    models.Index(fields=["mail", "looked_at"], name="preferences_looked_at"),
                ],
            },
        ),
        migrations.CreateModel(
            name="DeviceNotice",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("kind", models.CharField(max_length=20)),
                ("subject", models.UUIDField()),
                ("occasion", models.CharField(blank=True, default="", max_length=64)),
                (
                    "device",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="notices",
                        to="home.device",
                    ),
                ),
            ],
            options={
                "ordering": ("id",),
                "constraints": [
                    models.UniqueConstraint(
                        fields=("device", "kind", "subject", "occasion"), name="shown_once"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Dismissal",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("kind", models.CharField(max_length=20)),
                ("subject", models.UUIDField()),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="dismissals",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ("id",),
                "constraints": [
                    models.UniqueConstraint(
                        fields=("user", "kind", "subject"), name="dismissed_once"
                    )
                ],
            },
        ),
        migrations.AddIndex(
            model_name="letter",
            index=models.Index(fields=["-claimed_at", "id"], name="letters_newest_first"),
        ),
        migrations.AddConstraint(
            model_name="letter",
            constraint=models.UniqueConstraint(
                condition=models.Q(("kind", "at-once"), _negated=True),
                fields=("user", "kind", "day"),
                name="one_digest_a_day",
            ),
        ),
        migrations.AddConstraint(
            model_name="notice",
            constraint=models.UniqueConstraint(
                fields=("user", "kind", "subject", "occasion"), name="told_once"
            ),
        ),
    ]
