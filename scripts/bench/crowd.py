"""A large installation, made inside PostgreSQL: all rows of the database, copied many times.

Runs inside any version of Muster, so it knows its tables only from Django.

Copy number n replaces the first eight digits of every UUID, in columns, texts and JSON, by n. So
its rows still refer to each other, and ``copied_id`` finds them. Whole numbers that are keys are
increased by a million for each copy. Seals become other seals, in chains as before; they prove
nothing, unless ``seal_copies`` of ``federation`` computes them.
"""

from collections.abc import Iterable
from typing import Any

from django.apps import apps
from django.db import connection, models, transaction

SHARED = {
    "audit_auditchain",
    "audit_changecounter",
    "auth_group",
    "auth_group_permissions",
    "auth_permission",
    "django_content_type",
    "django_session",
    "exchange_signingkey",
    "warbands_chronicleregister",
}
"""Tables that belong to no club."""
DISTANCE = 1_000_000
COUNTED = {"audit_auditentry.place", "audit_change.cursor"}
"""Columns of whole numbers that are unique without being keys."""
RARE, OTHER = "xanadu", "erewhon"
"""A word in every name of the template, and the word in its place, with the number of the copy."""
IDS = r"\m[0-9a-f]{8}(-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\M"
ID_OF_COPY = r"lpad(to_hex(n), 8, '0') || '\1'"
AT_ONCE = 50
"""The number of copies in one statement."""


def copied_id(key: str, number: int) -> str:
    """Return the id of a row in a copy; number 0 is the template."""
    return f"{number:08x}{key[8:]}" if number else key


def copy_all(copies: Iterable[int]) -> None:
    """Copy all rows of the template, once per number from 1 on.

    The template are all rows that exist when this is first called.
    """
    numbers = list(copies)
    tables = _models()
    with connection.cursor() as cursor:
        for model in tables:
            table = model._meta.db_table
            # Names come from the models, never from input.
            cursor.execute(f'CREATE TABLE IF NOT EXISTS "template_{table}" AS TABLE "{table}"')
        for start in range(0, len(numbers), AT_ONCE):
            with transaction.atomic():
                # Copies are consistent, and checking each key again takes most of the time.
                cursor.execute("SET LOCAL session_replication_role = replica")
                for model in tables:
                    cursor.execute(_copy(model), [numbers[start : start + AT_ONCE]])


def finish() -> None:
    """Forget what was the template, and let the database maintain its tables."""
    with connection.cursor() as cursor:
        for model in _models():
            cursor.execute(f'DROP TABLE IF EXISTS "template_{model._meta.db_table}"')
        cursor.execute("VACUUM ANALYZE")


def _models() -> list[type[models.Model]]:
    every = {model._meta.db_table: model for model in apps.get_models(include_auto_created=True)}
    return [
        model
        for table, model in every.items()
        if model._meta.managed and not model._meta.proxy and table not in SHARED
    ]


def _copy(model: type[models.Model]) -> str:
    """Return SQL that copies the template's rows of a table, once for each number."""
    fields = [
        field for field in model._meta.concrete_fields if not getattr(field, "generated", False)
    ]
    columns = ", ".join(f'"{field.column}"' for field in fields)
    values = ", ".join(_value(field) for field in fields)
    table = model._meta.db_table
    copies = f'"template_{table}" t, unnest(%s::bigint[]) n'
    return f'INSERT INTO "{table}" ({columns}) SELECT {values} FROM {copies} ORDER BY n'  # noqa: S608


def _value(field: Any) -> str:
    """Return the SQL expression of a column in a copy."""
    column = f't."{field.column}"'
    target = field
    while target.remote_field:
        target = target.target_field
    kind = target.get_internal_type()
    if target.model._meta.db_table in SHARED:
        return column
    if f"{field.model._meta.db_table}.{field.name}" in COUNTED:
        return f"{column} + n * {DISTANCE}"
    if kind == "UUIDField":
        return f"(lpad(to_hex(n), 8, '0') || substr({column}::text, 9))::uuid"
    if target.primary_key and "Auto" in kind:
        return f"{column} + n * {DISTANCE}"
    if "JSON" in kind:
        return f"{_marked(column)}::{field.db_type(connection)}"
    if kind in ("CharField", "TextField", "EmailField", "SlugField"):
        return _text(field, target, column)
    return column


def _text(field: Any, target: Any, column: str) -> str:
    if field.column.endswith("seal"):
        # A seal of nothing stays as it is: a chain begins with it.
        other = f"left(md5(n || {column}) || md5({column} || n), length({column}))"
        return f"CASE WHEN {column} ~ '[1-9a-f]' THEN {other} ELSE {column} END"
    marked = _marked(column)
    room = f"left({marked}, {target.max_length - 12})" if target.max_length else marked
    return f"{room} || '-' || n" if target.unique else marked


def _marked(column: str) -> str:
    """Return SQL for a text or JSON with the copy's ids and words."""
    ids = f"regexp_replace({column}::text, '{IDS}', {ID_OF_COPY}, 'g')"
    lower = f"replace({ids}, '{RARE}', '{OTHER}' || n)"
    return f"replace({lower}, '{RARE.title()}', '{OTHER.title()}' || n)"
