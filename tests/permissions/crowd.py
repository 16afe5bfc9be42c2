"""A large installation, made inside PostgreSQL: whatever there is of a club, copied as often as
wanted.

Every row is copied with other ids. UUIDs that were made in ``recognisable_ids`` begin with the same
eight digits; in a copy these digits are the copy's number, in columns and in JSON alike, so that
what belongs together still does. Whole numbers that are ids are moved by a million for each copy.
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
"""A word of names that copies do not have in their own: they are found by another one and their
number."""
SHARED = {
    "audit_auditchain",
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
    """All UUIDs that are made meanwhile begin with the mark."""
    urandom = os.urandom

    def marked(size: int) -> bytes:
        return bytes.fromhex(MARK) + urandom(size - 4) if size == 16 else urandom(size)

    with mock.patch("os.urandom", marked):
        yield


def copy_everything(copies: Iterable[int], values: Mapping[str, str] | None = None) -> None:
    """Copy all rows whose ids bear the mark, and all that go with them, once for each of these
    numbers from 1 on.

    ``values`` are SQL expressions for columns that differ in copies, by table and column:
    {"clubs_club.visibility": "'public'"}. Not by an UPDATE afterwards: indexes would still hold
    what was there before.
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
        # As autovacuum does in time: the planner shuns an index of words that has a long list of
        # what is still to do.
        cursor.execute(
            "SELECT gin_clean_pending_list(indexrelid) FROM pg_stat_user_indexes WHERE "
            "indexrelname LIKE %s",
            ["%\\_words"],
        )
        cursor.execute("ANALYZE")


@contextmanager
def as_it_is() -> Iterator[None]:
    """No trigger runs and no key is checked: copies are whole by construction, and to check takes
    most of the time."""
    with connection.cursor() as cursor:
        cursor.execute("SET session_replication_role = replica")
        yield
        cursor.execute("SET session_replication_role = origin")


def sign_everything() -> None:
    """Seal the copied chronicles, which name other ids than the template's, and sign all that there
    is."""
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
    """SQL that copies the rows of a table which were there before all copies."""
    fields = [
        field for field in model._meta.concrete_fields if not getattr(field, "generated", False)
    ]
    columns = ", ".join(f'"{field.column}"' for field in fields)
    table, key = model._meta.db_table, _value(model._meta.pk)
    values = ", ".join(other.get(f"{table}.{field.column}") or _value(field) for field in fields)
    own = f'"{table}"."{model._meta.pk.column}"'
    # Of the template only, not of its copies.
    if key.endswith("::uuid"):
        template = f"{own}::text LIKE '{MARK}%'"
    else:
        template = f"{own} < {DISTANCE}" if key.endswith(str(DISTANCE)) else f"{own} NOT LIKE '%-%'"
    return (
        f'INSERT INTO "{table}" ({columns}) SELECT {values} FROM "{table}", copies WHERE {template}'
    )


def _value(field: models.Field) -> str:
    """What stands in a column of a copy."""
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
        room = f"left({marked}, {field.max_length - 12})" if field.max_length else marked
        return f"{room} || '-' || n" if target.unique else marked
    return column
