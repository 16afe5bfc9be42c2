"""A large installation, made inside PostgreSQL: all rows of a club, copied many times.

Every row is copied with new ids. UUIDs made in ``recognisable_ids`` begin with the same eight
digits. A copy has its number in place of these digits, in columns and in JSON, so that its rows
still refer to each other. Integer ids are increased by a million for each copy.
"""

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any
from unittest import mock

from django.apps import apps
from django.core.management import call_command
from django.db import connection, models

from audit.chains import extend_chain
from audit.models import AuditChain, AuditEntry
from core.models import FoldedField
from rulebook.chronicle.facts import FIRST_SEAL
from warbands.models import ChronicleEntry, ChronicleRegister, Warband
from warbands.services.chronicle import seal_of

MARK = "5eed0000"
RARE = "xanadu"
"""A word in names that copies replace: their names have another word and their number."""
SHARED = {
    "audit_auditchain",
    "audit_changecounter",
    "auth_group",
    "auth_group_permissions",
    "auth_permission",
    "django_content_type",
    "django_session",
    "exchange_signingkey",
}
"""Tables that belong to no club."""
DISTANCE = 1_000_000


@contextmanager
def recognisable_ids() -> Iterator[None]:
    """Make all UUIDs in the block begin with the mark."""
    urandom = os.urandom

    def marked(size: int) -> bytes:
        return bytes.fromhex(MARK) + urandom(size - 4) if size == 16 else urandom(size)

    with mock.patch("os.urandom", marked):
        yield


def copy_everything(copies: Iterable[int], values: Mapping[str, str] | None = None) -> None:
    """Copy all rows whose ids have the mark, and all rows that belong to them, once per number.

    The numbers begin with 1. ``values`` are SQL expressions for columns that differ in copies, by
    table and column: {"clubs_club.visibility": "'public'"}. A later UPDATE would leave the old
    values in the indexes.
    """
    columns = {
        f"{model._meta.db_table}.{field.column}"
        for model in _models()
        for field in model._meta.concrete_fields
    }
    assert set(values or {}) <= columns, "a value for a column that no table has"
    with connection.cursor() as cursor, as_it_is():
        cursor.execute("CREATE TEMP TABLE IF NOT EXISTS copies (n bigint)")
        cursor.execute("TRUNCATE copies")
        cursor.execute("INSERT INTO copies SELECT unnest(%s::bigint[])", [list(copies)])
        for model in _models():
            cursor.execute(_copy(model, values or {}))
    with connection.cursor() as cursor:
        # Autovacuum does this in time: the planner avoids a GIN index with a long pending list.
        cursor.execute(
            "SELECT gin_clean_pending_list(indexrelid) FROM pg_stat_user_indexes WHERE "
            "indexrelname LIKE %s",
            ["%\\_words"],
        )
        cursor.execute("ANALYZE")


@contextmanager
def as_it_is() -> Iterator[None]:
    """Disable triggers and key checks: copies are consistent, and checks take long."""
    with connection.cursor() as cursor:
        cursor.execute("SET session_replication_role = replica")
        yield
        cursor.execute("SET session_replication_role = origin")


def sign_everything() -> None:
    """Seal the copied chronicles, whose ids differ from the template's, and sign all rows."""
    with as_it_is():
        for warband in Warband.objects.prefetch_related("chronicle").iterator(1000):
            seal = FIRST_SEAL
            for entry in sorted(warband.chronicle.all(), key=lambda each: each.sequence):
                before, seal = seal, seal_of(entry, seal)
                ChronicleEntry.objects.filter(pk=entry.pk).update(previous_seal=before, seal=seal)
            Warband.objects.filter(pk=warband.pk).update(head_seal=seal)
        for chain in AuditChain.objects.all():
            chain.length, chain.seal = 0, ""
            entries = list(AuditEntry.objects.filter(chain=chain.pk).order_by("place"))
            extend_chain(chain, entries)
            AuditEntry.objects.bulk_update(entries, ["place", "seal"])
            chain.save()
    call_command("sign_chronicles", verbosity=0)


def _models() -> list[type[models.Model]]:
    every = {model._meta.db_table: model for model in apps.get_models(include_auto_created=True)}
    models = (
        model for model in every.values() if model._meta.managed and model is not ChronicleRegister
    )
    return [model for model in models if model._meta.db_table not in SHARED]


def _copy(model: type[models.Model], other: Mapping[str, str]) -> str:
    """Return SQL that copies the rows of a table that existed before all copies."""
    fields = [
        field for field in model._meta.concrete_fields if not getattr(field, "generated", False)
    ]
    columns = ", ".join(f'"{field.column}"' for field in fields)
    table, key = model._meta.db_table, _value(model._meta.pk)
    values = ", ".join(other.get(f"{table}.{field.column}") or _value(field) for field in fields)
    own = f'"{table}"."{model._meta.pk.column}"'
    # Copy only the template, not its copies.
    if key.endswith("::uuid"):
        template = f"{own}::text LIKE '{MARK}%'"
    else:
        template = f"{own} < {DISTANCE}" if key.endswith(str(DISTANCE)) else f"{own} NOT LIKE '%-%'"
    return (
        f'INSERT INTO "{table}" ({columns}) SELECT {values} FROM "{table}", copies WHERE {template}'
    )


def _value(field: models.Field) -> str:
    """Return the SQL expression of a column in a copy."""
    column = f'"{field.model._meta.db_table}"."{field.column}"'
    target: Any = field
    while target.remote_field:
        target = target.target_field
    kind = target.get_internal_type()
    if isinstance(field, FoldedField):
        return f"replace({column}, '{RARE}', 'erewhon' || n)"
    if (field.model, field.name) == (AuditEntry, "place"):
        return f"{column} + n * {DISTANCE}"
    if target.model._meta.db_table in SHARED:
        return column
    marked = f"replace({column}::text, '{MARK}', lpad(to_hex(n), 8, '0'))"
    if kind == "UUIDField":
        return f"{marked}::uuid"
    if target.primary_key and "Auto" in kind:
        return f"{column} + n * {DISTANCE}"
    if "JSON" in kind:
        return f"{marked}::{field.db_type(connection)}"
    if kind in ("CharField", "TextField", "EmailField", "SlugField"):
        room = f"left({marked}, {target.max_length - 12})" if target.max_length else marked
        return f"{room} || '-' || n" if target.unique else marked
    return column
