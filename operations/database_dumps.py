"""Dump the whole database into one file, and load it: SQLite and PostgreSQL, while Muster runs.

Dumps are consistent even while others write. Loading is one transaction: if it is killed, nothing
has changed.
"""

import ctypes
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

from django.contrib.auth.models import Permission
from django.contrib.contenttypes.models import ContentType
from django.contrib.sessions.models import Session
from django.db import connection
from psycopg.pq import Conninfo

from audit.models import AuditChain
from core.models import AccountSession
from warbands.models import ChronicleRegister

PATIENCE = 60
"""The number of seconds that loading waits for other users of the database."""
DONE = "muster-restored"
"""The line that psql prints after it has run the whole script."""
PR_SET_PDEATHSIG = 1
"""The option of prctl(2) for a signal at the parent's death."""
HOUSEKEEPING = {
    model._meta.db_table
    for model in (ContentType, Permission, Session, AccountSession, AuditChain, ChronicleRegister)
}
"""Tables that migrations or ordinary visits fill, so they do not count as data."""


class BackupError(Exception):
    """A backup cannot be made or restored. The text tells the server's operator why."""


def dump_database(target: Path) -> None:
    """Write the database into a new file. Raises BackupError."""
    _of_this_engine(_dump_sqlite, _dump_postgres)(target)


def load_database(dump: Path) -> None:
    """Replace the whole database with a dump. Raises BackupError, and then nothing has changed."""
    connection.close()
    _of_this_engine(_load_sqlite, _load_postgres)(dump)


def holds_data() -> bool:
    """Return whether this database contains any data of users."""
    tables = set(connection.introspection.django_table_names(only_existing=True)) - HOUSEKEEPING
    with connection.cursor() as cursor:
        for table in sorted(tables):
            cursor.execute(f"SELECT 1 FROM {connection.ops.quote_name(table)} LIMIT 1")  # noqa: S608
            if cursor.fetchone():
                return True
    return False


def _of_this_engine(
    sqlite: Callable[[Path], None], postgres: Callable[[Path], None]
) -> Callable[[Path], None]:
    return {"sqlite": sqlite, "postgresql": postgres}[connection.vendor]


def _dump_sqlite(target: Path) -> None:
    with (
        closing(_opened(connection.settings_dict["NAME"])) as source,
        closing(_opened(target)) as copy,
    ):
        source.backup(copy)
        # The copy must be a single file without a separate log.
        copy.execute("PRAGMA journal_mode=DELETE")


def _load_sqlite(dump: Path) -> None:
    """Load through SQLite itself: others see the old or the new content, never a mixture."""
    deadline = time.monotonic() + PATIENCE

    def wait_no_longer(status: int, remaining: int, total: int) -> None:
        if status in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED) and time.monotonic() > deadline:
            raise BackupError(
                f"The database has been busy for {PATIENCE} seconds. Stop Muster and try again."
            )

    try:
        with (
            closing(_opened(dump)) as source,
            closing(_opened(connection.settings_dict["NAME"])) as target,
        ):
            source.backup(target, progress=wait_no_longer)
    except sqlite3.Error as error:
        raise BackupError(f"SQLite could not replace the database: {error}") from error


def _opened(file: Path | str) -> sqlite3.Connection:
    return sqlite3.connect(file, timeout=1)


def _dump_postgres(target: Path) -> None:
    command = [
        _program("pg_dump"),
        "--format=custom",
        "--no-owner",
        "--no-privileges",
        f"--file={target}",
    ]
    done = subprocess.run(command, env=_environment(), capture_output=True, text=True, check=False)  # noqa: S603
    if done.returncode:
        raise BackupError(f"pg_dump failed: {done.stderr.strip()}")


def _load_postgres(dump: Path) -> None:
    """Load like `pg_restore --single-transaction --clean`, but also drop tables not in the dump.

    We send COMMIT only after psql has reported that it ran the whole script: if one of the three
    processes is killed before that, nothing has changed. With an earlier COMMIT, psql would commit
    even if the others had died.
    """
    name = connection.settings_dict["NAME"]
    script = [
        _program("pg_restore"),
        "--clean",
        "--if-exists",
        "--no-owner",
        "--no-privileges",
        "--file=-",
        str(dump),
    ]
    client = [
        _program("psql"),
        "--no-psqlrc",
        "--quiet",
        "--set=ON_ERROR_STOP=1",
        f"--dbname={name}",
        "--file=-",
    ]
    # Discard the output of statements. psql's own messages come through its standard output.
    start = (
        f"\\o {os.devnull}\nBEGIN; SET LOCAL lock_timeout = "
        f"'{PATIENCE}s';\n{_end_without_psql()}{_drop_tables()}\n"
    )
    with (
        tempfile.TemporaryFile() as complaints,
        _started(script, stdout=subprocess.PIPE, stderr=complaints) as reading,
        _started(
            client,
            env=_environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=complaints,
        ) as writing,
    ):
        assert reading.stdout and writing.stdin and writing.stdout  # noqa: S101
        try:
            writing.stdin.write(start.encode())
            shutil.copyfileobj(reading.stdout, writing.stdin)
            if reading.wait() == 0:
                writing.stdin.write(f"\n\\echo {DONE}\n".encode())
                writing.stdin.flush()
                if writing.stdout.readline().decode().strip() == DONE:
                    writing.stdin.write(b"COMMIT;\n")
            writing.stdin.close()
        except BrokenPipeError:
            # psql refused a statement; its message is read below.
            reading.kill()
        if writing.wait() or reading.wait():
            complaints.seek(0)
            raise BackupError(
                "PostgreSQL refused the backup: "
                f"{complaints.read().decode(errors='replace').strip()}"
            )


def _end_without_psql() -> str:
    """Return SQL that makes PostgreSQL (14 or newer) end our statements when psql is gone.

    Without it, they would run until the last index is built.
    """
    with connection.cursor():
        version = connection.connection.info.server_version
    connection.close()
    return "SET LOCAL client_connection_check_interval = '1s';\n" if version >= 140000 else ""


def _started(command: list[str], **options: Any) -> subprocess.Popen[bytes]:
    """Start a program of PostgreSQL. On Linux it ends when we are killed, to free its locks."""
    ends_with_us = _end_with_parent if sys.platform == "linux" else None
    return subprocess.Popen(command, preexec_fn=ends_with_us, **options)  # noqa: S603, PLW1509


def _end_with_parent() -> None:
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def _drop_tables() -> str:
    """Return SQL that drops all tables of this Muster, including those newer than the dump."""
    names = [*connection.introspection.django_table_names(only_existing=True), "django_migrations"]
    connection.close()
    return (
        f"DROP TABLE IF EXISTS {', '.join(connection.ops.quote_name(name) for name in names)} "
        "CASCADE;"
    )


def _program(name: str) -> str:
    path = shutil.which(name)
    if path is None:
        raise BackupError(
            f"{name} is not installed. Install the PostgreSQL client programs (postgresql-client)."
        )
    return path


def _environment() -> dict[str, str]:
    """Return the environment for PostgreSQL's programs.

    It contains the connection parameters, so that no password is shown in the list of processes.
    """
    variables = {
        each.keyword.decode(): each.envvar.decode()
        for each in Conninfo.get_defaults()
        if each.envvar
    }
    parameters = connection.get_connection_params()
    return os.environ | {
        variables[name]: str(value) for name, value in parameters.items() if name in variables
    }
