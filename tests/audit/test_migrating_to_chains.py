"""An upgrade puts the entries that are there into chains, and the triggers are back afterwards."""

import pytest
from django.db import DatabaseError, connection, transaction
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.state import StateApps
from django.utils import timezone

from audit.chains import import_chain_of
from audit.models import AuditEntry
from audit.services.proof import check_audit

BEFORE = ("audit", "0003_from_archives")


def migrated(*targets: tuple[str, str]) -> StateApps:
    executor = MigrationExecutor(connection)
    executor.migrate([*targets] or executor.loader.graph.leaf_nodes())
    return MigrationExecutor(connection).loader.project_state([*targets]).apps


@pytest.mark.django_db(transaction=True)
def test_entries_of_an_upgraded_installation_are_chained() -> None:
    try:
        entries = migrated(BEFORE).get_model("audit", "AuditEntry").objects
        columns = {"at": timezone.now(), "verb": "club.changed", "subject_kind": "club", "face": "page"}
        for actor in (1, 2, 1, None):
            entries.create(actor_id=actor, details={"changes": {"name": ["A", "B"]}}, **columns)
        entries.create(actor_id=1, origin="f" * 32, number=3, brought_by="e" * 32, **columns)
    finally:
        migrated()
    places = AuditEntry.objects.order_by("pk").values_list("chain", "place")
    assert list(places) == [(1, 1), (2, 1), (1, 2), (0, 1), (import_chain_of(None), 1)]
    assert list(check_audit()) == []
    for statement in ("UPDATE audit_auditentry SET verb = 'x'", "DELETE FROM audit_auditentry"):
        with pytest.raises(DatabaseError, match="append-only"), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(statement)
