"""Another version of Muster to compare with: code, environment, content, server.

Everything is kept under `var/against/`, so that the next run starts at once. Content is kept for a
week, since its dates depend on today. Delete the folder to start again.
"""

import fcntl
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
import redis
from msgspec import Struct

from scripts import services, system
from scripts.bench.processor import Usage
from scripts.bench.same_world import Shape, create_campaigns, create_club
from scripts.processes import NotStarted
from scripts.serve import ROOT

KEPT = ROOT / "var" / "against"
STAGE = Path(__file__).with_name("stage.py")
CONTENT = tuple(map(STAGE.with_name, ("same_world.py", "crowd.py", "forces.py", "history.py")))
"""The files that decide the content, together with the migrations of a version."""
LOCK = "requirements.lock"
CLUSTER, MADE, FILES = "postgres", "made.json", "var"
PROVED = 4
"""So many copies are proved to be whole, before others are made in the same way."""
SETTINGS = {
    # Keep connections open: the processor time of closed ones is exact to the hundredth of a
    # second only.
    "DATABASE_CONN_MAX_AGE": "3600",
    "LOG_LEVEL": "WARNING",
    # One client sends everything.
    "THROTTLE_USER": "1000000/minute",
    "THROTTLE_ANON": "1000000/minute",
    "THROTTLE_LOGS": "1000000/minute",
    "THROTTLE_BATCHES": "1000000/minute",
    "THROTTLE_TOKENS": "1000000/minute",
}


class Content(Struct, frozen=True):
    """The size of what is served: the battles of its campaigns, and the number of clubs."""

    shape: Shape = Shape()
    clubs: int = 1


class Version(Struct, frozen=True):
    """A version of Muster: its name, the folder of its code, and a Python with its packages."""

    name: str
    folder: Path
    python: Path

    def run(self, *arguments: str) -> list[str]:
        """Return the command that runs `stage.py` in this version."""
        return [str(self.python), "-P", str(STAGE), *arguments]


class Served(Struct, frozen=True):
    """A version that is being served: address, content and processes."""

    version: Version
    content: Content
    url: str
    made: dict[str, Any]
    web: Usage
    storage: tuple[Usage, ...]
    """PostgreSQL and Redis."""
    environment: dict[str, str]
    folder: Path
    log: Path
    """The log of PostgreSQL."""

    def stage(self, *arguments: str) -> None:
        """Run `stage.py` in this version while it is being served. Raises NotStarted."""
        _stage(self.version, self.environment, *arguments)


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
        _must([sys.executable, "-m", "venv", "--clear", str(place)])
        pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        _must([*pip, "--require-hashes", "-r", str(folder / LOCK)])
        complete.touch()
    return python


@contextmanager
def served(
    version: Version, content: Content, processes: int = 1, *, worker: bool = False
) -> Iterator[Served]:
    """Serve a copy of this content with PostgreSQL and Redis of its own.

    ``processes`` are the processes of the web server. The content is made if it is not kept.

    Raises NotStarted, system.Missing.
    """
    system.ensure("tests")
    KEPT.mkdir(parents=True, exist_ok=True)
    with (KEPT / "lock").open("w") as lock:
        # Two runs must not make the same content at the same time.
        fcntl.flock(lock, fcntl.LOCK_EX)
        kept = _content(version, content)
    with _running(kept, cluster=kept / CLUSTER) as (environment, storage, log):
        _settle(environment["DATABASE_URL"])
        if worker:
            _drop_documents(environment["DATABASE_URL"])
        environment["WEB_CONCURRENCY"] = str(processes)
        with _web_server(version, kept, environment, worker=worker) as (url, web):
            made = json.loads((kept / MADE).read_text())
            yield Served(version, content, url, made, web, storage, environment, kept, log)


def _content(version: Version, content: Content) -> Path:
    """Return the folder of the content: the club, its copies, and then two more campaigns."""
    shape = content.shape
    name = f"{_fingerprint(version.folder, shape.few)}-{shape.many}-{content.clubs}"
    folder = KEPT / f"content-{name}"
    if (folder / MADE).exists():
        return folder
    club = _club(version, content.shape)
    print(f"Making {content.clubs} clubs in {version.name}", flush=True)
    _start_again(folder)
    _must(["cp", "-a", str(club / FILES), str(folder / FILES)])
    made = json.loads((club / MADE).read_text())
    with _running(folder, cluster=club / CLUSTER, saved=True) as (environment, *_):
        if content.clubs > 1:
            _copy_clubs(version, environment, content.clubs)
        with _web_server(version, folder, environment) as (url, _):
            made |= create_campaigns(url, made)
        copies = str(content.shape.many - 1)
        _stage(version, environment, "copy-battle", made["template"], copies)
    # Last: a folder without this file is not complete.
    (folder / MADE).write_text(json.dumps(made))
    return folder


