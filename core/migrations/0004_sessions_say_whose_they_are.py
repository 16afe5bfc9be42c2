"""Sessions go into a table that says whose they are: everybody stays signed in."""

from typing import Any

import django.db.models.deletion
from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore
from django.db import migrations, models
from django.utils import timezone

BATCH = 500


def carry_over(apps: Any, schema_editor: Any) -> None:
    """Copy the open sessions, and empty Django's table."""
    old, new = apps.get_model("sessions", "Session"), apps.get_model("core", "AccountSession")
    accounts = set(apps.get_model("auth", "User").objects.values_list("pk", flat=True))
    rows = []
    for session in old.objects.filter(expire_date__gt=timezone.now()).iterator(BATCH):
        # Nothing is read from a session that the present key does not open.
        account = SessionStore().decode(session.session_data).get(SESSION_KEY, "")
        rows.append(
            new(
                session_key=session.session_key,
                session_data=session.session_data,
                expire_date=session.expire_date,
                account_id=int(account) if account.isdigit() and int(account) in accounts else None,
            )
        )
        if len(rows) == BATCH:
            new.objects.bulk_create(rows)
            rows = []
    new.objects.bulk_create(rows)
    old.objects.all().delete()


def carry_back(apps: Any, schema_editor: Any) -> None:
    """Copy them back."""
    old, new = apps.get_model("sessions", "Session"), apps.get_model("core", "AccountSession")
    columns = ("session_key", "session_data", "expire_date")
    rows = new.objects.values(*columns).iterator(BATCH)
    old.objects.bulk_create((old(**row) for row in rows), batch_size=BATCH)


class Migration(migrations.Migration):
    dependencies = [
        ("core", "0003_sent_requests"),
        ("sessions", "0001_initial"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="AccountSession",
            fields=[
                (
                    "session_key",
                    models.CharField(max_length=40, primary_key=True, serialize=False, verbose_name="session key"),
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
        migrations.RunPython(carry_over, carry_back),
    ]
