import uuid

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

INDEXES = {
    "account_by_username": ("auth_user", "username"),
    "account_by_first_name": ("auth_user", "first_name"),
    "account_by_last_name": ("auth_user", "last_name"),
    "account_by_email": ("auth_user", "email"),
    "address_by_email": ("account_emailaddress", "email"),
}
"""As PostgreSQL compares names without regard to case (``iexact``, ``istartswith``); SQLite has no use for them."""


def index_accounts(apps, schema_editor):
    """Index accounts by the beginning of their names and addresses, and by when they joined."""
    for name, (table, column) in (
        INDEXES.items() if schema_editor.connection.vendor == "postgresql" else ()
    ):
        schema_editor.execute(f"CREATE INDEX {name} ON {table} (UPPER({column}) text_pattern_ops)")
    schema_editor.execute("CREATE INDEX account_by_date_joined ON auth_user (date_joined)")


def drop_indexes(apps, schema_editor):
    """Drop them: they are on tables of other apps."""
    for name in INDEXES if schema_editor.connection.vendor == "postgresql" else ():
        schema_editor.execute(f"DROP INDEX {name}")
    schema_editor.execute("DROP INDEX account_by_date_joined")


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("auth", "0012_alter_user_first_name_max_length"),
        ("account", "0009_emailaddress_unique_primary_email"),
        ("knox", "0009_extend_authtoken_field"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="AccountSession",
            fields=[
                (
                    "session_key",
                    models.CharField(
                        max_length=40, primary_key=True, serialize=False, verbose_name="session key"
                    ),
                ),
                ("session_data", models.TextField(verbose_name="session data")),
                ("expire_date", models.DateTimeField(db_index=True, verbose_name="expire date")),
                (
                    "account",
                    models.ForeignKey(
                        db_constraint=False,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name": "session",
                "verbose_name_plural": "sessions",
                "abstract": False,
            },
        ),
        migrations.CreateModel(
            name="SentRequest",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("path", models.CharField(max_length=300)),
                ("key", models.CharField(max_length=100)),
                ("digest", models.CharField(max_length=64)),
                ("answer", models.BinaryField(default=b"")),
                ("created_at", models.DateTimeField(auto_now_add=True, db_index=True)),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("user", "path", "key"), name="request_answered_once"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="TokenDetails",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("name", models.CharField(blank=True, default="", max_length=80)),
                (
                    "scope",
                    models.CharField(
                        choices=[
                            ("read", "Read only"),
                            ("log", "Read, and log battles"),
                            ("organise", "Everything that the account may do"),
                        ],
                        default="organise",
                        max_length=10,
                    ),
                ),
                ("last_used_at", models.DateTimeField(blank=True, null=True)),
                (
                    "token",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="details",
                        to="knox.authtoken",
                    ),
                ),
            ],
        ),
        migrations.RunPython(index_accounts, drop_indexes),
    ]
