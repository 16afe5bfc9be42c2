"""Accounts are found by the beginning of their names and addresses, and by when they joined, without reading all."""

from typing import Any

from django.db import migrations

INDEXES = {
    "account_by_username": ("auth_user", "username"),
    "account_by_first_name": ("auth_user", "first_name"),
    "account_by_last_name": ("auth_user", "last_name"),
    "account_by_email": ("auth_user", "email"),
    "address_by_email": ("account_emailaddress", "email"),
}
"""As PostgreSQL compares names without regard to case (``iexact``, ``istartswith``); SQLite has no use for them."""
JOINED = "account_by_date_joined"


def index(apps: Any, editor: Any) -> None:
    """Make them."""
    for name, (table, column) in INDEXES.items() if editor.connection.vendor == "postgresql" else ():
        editor.execute(f"CREATE INDEX {name} ON {table} (UPPER({column}) text_pattern_ops)")
    editor.execute(f"CREATE INDEX {JOINED} ON auth_user (date_joined)")


def drop(apps: Any, editor: Any) -> None:
    """Drop them."""
    for name in INDEXES if editor.connection.vendor == "postgresql" else ():
        editor.execute(f"DROP INDEX {name}")
    editor.execute(f"DROP INDEX {JOINED}")


class Migration(migrations.Migration):
    dependencies = [
        ("core", "0004_sessions_say_whose_they_are"),
        ("account", "0009_emailaddress_unique_primary_email"),
        ("auth", "0012_alter_user_first_name_max_length"),
    ]
    operations = [migrations.RunPython(index, drop)]
