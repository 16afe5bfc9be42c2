"""Change the activity log directly in the database, like a forger who owns it."""

from contextlib import AbstractContextManager
from io import StringIO
from typing import Any

from django.core.management import CommandError, call_command

from audit.models import AuditEntry
from tests.triggers import triggers_off


def behind_its_back() -> AbstractContextManager[Any]:
    """Disable the triggers of the activity log, and yield a cursor."""
    return triggers_off("audit_auditentry")


def report() -> str:
    """Return the complaints of ``check_chronicle``; "" if it finds none."""
    complaints = StringIO()
    try:
        call_command("check_chronicle", stdout=StringIO(), stderr=complaints)
    except CommandError as error:
        assert error.returncode == 1
        return complaints.getvalue()
    return ""


def named(entry: AuditEntry, what: str) -> str:
    """Return the start of the report line about an entry: the entry and what was stored."""
    return f"activity log entry {entry.pk} ({entry.verb}, {entry.at:%Y-%m-%d %H:%M}): stored {what}"
