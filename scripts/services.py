"""A PostgreSQL and a Redis that live as long as one command: `python -m scripts.services -- pytest
-x tests/house`.

The cluster is made by initdb under `var/`, runs without waiting for the disk, and is thrown away
afterwards.
"""

import os
import pwd
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from scripts import system
from scripts.processes import NotStarted, Process, answers, free_port, stop_on_signals, wait_for

ROOT = Path(__file__).resolve().parent.parent
# Throw-away data: nothing has to survive a crash.
CARELESS = [
    "fsync=off",
    "synchronous_commit=off",
    "full_page_writes=off",
    "max_connections=200",
    "shared_buffers=128MB",
]


@contextmanager
def services() -> Iterator[dict[str, str]]:
    """The environment that points Muster to a fresh PostgreSQL and Redis. Raises NotStarted, or
    system.Missing."""
    system.ensure("tests")
    with ExitStack() as stack:
        folder = stack.enter_context(scratch_folder())
        database = stack.enter_context(postgres(folder / "postgres"))
        broker = stack.enter_context(redis(folder))
        yield {
            "DATABASE_URL": database,
            "CELERY_BROKER_URL": broker,
            "VAR_DIR": str(folder / "var"),
        }


@contextmanager
def scratch_folder() -> Iterator[Path]:
    """A folder under `var/`, or among the temporary files if the database's user cannot reach ours.
    Deleted after."""
    (ROOT / "var").mkdir(exist_ok=True)
    folder = Path(tempfile.mkdtemp(prefix="services-", dir=ROOT / "var"))
    folder.chmod(0o755)
    if not _reachable(folder):
        folder.rmdir()
        folder = Path(tempfile.mkdtemp(prefix="muster-services-"))
        folder.chmod(0o755)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def postgres(folder: Path) -> Iterator[str]:
    """A new cluster in the folder; gives the address of its database `muster`."""
    user = unprivileged_user()
    folder.mkdir()
    if user:
        shutil.chown(folder, user)
    initdb = [
        _program("initdb"),
        "-D",
        str(folder),
        "-U",
        "muster",
        "-A",
        "trust",
        "-E",
        "UTF8",
        "--locale=C.UTF-8",
        "-N",
    ]
    _must(initdb, user)
    port = free_port()
    options = [word for each in CARELESS for word in ("-c", each)]
    command = [
        _program("postgres"),
        "-D",
        str(folder),
        "-p",
        str(port),
        "-h",
        "127.0.0.1",
        "-k",
        "",
        *options,
    ]
    server = Process(
        "PostgreSQL", command, user=user, folder=Path("/"), log=folder.parent / "postgres.log"
    )
    try:
        wait_for(lambda: _ready(port), server)
        _must(
            [_program("createdb"), "-h", "127.0.0.1", "-p", str(port), "-U", "muster", "muster"],
            None,
        )
        yield f"postgres://muster@127.0.0.1:{port}/muster"
    finally:
        # An interrupt is PostgreSQL's "fast" shutdown: it does not wait for clients.
        server.stop(2)


@contextmanager
def redis(folder: Path) -> Iterator[str]:
    """A Redis that keeps nothing; gives its address."""
    port = free_port()
    keep_nothing = ["--save", "", "--appendonly", "no", "--dir", str(folder), "--bind", "127.0.0.1"]
    command = [_program("redis-server"), "--port", str(port), *keep_nothing]
    server = Process("Redis", command, log=folder / "redis.log")
    try:
        wait_for(lambda: answers(port), server)
        yield f"redis://127.0.0.1:{port}/0"
    finally:
        server.stop()


def unprivileged_user() -> str | None:
    """PostgreSQL refuses to run as root: then its own user, or nobody. None when we are not
    root."""
    if os.geteuid() != 0:
        return None
    names = {entry.pw_name for entry in pwd.getpwall()}
    return next((name for name in ("postgres", "nobody") if name in names), None)


def _reachable(folder: Path) -> bool:
    user = unprivileged_user()
    return (
        user is None
        or subprocess.run(["test", "-x", str(folder)], user=user, cwd="/").returncode == 0
    )


def _ready(port: int) -> bool:
    command = [_program("pg_isready"), "-q", "-h", "127.0.0.1", "-p", str(port), "-U", "muster"]
    return subprocess.run(command).returncode == 0


def _program(name: str) -> str:
    executable = system.program(name)
    if executable is None:
        raise NotStarted(f"{name} is not installed.")
    return executable


def _must(command: list[str], user: str | None) -> None:
    done = subprocess.run(command, user=user, cwd="/", capture_output=True, text=True)
    if done.returncode:
        raise NotStarted(f"{command[0]} failed:\n{done.stdout}{done.stderr}")


def main(command: list[str]) -> int:
    """Run the command with the services up. Its exit code is ours."""
    stop_on_signals()
    with services() as environment:
        return subprocess.run(command, env={**os.environ, **environment}).returncode


if __name__ == "__main__":
    try:
        sys.exit(main([word for word in sys.argv[1:] if word != "--"]))
    except (NotStarted, system.Missing) as error:
        sys.exit(f"The services did not start. {error}")
