"""An empty database of SQLite gets all tables at once: the same as by all migrations."""

import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

MIGRATE = """
import os, sys
os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
import django
django.setup()
from django.core.management import call_command
from core.management.commands.migrate import Executor
if sys.argv[1] == "one by one":
    Executor._is_empty = lambda self: False
call_command("migrate", verbosity=0)
"""
UNSET = ("DATABASE_URL", "CELERY_BROKER_URL", "CACHE_URL", "MUSTER_MODE")


def migrated(folder: Path, way: str) -> Path:
    """Return the database of a new installation, migrated at once or one by one."""
    environment = {**os.environ, **dict.fromkeys(UNSET, ""), "VAR_DIR": str(folder)}
    command = [sys.executable, "-c", MIGRATE, way]
    subprocess.run(command, env=environment, check=True, capture_output=True)
    return folder / "muster.sqlite3"


def schema(database: Path) -> dict[str, list[str]]:
    """Return the definitions of the database by name, without the order of columns."""
    with closing(sqlite3.connect(database)) as connection:
        query = "SELECT name, COALESCE(sql, '') FROM sqlite_master"
        return {name: definition(sql) for name, sql in connection.execute(query)}


def definition(sql: str) -> list[str]:
    """Return the lines of a table in the order of the alphabet, or something else as it is."""
    if not sql.startswith("CREATE TABLE"):
        return [sql]
    return sorted(sql[sql.index("(") + 1 : -1].split(", "))


def rows(database: Path) -> dict[str, list[str]]:
    """Return the rows that a new database has, without ids and times."""
    queries = {
        "migrations": "SELECT app || name FROM django_migrations",
        "permissions": "SELECT codename FROM auth_permission",
        "types": "SELECT app_label || model FROM django_content_type",
        "chains": "SELECT COUNT(*) || '' FROM audit_auditchain",
        "registers": "SELECT COUNT(*) || '' FROM warbands_chronicleregister",
    }
    with closing(sqlite3.connect(database)) as connection:
        return {
            name: sorted(row for (row,) in connection.execute(query))
            for name, query in queries.items()
        }


def test_empty_database_gets_the_same_tables_at_once(tmp_path):
    at_once = migrated(tmp_path / "a", "at once")
    one_by_one = migrated(tmp_path / "b", "one by one")
    assert len(schema(at_once)) > 100
    assert schema(at_once) == schema(one_by_one)
    assert rows(at_once) == rows(one_by_one)
    assert len(rows(at_once)["migrations"]) > 50
