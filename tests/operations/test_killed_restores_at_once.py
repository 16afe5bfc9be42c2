"""A killed restore leaves the database unchanged and no process running."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.core.management import call_command
from django.db import connection

from scripts import system
from scripts.serve import ROOT
from tests.live import database_url, eventually

LAST_STEPS = 10
"""Seconds that the last statements of the restore take."""
OTHERS = (
    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> "
    "pg_backend_pid()"
)


def slow_programs(folder: Path) -> Path:
    """Return a folder with a pg_restore that takes a while at its end, like large indexes do."""
    folder.mkdir()
    program = folder / "pg_restore"
    program.write_text(
        f'#!/bin/sh\n"{system.program("pg_restore")}" "$@" && echo "SELECT '
        f'pg_sleep({LAST_STEPS});"\n'
    )
    program.chmod(0o755)
    return folder


def sleeping() -> bool:
    """Return whether a session of the restore is at its last statement."""
    with connection.cursor() as cursor:
        cursor.execute(f"{OTHERS} AND query LIKE %s", [f"%pg_sleep({LAST_STEPS})%"])
        row: tuple[int] = cursor.fetchone()
    return row[0] > 0


def sessions() -> int:
    """Return the number of sessions of the database without this one."""
    with connection.cursor() as cursor:
        cursor.execute(OTHERS)
        row: tuple[int] = cursor.fetchone()
    return row[0]


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_killed_restore_changes_nothing_and_ends_its_programs(
    number: int, alice: User, tmp_path: Path
) -> None:
    call_command("sign_chronicles")
    backup = tmp_path / "muster.zip"
    call_command("backup", str(backup))
    User.objects.create_user("eve")
    environment = {
        **os.environ,
        "DATABASE_URL": database_url(),
        "VAR_DIR": str(tmp_path / "var"),
        "SECRET_KEY": settings.SECRET_KEY,
        "PATH": f"{slow_programs(tmp_path / 'programs')}{os.pathsep}{os.environ['PATH']}",
    }
    log = (tmp_path / "restore.log").open("wb")
    command = [sys.executable, "manage.py", "restore", "--force", str(backup)]
    restore = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=log, stderr=log)
    eventually(lambda: sleeping() or restore.poll() is not None)
    assert restore.poll() is None, (tmp_path / "restore.log").read_text()
    restore.send_signal(number)
    restore.wait()
    # Long before the last statement would have been done.
    eventually(lambda: sessions() == 0, within=LAST_STEPS / 2)
    assert User.objects.filter(username="eve").exists()
    call_command("restore", str(backup), "--force")
    assert not User.objects.filter(username="eve").exists()
