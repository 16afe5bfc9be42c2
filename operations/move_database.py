"""Copy the rows of a database into another kind of database: SQLite to PostgreSQL, and back.

The rows move in a backup whose database is an SQLite file (docs/backups.md, "From a laptop to a
server"). Backups of SQLite contain such a file anyway; for PostgreSQL `backup --portable`
fills one and `restore` reads one. The tables of all models are copied, so new models need no entry
in a list. Afterwards each table is compared.
"""

import hashlib
import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from decimal import Decimal
from itertools import islice
from pathlib import Path
from typing import Any
from urllib.parse import quote

from django.apps import apps
from django.conf import settings
from django.contrib.contenttypes.models import ContentType
from django.core.management import call_command
from django.db import DEFAULT_DB_ALIAS, DatabaseError, connection, connections, models, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.sqlite3.base import DatabaseWrapper
from django.db.migrations.recorder import MigrationRecorder
from django.db.models.functions import Cast

from operations.database_dumps import PATIENCE, BackupError

PORTABLE = "portable"
"""The alias of the open SQLite file."""
BATCH = 500
"""The number of rows read and written at a time."""

Table = type[models.Model]


@dataclass
class DatabaseContent:
    """The content of one table, in any order: the number of rows and the sum of their hashes."""

    rows: int = 0
    digest: int = field(default=0, repr=False)

    def add(self, row: Iterable[str]) -> None:
        """Add a row, with its values in a form that is the same on every database."""
        self.rows += 1
        self.digest += int.from_bytes(hashlib.sha256("\0".join(row).encode()).digest())


def stored_models() -> list[Table]:
    """Return every model with its own table, including the tables of many-to-many relations."""
    return [model for model in apps.get_models(include_auto_created=True) if model._meta.managed]


def dump_portable(target: Path) -> int:
    """Write the rows of this PostgreSQL database into a new SQLite file. Return their number.

    All rows come from one snapshot, even if others write at the same time. Raises BackupError.
    """
    _migrate_file(target)
    with _opened(target) as file, transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
        return copy_rows(connection, file)


def load_portable(dump: Path) -> int:
    """Replace the rows of this PostgreSQL database with those of an SQLite file.

    Returns their number. A file of an older version gets the missing migrations. Raises
    BackupError, and then the rows are unchanged.
    """
    _migrate_file(dump)
    call_command("migrate", interactive=False, verbosity=0)
    with _opened(dump) as file:
        rows = copy_rows(file, connection)
    ContentType.objects.clear_cache()
    return rows


def count_rows(dump: Path) -> dict[str, int]:
    """Return the number of rows of each table of an SQLite file."""
    with closing(sqlite3.connect(dump)) as file:
        tables = file.execute(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
        )
        return {
            name: file.execute(f'SELECT count(*) FROM "{name}"').fetchone()[0]  # noqa: S608
            for (name,) in tables.fetchall()
        }


def copy_rows(source: BaseDatabaseWrapper, target: BaseDatabaseWrapper) -> int:
    """Replace all rows of the target in one transaction and compare each table.

    Returns the number of rows. Raises BackupError if a row is refused or a table differs
    afterwards. Then nothing has changed.
    """
    _refuse_other_tables(source, target)
    tables = stored_models()
    try:
        with transaction.atomic(using=target.alias):
            # Step 1: drop the triggers that keep chronicles and audit append-only, then empty the
            # tables.
            _wait_for_locks(target)
            renew_triggers = _drop_triggers(target, tables)
            _empty(target, tables)
            # Step 2: copy in any order, because foreign keys are checked at the end.
            contents = {model: _copy(model, source, target) for model in tables}
            for model in tables:
                _continue_ids(model, source, target)
            target.check_constraints()
            _execute(target, *renew_triggers)
            # Step 3: read everything again and compare.
            for model, sent in contents.items():
                arrived = _content(model, _rows(model, target))
                if arrived != sent:
                    raise BackupError(
                        f"{model._meta.db_table} was not copied correctly: "
                        f"{sent.rows} rows were sent, {arrived.rows} arrived"
                        f"{' with other values' if arrived.rows == sent.rows else ''}. Nothing was "
                        "changed."
                    )
    except DatabaseError as error:
        raise BackupError(
            f"{target.display_name} refused the rows, and nothing was changed: {error}"
        ) from error
    return sum(content.rows for content in contents.values())