def _copy_clubs(version: Version, environment: dict[str, str], clubs: int) -> None:
    """Copy the club until there are so many. This version proves the first copies."""
    proved = min(PROVED, clubs - 1)
    _stage(version, environment, "copy-clubs", "1", str(proved))
    if version.folder == ROOT:
        _stage(version, environment, "prove-copies")
    _stage(version, environment, "copy-clubs", str(proved + 1), str(clubs - 1))
    _stage(version, environment, "finish-clubs")


def _club(version: Version, shape: Shape) -> Path:
    """Return the folder with one club, which is played over HTTP if it is not kept."""
    folder = KEPT / f"club-{_fingerprint(version.folder, shape.few)}"
    if (folder / MADE).exists():
        return folder
    print(f"Playing a club in {version.name}", flush=True)
    _start_again(folder)
    with (
        _running(folder, saved=True) as (environment, *_),
        _web_server(version, folder, environment, worker=True) as (url, _),
    ):
        made = create_club(url, shape)
    (folder / MADE).write_text(json.dumps(made))
    return folder


def _start_again(folder: Path) -> None:
    _must(["rm", "-rf", str(folder)])
    folder.mkdir(parents=True)


def _fingerprint(folder: Path, few: int) -> str:
    """Return a fingerprint that changes with the week, the tables and the content."""
    week = date.today().isocalendar()[:2]
    digest = hashlib.sha256(f"{week} {few}".encode())
    for file in (*CONTENT, *sorted(folder.glob("*/migrations/*.py"))):
        digest.update(file.read_bytes())
    return digest.hexdigest()[:12]


@contextmanager
def _running(
    folder: Path, *, cluster: Path | None = None, saved: bool = False
) -> Iterator[tuple[dict[str, str], tuple[Usage, ...], Path]]:
    """Start PostgreSQL and Redis; yield the environment, the usage of both, and the first's log.

    PostgreSQL gets a copy of the cluster if there is one, and its own is ``saved`` in the folder.
    """
    with services.scratch_folder() as scratch:
        own = scratch / CLUSTER
        if cluster:
            _must(["cp", "-a", str(cluster), str(own)])
        with services.redis(scratch) as broker, services.postgres(own) as database:
            environment = {
                "MUSTER_MODE": "embedded",
                "DATABASE_URL": database,
                "CELERY_BROKER_URL": broker,
                "CACHE_URL": broker.replace("/0", "/1"),
                "VAR_DIR": str(folder / FILES),
                **SETTINGS,
            }
            (folder / FILES).mkdir(exist_ok=True)
            postmaster = int((own / "postmaster.pid").read_text().splitlines()[0])
            info: Any = redis.Redis.from_url(broker).info("server")
            usages = Usage(postmaster), Usage(info["process_id"])
            yield environment, usages, scratch / "postgres.log"
        if saved:
            _must(["cp", "-a", str(own), str(folder / CLUSTER)])


@contextmanager
def _web_server(
    version: Version, folder: Path, environment: dict[str, str], *, worker: bool = False
) -> Iterator[tuple[str, Usage]]:
    """Serve the version; yield its address and usage. Raises NotStarted."""
    command = version.run("serve", str(folder), "with" if worker else "without")
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
                raise NotStarted(f"{version.name} serves no pages; its logs are in {folder}.")
            yield url, Usage(stage.pid)
        finally:
            stage.communicate()


def _stage(version: Version, environment: dict[str, str], *arguments: str) -> None:
    _must(version.run(*arguments), cwd=version.folder, env=_inside(version, environment))


def _settle(database: str) -> None:
    """Run the database's automatic maintenance now and turn it off, so that no turn pays for it."""
    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute("ALTER SYSTEM SET autovacuum = off")
        # Loaded by every connection, and silent until it is asked for plans.
        connection.execute("ALTER SYSTEM SET session_preload_libraries = 'auto_explain'")
        connection.execute("SELECT pg_reload_conf()")
        connection.execute("VACUUM ANALYZE")


def _drop_documents(database: str) -> None:
    """Take back the documents that the content left to print.

    Otherwise a worker would begin with them, and keep the memory that they needed.
    """
    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute("DELETE FROM documents_documentpart")
        connection.execute("UPDATE documents_document SET state = 'ready' WHERE state <> 'ready'")


def _inside(version: Version, environment: dict[str, str]) -> dict[str, str]:
    return {**os.environ, **environment, "PYTHONPATH": str(version.folder)}


def _git(*arguments: str) -> str:
    return _must(["git", *arguments])


def _must(command: list[str], **options: Any) -> str:
    done = subprocess.run(command, **{"cwd": ROOT, "capture_output": True, "text": True, **options})
    if done.returncode:
        raise NotStarted(
            f"`{' '.join(command)}` failed:\n{done.stdout[-3000:]}{done.stderr[-3000:]}"
        )
    return str(done.stdout.strip())
