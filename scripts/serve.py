"""Serve Muster: web server and worker together.

Ctrl-C stops both; if one ends, the other is stopped.

    python -m scripts.serve              serves on 127.0.0.1:8000, or HOST and PORT
    with running_muster() as muster:     for scripts: on a free port, healthy when the block
                                         begins, stopped after it

The first one loads everything once, then forks: web server and worker share the memory of the code.
"""

import json
import os
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory

from django.core.exceptions import ImproperlyConfigured

from scripts.manual import build_if_changed
from scripts.processes import (
    ForkedProcess,
    NotStarted,
    Process,
    free_port,
    run_module,
    stop_all,
    stop_on_signals,
    wait_for,
)

ROOT = Path(__file__).resolve().parent.parent
# gunicorn.conf.py has the web server's settings.
WEB = ["gunicorn", "config.wsgi", "--log-level", "warning"]
WORKER = [
    "celery",
    "--quiet",
    "-A",
    "config",
    "worker",
    "--clock",
    "--without-gossip",
    "--without-mingle",
]

LOADED = (
    "config.server",
    "gunicorn.app.wsgiapp",
    "gunicorn.arbiter",
    "celery.apps.worker",
    "celery.concurrency.prefork",
    "celery.worker.components",
    "celery.worker.consumer",
    "celery.worker.consumer.delayed_delivery",
    "celery.worker.autoscale",
    "celery.worker.strategy",
    "celery.contrib.django.task",
    "celery.app.amqp",
    "celery.app.control",
    "celery.app.events",
    "celery.events.receiver",
    "celery.app.log",
    "celery.app.routes",
    "billiard.popen_fork",
    "billiard.sharedctypes",
    "dbm.dumb",
    # billiard reads a header with it, so that a child ends with its parent.
    "cffi.cparser",
    # The last one: it frees memory, and lets forks share the rest.
    "config.loading",
)
"""The modules that web server and worker load in any case, and so share."""


@dataclass(frozen=True)
class Muster:
    """A running Muster: `url` has no slash at its end."""

    url: str
    processes: tuple[Process, ...]

    def is_healthy(self) -> bool:
        """Return whether web server, database, broker and worker all answer."""
        return all(_says_healthy(f"{self.url}/health/{name}") for name in ("ready", "worker"))


@contextmanager
def running_muster(
    *,
    host: str = "127.0.0.1",
    port: int = 0,
    environment: dict[str, str] | None = None,
    logs: Path | None = None,
) -> Iterator[Muster]:
    """Migrate, start web server and worker, wait until healthy; stop them after the block.

    Without a port it uses a free one. With `logs` each process writes to its own file in that
    folder. Raises NotStarted with the end of the log of the process that failed.
    """
    environment = dict(environment or {})
    migrate(environment)
    with _healthy(_start(host, port or free_port(), environment, logs)) as muster:
        yield muster


@contextmanager
def forked_muster(
    *,
    host: str = "127.0.0.1",
    port: int = 0,
    environment: dict[str, str] | None = None,
    logs: Path | None = None,
) -> Iterator[Muster]:
    """Do as `running_muster` does, with forks of this process, which loads all code first.

    It changes the environment and the folder of this process.
    """
    port = port or free_port()
    os.chdir(ROOT)
    os.environ.update(environment or {})
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    os.environ.setdefault("SITE_URL", _url(host, port))
    try:
        for name in LOADED:
            import_module(name)
    except ImproperlyConfigured as error:
        raise NotStarted(str(error)) from error
    _prepare()
    with _healthy(_fork(host, port, logs)) as muster:
        yield muster


@contextmanager
def _healthy(muster: Muster) -> Iterator[Muster]:
    try:
        wait_for(muster.is_healthy, *muster.processes, seconds=90)
        yield muster
    finally:
        stop_all(*muster.processes)