def _refuse_other_tables(source: BaseDatabaseWrapper, target: BaseDatabaseWrapper) -> None:
    """Raise BackupError if the two databases have different migrations."""
    here, away = (
        {".".join(key) for key in MigrationRecorder(each).applied_migrations()}
        for each in (source, target)
    )
    if here != away:
        raise BackupError(
            "The database is not at this version of Muster: "
            f"{', '.join(sorted(here ^ away)[:3])}. "
            "Run `manage.py migrate`, then try again."
        )


def _columns(model: Table) -> "list[models.Field[Any, Any]]":
    return [column for column in model._meta.local_concrete_fields if not column.generated]


def _rows(model: Table, database: BaseDatabaseWrapper) -> Iterator[tuple[Any, ...]]:
    """Yield the values of every row.

    JSON is read as text, so that a JSON null is not mistaken for a missing value.
    """
    values = [
        Cast(column.attname, models.TextField())
        if isinstance(column, models.JSONField)
        else column.attname
        for column in _columns(model)
    ]
    rows = model._base_manager.using(database.alias).order_by("pk").values_list(*values)
    return rows.iterator(BATCH)


def _copy(
    model: Table, source: BaseDatabaseWrapper, target: BaseDatabaseWrapper
) -> DatabaseContent:
    rows = _rows(model, source)
    content = DatabaseContent()
    while batch := list(islice(rows, BATCH)):
        _insert(model, batch, target)
        for row in _comparable(model, batch):
            content.add(row)
    return content


def _insert(model: Table, rows: list[tuple[Any, ...]], target: BaseDatabaseWrapper) -> None:
    """Insert values unchanged: `save` would set times and folded names again."""
    columns = _columns(model)
    names = ", ".join(target.ops.quote_name(str(column.column)) for column in columns)
    statement = (
        f"INSERT INTO {_table(model, target)} ({names}) VALUES "  # noqa: S608
        f"({', '.join(['%s'] * len(columns))})"
    )
    plain = models.TextField()
    kinds = [plain if isinstance(column, models.JSONField) else column for column in columns]
    values = [
        [kind.get_db_prep_save(value, target) for kind, value in zip(kinds, row, strict=True)]
        for row in rows
    ]
    try:
        with transaction.atomic(using=target.alias), target.cursor() as cursor:
            cursor.executemany(statement, values)
    except DatabaseError as error:
        if len(rows) == 1:
            key = rows[0][columns.index(model._meta.pk)]
            raise BackupError(
                f"{target.display_name} refused the row {key!s} of {model._meta.db_table}: "
                f"{str(error).strip()} "
                "Nothing was changed. Correct this row in the old database, and make another "
                "backup."
            ) from error
        # Insert them one by one to find the refused row.
        for row in rows:
            _insert(model, [row], target)


def _content(model: Table, rows: Iterable[tuple[Any, ...]]) -> DatabaseContent:
    content = DatabaseContent()
    for row in _comparable(model, rows):
        content.add(row)
    return content


def _comparable(model: Table, rows: Iterable[tuple[Any, ...]]) -> Iterator[list[str]]:
    """Yield rows in a form that is the same on every database."""
    forms = [
        _same_json if isinstance(column, models.JSONField) else _same_value
        for column in _columns(model)
    ]
    for row in rows:
        yield [form(value) for form, value in zip(forms, row, strict=True)]


def _same_value(value: Any) -> str:
    if isinstance(value, memoryview):
        return repr(bytes(value))
    return repr(value.astimezone(UTC) if isinstance(value, datetime) else value)


def _same_json(text: str | None) -> str:
    """Return JSON in a normal form: PostgreSQL orders keys and writes numbers differently."""
    if text is None:
        return "none"
    content = json.loads(text, parse_int=Decimal, parse_float=Decimal)
    return json.dumps(content, sort_keys=True, default=lambda number: f"{number.normalize() + 0:f}")


