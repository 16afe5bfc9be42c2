"""Write the database of a release in two forms, and restore them for a test.

On SQLite it is the file itself, on PostgreSQL a dump as SQL. Both have the tables that the migrations
of that release made: a test restores one and applies only what is missing, as an upgrade does.
"""

import lzma
import re
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from django.db import connection

from operations.database_dumps import _environment

SQLITE, POSTGRES = "sqlite.xz", "postgres.xz"
UNKNOWN_ELSEWHERE = ("\\restrict ", "\\unrestrict ", "SET transaction_timeout ")
"""The beginnings of lines of newer versions of pg_dump that older servers and clients refuse."""


def keep_sqlite(database: Path, folder: Path) -> None:
    """Write an SQLite file, of which nobody else has a connection, into the folder of a release."""
    with closing(sqlite3.connect(database)) as file:
        # One file without a separate log, and without what was deleted.
        file.execute("PRAGMA journal_mode=DELETE")
        file.execute("VACUUM")
    (folder / SQLITE).write_bytes(lzma.compress(database.read_bytes(), preset=9))


def keep_postgres(address: str, folder: Path) -> None:
    """Write a dump of the PostgreSQL database at the address into the folder of a release."""
    command = ["pg_dump", "--no-owner", "--no-privileges", f"--dbname={address}"]
    dump = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    lines = dump.splitlines(keepends=True)
    script = "".join(line for line in lines if not line.startswith(UNKNOWN_ELSEWHERE))
    (folder / POSTGRES).write_bytes(lzma.compress(script.encode(), preset=9))


@contextmanager
def restored(folder: Path, scratch: Path) -> Iterator[None]:
    """Restore the kept database of this engine next to the test database, and switch to it.

    ``scratch`` is an empty folder.
    """
    if connection.vendor == "sqlite":
        file = scratch / "kept.sqlite3"
        file.write_bytes(lzma.decompress((folder / SQLITE).read_bytes()))
        with switched_to(str(file)):
            yield
        return
    name = f"{connection.settings_dict['NAME']}_kept"
    with connection.cursor() as cursor:
        # A killed run may have left one behind.
        cursor.execute(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')
        cursor.execute(f'CREATE DATABASE "{name}" TEMPLATE template0')
    try:
        with switched_to(name):
            _run_script(lzma.decompress((folder / POSTGRES).read_bytes()))
            yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute(f'DROP DATABASE "{name}" WITH (FORCE)')
        connection.close()


@contextmanager
def switched_to(name: str) -> Iterator[None]:
    """Switch to another database of the same server, or to another file."""
    before = connection.settings_dict["NAME"]
    connection.close()
    connection.settings_dict["NAME"] = name
    try:
        yield
    finally:
        connection.close()
        connection.settings_dict["NAME"] = before


def _run_script(script: bytes) -> None:
    command = ["psql", "--no-psqlrc", "--quiet", "--set=ON_ERROR_STOP=1", "--single-transaction"]
    environment = _environment()
    subprocess.run(command, check=True, input=script, capture_output=True, env=environment)


def tables_of(database: Path) -> dict[str, int]:
    """Return the number of rows of each table of an SQLite file that has any."""
    with closing(sqlite3.connect(database)) as file:
        names = file.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
        numbers = {
            name: file.execute(f'SELECT count(*) FROM "{name}"').fetchone()[0] for (name,) in names
        }
    return {name: number for name, number in sorted(numbers.items()) if number}


def schema_of_database() -> set[str]:
    """Return the columns, indexes, constraints and triggers of the present database as texts."""
    with connection.cursor() as cursor:
        lines: set[str] = set()
        for query in SCHEMA[connection.vendor]:
            cursor.execute(query)
            lines |= {
                CASTS.sub("", " ".join(str(part) for part in row)) for row in cursor.fetchall()
            }
    return lines


CASTS = re.compile(r"::(character varying|text)(\[\])?|[()]")
"""The parts of a condition that PostgreSQL writes in another way after a dump and a restore."""
SCHEMA = {
    "sqlite": (
        "SELECT type, name, tbl_name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite_%'",
    ),
    "postgresql": (
        "SELECT 'column', table_name, column_name, data_type, character_maximum_length, "
        "is_nullable, column_default, is_identity, generation_expression "
        "FROM information_schema.columns WHERE table_schema = 'public'",
        "SELECT 'index', indexdef FROM pg_indexes WHERE schemaname = 'public'",
        "SELECT 'constraint', conrelid::regclass, conname, pg_get_constraintdef(oid) "
        "FROM pg_constraint WHERE connamespace = 'public'::regnamespace",
        "SELECT 'trigger', pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal",
        "SELECT 'function', pg_get_functiondef(oid) FROM pg_proc "
        "WHERE pronamespace = 'public'::regnamespace",
    ),
}
"""Queries that describe the schema of a database, by its engine."""
