"""Another version of Muster to compare with: code, environment, demonstration, server.

Everything is kept under `var/against/`, so that the next run starts at once. A demonstration is
kept for a day, since its dates depend on today. Delete the folder to start again.
"""

import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import Any

import psycopg
from msgspec import Struct

from scripts import system
from scripts.bench.processor import Usage
from scripts.processes import NotStarted
from scripts.serve import ROOT
from scripts.services import postgres, redis, scratch_folder

KEPT = ROOT / "var" / "against"
STAGE = Path(__file__).with_name("stage.py")
LOCK = "requirements.lock"
DUMP, MADE = "muster.dump", "made.json"
# Keep connections open: the processor time of closed ones is exact to the hundredth of a second
# only.
SETTINGS = {"DATABASE_CONN_MAX_AGE": "3600", "LOG_LEVEL": "WARNING"}
# The demonstration's referee logs as fast as it can.
HURRIED = {"THROTTLE_LOGS": "1200/minute", "THROTTLE_BATCHES": "1200/minute"}


class Version(Struct, frozen=True):
    """A version of Muster: its name, the folder of its code, and a Python with its packages."""

    name: str
    folder: Path
    python: Path

    def run(self, *arguments: str, environment: dict[str, str]) -> list[str]:
        """Return the command that runs `stage.py` in this version."""
        return [str(self.python), "-P", str(STAGE), *arguments]


class Served(Struct, frozen=True):
    """A version that is being served: address, content and processes."""

    version: Version
    url: str
    made: dict[str, Any]
    web: Usage
    database: Usage
    cache: str


def this_version() -> Version:
    """Return the present code, committed or not."""
    return Version("this version", ROOT, Path(sys.executable))


def version_of(commit: str) -> Version:
    """Return that commit in its own worktree, with the packages of its own lock file.

    Raises NotStarted.
    """
    full = _git("rev-parse", "--verify", f"{commit}^{{commit}}")
    folder = KEPT / full[:12]
    if not (folder / LOCK).exists():
        _git("worktree", "prune")
        _git("worktree", "add", "--force", "--detach", str(folder), full)
    return Version(full[:8], folder, _python_for(folder))


def _python_for(folder: Path) -> Path:
    """Return a Python with the packages of the lock file: this one, or a new environment."""
    lock = (folder / LOCK).read_bytes()
    if lock == (ROOT / LOCK).read_bytes():
        return Path(sys.executable)
    place = KEPT / f"python-{hashlib.sha256(lock).hexdigest()[:12]}"
    python, complete = place / "bin" / "python", place / "complete"
    if not complete.exists():
        print(f"Installing the packages of {folder.name}", flush=True)
        _run([sys.executable, "-m", "venv", "--clear", str(place)])
        pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        _run([*pip, "--require-hashes", "-r", str(folder / LOCK)])
        complete.touch()
    return python


@contextmanager
def served(version: Version, battles: int | None) -> Iterator[Served]:
    """Serve the version, with a database that its own demonstration has filled.

    Raises NotStarted, system.Missing. ``battles`` is the number of battles to play; None for all.
    """
    system.ensure("tests")
    kept = _demonstration(version, battles)
    with _services(version, kept / "var") as (environment, database):
        _run(
            [
                _program("pg_restore"),
                "--no-owner",
                "-d",
                environment["DATABASE_URL"],
                str(kept / DUMP),
            ]
        )
        _settle(environment["DATABASE_URL"])
        command = version.run("serve", str(kept), environment=environment)
        with subprocess.Popen(
            command,
            cwd=version.folder,
            env=_inside(version, environment),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        ) as stage:
            try:
                url = stage.stdout.readline().strip() if stage.stdout else ""
                if not url:
                    raise NotStarted(f"{version.name} serves no pages; its logs are in {kept}.")
                made = json.loads((kept / MADE).read_text())
                yield Served(
                    version, url, made, Usage(stage.pid), database, environment["CACHE_URL"]
                )
            finally:
                stage.communicate()


def _demonstration(version: Version, battles: int | None) -> Path:
    """Return the folder with the dump of today's demonstration, after playing it if necessary."""
    folder = KEPT / f"demonstration-{_fingerprint(version.folder, battles)}"
    if (folder / DUMP).exists():
        return folder
    (folder / "var").mkdir(parents=True, exist_ok=True)
    print(f"Playing the demonstration of {version.name}", flush=True)
    with _services(version, folder / "var") as (environment, _):
        number = [str(battles)] if battles else []
        command = version.run("demonstrate", str(folder), *number, environment=environment)
        _run(command, cwd=version.folder, env=_inside(version, environment | HURRIED))
        _run([_program("pg_dump"), "-Fc", "-f", str(folder / DUMP), environment["DATABASE_URL"]])
    return folder


def _fingerprint(folder: Path, battles: int | None) -> str:
    """Return a fingerprint that changes with the day, the tables and the played content."""
    files = sorted([*folder.glob("*/migrations/*.py"), *(folder / "scripts" / "demo").rglob("*.*")])
    files = [file for file in files if "__pycache__" not in file.parts]
    digest = hashlib.sha256(f"{date.today()} {battles}".encode())
    for file in (STAGE, *files):
        digest.update(file.read_bytes())
    return digest.hexdigest()[:12]


@contextmanager
def _services(version: Version, var: Path) -> Iterator[tuple[dict[str, str], Usage]]:
    """Start the version's PostgreSQL and Redis; yield the environment and database usage."""
    with (
        scratch_folder() as folder,
        redis(folder) as broker,
        postgres(folder / "postgres") as database,
    ):
        environment = {
            "MUSTER_MODE": "embedded",
            "DATABASE_URL": database,
            "CELERY_BROKER_URL": broker,
            "CACHE_URL": broker.replace("/0", "/1"),
            "VAR_DIR": str(var),
            **SETTINGS,
        }
        pid = int((folder / "postgres" / "postmaster.pid").read_text().splitlines()[0])
        yield environment, Usage(pid)


def _settle(database: str) -> None:
    """Run the database's automatic maintenance now and turn it off, so that no turn pays for it."""
    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute("ALTER SYSTEM SET autovacuum = off")
        connection.execute("SELECT pg_reload_conf()")
        connection.execute("VACUUM ANALYZE")


def _inside(version: Version, environment: dict[str, str]) -> dict[str, str]:
    return {**os.environ, **environment, "PYTHONPATH": str(version.folder)}


def _git(*arguments: str) -> str:
    return _run(["git", *arguments])


def _run(command: list[str], **options: Any) -> str:
    done = subprocess.run(command, **{"cwd": ROOT, "capture_output": True, "text": True, **options})
    if done.returncode:
        raise NotStarted(
            f"`{' '.join(command)}` failed:\n{done.stdout[-3000:]}{done.stderr[-3000:]}"
        )
    return str(done.stdout.strip())


def _program(name: str) -> str:
    place = system.program(name)
    if place is None:
        raise NotStarted(f"{name} is not installed.")
    return place