def _continue_ids(model: Table, source: BaseDatabaseWrapper, target: BaseDatabaseWrapper) -> None:
    """Continue the target's ids after the source's last one, even if its row was deleted since."""
    key = model._meta.pk
    if not isinstance(key, models.AutoField | models.BigAutoField | models.SmallAutoField):
        return
    highest = model._base_manager.using(target.alias).aggregate(highest=models.Max("pk"))["highest"]
    last = max(_last_id(model, source) or 0, highest or 0)
    table = _table(model, target)
    with target.cursor() as cursor:
        if target.vendor == "postgresql":
            sequence = "pg_get_serial_sequence(%s, %s)"
            cursor.execute(
                f"SELECT setval({sequence}, %s, %s)", [table, key.column, max(last, 1), last > 0]
            )
        else:
            cursor.execute("DELETE FROM sqlite_sequence WHERE name = %s", [model._meta.db_table])
            cursor.execute(
                "INSERT INTO sqlite_sequence (name, seq) VALUES (%s, %s)",
                [model._meta.db_table, last],
            )


def _last_id(model: Table, source: BaseDatabaseWrapper) -> int | None:
    with source.cursor() as cursor:
        if source.vendor == "postgresql":
            statement = "SELECT pg_sequence_last_value(pg_get_serial_sequence(%s, %s)::regclass)"
            cursor.execute(statement, [_table(model, source), model._meta.pk.column])
        else:
            cursor.execute(
                "SELECT seq FROM sqlite_sequence WHERE name = %s", [model._meta.db_table]
            )
        row = cursor.fetchone()
    return row[0] if row else None


def _drop_triggers(target: BaseDatabaseWrapper, tables: list[Table]) -> list[str]:
    """Disable triggers in this transaction. Return the statements that restore them."""
    if target.vendor == "postgresql":
        names = [_table(model, target) for model in tables]
        _execute(target, *(f"ALTER TABLE {name} DISABLE TRIGGER USER" for name in names))
        return [f"ALTER TABLE {name} ENABLE TRIGGER USER" for name in names]
    with target.cursor() as cursor:
        cursor.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
        triggers = dict(cursor.fetchall())
    _execute(target, *(f"DROP TRIGGER {target.ops.quote_name(name)}" for name in triggers))
    return list(triggers.values())


def _empty(target: BaseDatabaseWrapper, tables: list[Table]) -> None:
    """Delete all rows of the tables, including those that migrations have written."""
    names = [_table(model, target) for model in tables]
    if target.vendor == "postgresql":
        _execute(target, f"TRUNCATE {', '.join(names)}")
    else:
        _execute(target, *(f"DELETE FROM {name}" for name in names))  # noqa: S608


def _wait_for_locks(target: BaseDatabaseWrapper) -> None:
    if target.vendor == "postgresql":
        _execute(target, f"SET LOCAL lock_timeout = '{PATIENCE}s'")


def _execute(target: BaseDatabaseWrapper, *statements: str) -> None:
    with target.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)


def _table(model: Table, database: BaseDatabaseWrapper) -> str:
    return str(database.ops.quote_name(model._meta.db_table))


def _migrate_file(file: Path) -> None:
    """Migrate an SQLite file in a separate process: migrations use their process's database."""
    environment = {**os.environ, "DATABASE_URL": f"sqlite:///{quote(str(file.resolve()))}"}
    environment.pop("DATABASE_URL_FILE", None)
    command = [
        sys.executable,
        "manage.py",
        "migrate",
        "--no-input",
        "--skip-checks",
        "--verbosity",
        "0",
    ]
    done = subprocess.run(  # noqa: S603
        command, cwd=settings.BASE_DIR, env=environment, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise BackupError(f"Could not migrate the SQLite file: {done.stderr.strip()[-500:]}")
    with closing(sqlite3.connect(file)) as database:
        # Keep a single file without a separate log.
        database.execute("PRAGMA journal_mode=DELETE")


@contextmanager
def _opened(file: Path) -> Iterator[BaseDatabaseWrapper]:
    """Yield a connection to an SQLite file, under the alias PORTABLE while it is open."""
    database = {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": str(file),
        "OPTIONS": {"transaction_mode": "IMMEDIATE"},
    }
    configured = connections.configure_settings({DEFAULT_DB_ALIAS: database})[DEFAULT_DB_ALIAS]
    connections[PORTABLE] = DatabaseWrapper(configured, alias=PORTABLE)
    try:
        yield connections[PORTABLE]
    finally:
        connections[PORTABLE].close()
        del connections[PORTABLE]
