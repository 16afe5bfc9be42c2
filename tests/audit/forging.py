"""Somebody who owns the database, writes to the activity log behind Muster's back."""

from collections.abc import Iterator
from contextlib import contextmanager
from io import StringIO
from typing import Any

from django.core.management import CommandError, call_command
from django.db import connection

from audit.models import AuditEntry


@contextmanager
def behind_its_back() -> Iterator[Any]:
    """The triggers of the activity log are off. Yields a cursor."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
            cursor.execute("ALTER TABLE audit_auditentry DISABLE TRIGGER USER")
            yield cursor
            cursor.execute("ALTER TABLE audit_auditentry ENABLE TRIGGER USER")
            return
        cursor.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND name LIKE 'audit%'")
        triggers = cursor.fetchall()
        for name, _ in triggers:
            cursor.execute(f"DROP TRIGGER {name}")
        yield cursor
        for _, sql in triggers:
            cursor.execute(sql)


def report() -> str:
    """What ``check_chronicle`` complains of; "" where it proves everything."""
    complaints = StringIO()
    try:
        call_command("check_chronicle", stdout=StringIO(), stderr=complaints)
    except CommandError as error:
        assert error.returncode == 1
        return complaints.getvalue()
    return ""


def named(entry: AuditEntry, what: str) -> str:
    """The line that names an entry and what was done to it."""
    return f"activity log entry {entry.pk} ({entry.verb}, {entry.at:%Y-%m-%d %H:%M}): stored {what}"
