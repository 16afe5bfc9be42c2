"""Somebody who owns the database, writes to the activity log behind Muster's back."""

from contextlib import AbstractContextManager
from io import StringIO
from typing import Any

from django.core.management import CommandError, call_command

from audit.models import AuditEntry
from tests.triggers import triggers_off


def behind_its_back() -> AbstractContextManager[Any]:
    """The triggers of the activity log are off. Gives a cursor."""
    return triggers_off("audit_auditentry")


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
