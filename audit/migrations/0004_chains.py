"""Chains of entries: the columns, the ends of all chains, and a place and a seal for each entry that is there.

Columns that may be empty are added without touching a row. The entries that are there get their places once, while the
triggers that refuse changes are away; all of it is one transaction. An upgrade takes what it finds for true.
"""

from collections.abc import Iterator
from importlib import import_module
from typing import Any

from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from audit.chains import CHAINS, chain_of, extend_chain, import_chain_of, sign_chain

BATCH = 2000
TRIGGERS = import_module("audit.migrations.0002_append_only")
STATEMENT = "UPDATE audit_auditentry SET chain = %s, place = %s, seal = %s WHERE id = %s"


def chain_entries(apps: Any, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Make every chain, and put the entries into them in the order of their ids."""
    chain_type = apps.get_model("audit", "AuditChain")
    chains = [chain_type(pk=number) for number in range(CHAINS)]
    for chain in chains:
        sign_chain(chain)
    for entries in _batches(apps.get_model("audit", "AuditEntry").objects):
        changes = []
        for entry in entries:
            imported = entry.origin is not None
            number = import_chain_of(entry.club) if imported else chain_of(entry.actor_id, entry.club)
            extend_chain(chains[number], [entry])
            changes.append((entry.chain, entry.place, entry.seal, entry.pk))
        with schema_editor.connection.cursor() as cursor:
            cursor.executemany(STATEMENT, changes)
    chain_type.objects.bulk_create(chains)


def unchain_entries(apps: Any, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """The way back: columns and table go with the operations before."""


def _batches(entries: Any) -> Iterator[list[Any]]:
    last = 0
    while batch := list(entries.filter(pk__gt=last).order_by("pk")[:BATCH]):
        yield batch
        last = batch[-1].pk


class Migration(migrations.Migration):
    dependencies = [("audit", "0003_from_archives")]

    operations = [
        migrations.CreateModel(
            name="AuditChain",
            fields=[
                ("id", models.PositiveSmallIntegerField(primary_key=True, serialize=False)),
                ("length", models.PositiveIntegerField(default=0)),
                ("seal", models.CharField(blank=True, default="", max_length=64)),
                ("signature", models.CharField(blank=True, default="", max_length=64)),
            ],
        ),
        migrations.AddField("auditentry", "chain", models.PositiveSmallIntegerField(null=True)),
        migrations.AddField("auditentry", "place", models.PositiveIntegerField(null=True)),
        migrations.AddField("auditentry", "seal", models.CharField(max_length=64, null=True)),
        migrations.RunPython(TRIGGERS.allow_changes, TRIGGERS.refuse_changes),
        migrations.RunPython(chain_entries, unchain_entries),
        migrations.AddConstraint(
            "auditentry",
            models.UniqueConstraint(
                fields=("chain", "place"),
                condition=models.Q(("chain__isnull", False)),
                name="one_place_in_an_audit_chain",
            ),
        ),
        migrations.RunPython(TRIGGERS.refuse_changes, TRIGGERS.allow_changes),
    ]
