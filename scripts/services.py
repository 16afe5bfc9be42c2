"""Run a command with a temporary PostgreSQL and Redis.

For example: `python -m scripts.services -- pytest -x tests/house`.

The cluster is created by initdb under `var/`, runs without waiting for the disk, and is deleted
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
from urllib.parse import urlsplit, urlunsplit

from scripts import system
from scripts.processes import NotStarted, Process, answers, free_port, stop_on_signals, wait_for

ROOT = Path(__file__).resolve().parent.parent
# The data is temporary: nothing must survive a crash.
CARELESS = [
    "fsync=off",
    "synchronous_commit=off",
    "full_page_writes=off",
    "max_connections=200",
    "shared_buffers=128MB",
]


@contextmanager
def services() -> Iterator[dict[str, str]]:
    """Yield the environment that connects Muster to a new PostgreSQL and Redis.

    Raises NotStarted or system.Missing.
    """
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
    """Yield a folder that is deleted afterwards.

    It is under `var/`, or in the temporary folder if the database's user cannot reach ours.
    """
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
    """Yield the address of the database `muster` of a cluster, which is created if necessary."""
    user, exists = unprivileged_user(), folder.exists()
    if not exists:
        _create_cluster(folder, user)
    with _server(folder, user) as port:
        if not exists:
            create = [_program("createdb"), "-h", "127.0.0.1", "-p", str(port), "-U", "muster"]
            _must([*create, "muster"], None)
        yield f"postgres://muster@127.0.0.1:{port}/muster"


@contextmanager
def replica(folder: Path, address: str) -> Iterator[str]:
    """Start a server in the folder that follows the one at the address. Yield its own address."""
    user = unprivileged_user()
    folder.mkdir(mode=0o700)
    if user:
        shutil.chown(folder, user)
    source = f"{address.rpartition('/')[0]}/postgres"
    copy = [_program("pg_basebackup"), "-D", str(folder), "-d", source]
    _must([*copy, "--checkpoint=fast", "--wal-method=stream", "--write-recovery-conf"], user)
    with _server(folder, user) as port:
        parts = urlsplit(address)
        yield urlunsplit(parts._replace(netloc=f"{parts.username}@127.0.0.1:{port}"))


@contextmanager
def pgbouncer(folder: Path, address: str, connections: int = 3) -> Iterator[str]:
    """Start PgBouncer in transaction mode before the server at the address. Yield its own address.

    Args:
        connections: the number of connections that all its clients share.
    """
    user, port, parts = unprivileged_user(), free_port(), urlsplit(address)
    folder.mkdir()
    (folder / "pgbouncer.ini").write_text(
        f"""[databases]
* = host={parts.hostname} port={parts.port} user={parts.username}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = {connections}
max_client_conn = 500
""",
        encoding="utf-8",
    )
    command = [_program("pgbouncer"), str(folder / "pgbouncer.ini")]
    log = folder.parent / "pgbouncer.log"
    server = Process("PgBouncer", command, user=user, folder=Path("/"), log=log)
    try:
        wait_for(lambda: answers(port), server)
        yield urlunsplit(parts._replace(netloc=f"{parts.username}@127.0.0.1:{port}"))
    finally:
        server.stop(2)


@contextmanager
def _server(folder: Path, user: str | None) -> Iterator[int]:
    """Start the PostgreSQL of a folder, and yield its port."""
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
    log = folder.parent / f"{folder.name}.log"
    server = Process("PostgreSQL", command, user=user, folder=Path("/"), log=log)
    try:
        wait_for(lambda: _ready(port), server)
        yield port
    finally:
        # An interrupt is PostgreSQL's "fast" shutdown: it does not wait for clients.
        server.stop(2)


def _create_cluster(folder: Path, user: str | None) -> None:
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


@contextmanager
def redis(folder: Path) -> Iterator[str]:
    """Start a Redis that stores nothing on disk, and yield its address."""
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
    """Return the user who runs PostgreSQL if we are root, which PostgreSQL refuses; else None."""
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
    """Run the command with the services running, and return its exit code."""
    stop_on_signals()
    with services() as environment:
        return subprocess.run(command, env={**os.environ, **environment}).returncode


if __name__ == "__main__":
    try:
        sys.exit(main([word for word in sys.argv[1:] if word != "--"]))
    except (NotStarted, system.Missing) as error:
        sys.exit(f"The services did not start. {error}")