def _prepare() -> None:
    """Migrate and collect the static files at the same time. Raises NotStarted if one of them
    fails.

    Forks do it, and take the memory with them that they needed.
    """
    with TemporaryDirectory(prefix="muster-start-") as folder:
        migration, collection = (Path(folder) / name for name in ("migration", "collection"))
        migrate_command = partial(run_module, "manage", "migrate", "--verbosity", "0")
        steps = {
            "The database could not be migrated": ForkedProcess(
                "migration", migrate_command, log=migration
            ),
            "The static files could not be collected": ForkedProcess(
                "collection", _collect, log=collection
            ),
        }
        try:
            for failure, step in steps.items():
                if step.wait():
                    raise NotStarted(f"{failure}:\n{step.last_words()}")
        finally:
            stop_all(*steps.values())


def _collect() -> None:
    """Collect the static files, as the web server does if nobody has."""
    settings = import_module("django.conf").settings
    if not (settings.SERVER or settings.DEBUG):
        import_module("core.bundles").collect_changes()


def migrate(environment: dict[str, str]) -> None:
    """Migrate the database. Raises NotStarted if that fails."""
    command = [sys.executable, "manage.py", "migrate", "--verbosity", "0"]
    done = subprocess.run(
        command, cwd=ROOT, env={**os.environ, **environment}, capture_output=True, text=True
    )
    if done.returncode:
        raise NotStarted(f"The database could not be migrated:\n{done.stdout}{done.stderr}")


def _start(host: str, port: int, environment: dict[str, str], logs: Path | None) -> Muster:
    url = _url(host, port)
    commands = {"web server": [*WEB, "--bind", f"{host}:{port}"], "worker": WORKER}
    environment = {"SITE_URL": os.environ.get("SITE_URL", url), **environment}
    started: list[Process] = []
    for name, command in commands.items():
        program = [sys.executable, "-m", *command]
        log = _log_of(name, logs)
        started.append(Process(name, program, environment=environment, log=log, folder=ROOT))
    return Muster(url, tuple(started))


def _fork(host: str, port: int, logs: Path | None) -> Muster:
    """Fork web server and worker.

    A class that is loaded once takes its memory once. Measured: 25 megabytes for each process that
    is forked, 110 for each that loads for itself (`scripts.bench.idle`).
    """
    serve = partial(run_module, *WEB, "--bind", f"{host}:{port}")
    web = ForkedProcess("web server", serve, log=_log_of("web server", logs))
    worker = ForkedProcess("worker", _work, log=_log_of("worker", logs))
    return Muster(_url(host, port), (web, worker))


def _work() -> None:
    """Run a worker as `celery worker` does, without loading its command line, which takes 7 MB."""
    worker = import_module("config.celery").app.Worker(
        quiet=True, loglevel="WARNING", clock=True, without_gossip=True, without_mingle=True
    )
    worker.start()
    sys.exit(worker.exitcode)


def _log_of(name: str, logs: Path | None) -> Path | None:
    return logs / f"{name.replace(' ', '-')}.log" if logs else None


def _url(host: str, port: int) -> str:
    shown = "127.0.0.1" if host in {"0.0.0.0", "::"} else host  # noqa: S104 - compared, not bound
    return f"http://{shown}:{port}"


def _says_healthy(url: str) -> bool:
    try:
        with urllib.request.urlopen(url, timeout=5) as answer:
            return bool(json.load(answer)["healthy"])
    except (urllib.error.URLError, OSError, ValueError):
        return False


def main() -> int:
    """Serve until interrupted (return 0) or until a process ends (return 1)."""
    stop_on_signals()
    build_if_changed()
    try:
        with forked_muster(
            host=os.environ.get("HOST", "127.0.0.1"), port=int(os.environ.get("PORT", "8000"))
        ) as muster:
            print(f"Muster is at {muster.url}/ - stop it with Ctrl-C.", flush=True)
            return _watch(muster)
    except NotStarted as error:
        print(f"Muster did not start. {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 0


def _watch(muster: Muster) -> int:
    while True:
        for process in muster.processes:
            if process.exit_code is not None:
                print(
                    f"The {process.name} ended with {process.exit_code}: stopping.", file=sys.stderr
                )
                return 1
        time.sleep(0.5)


if __name__ == "__main__":
    sys.exit(main())
