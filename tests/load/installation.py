"""An installation for a load test, with everything that a club's server has, each as a process.

PostgreSQL, Redis, Caddy, two web servers, two workers and the clock. One web server and one worker
are *mortal*: they are killed at random, and started again as systemd does. The others are *steady*:
they live as long as the test, so that their memory can be compared.
"""

import os
import re
import shlex
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from scripts import system
from scripts.bench.memory import proportional_megabytes
from scripts.bench.processor import family
from scripts.processes import Process, free_port, wait_for
from scripts.serve import ROOT, migrate
from scripts.services import postgres, unprivileged_user

PATIENCE = 600
"""Seconds for a process to start on a machine that is busy with other things."""


class Program:
    """A process of the installation that can be killed and started again."""

    def __init__(self, name: str, words: list[str], environment: dict[str, str], log: Path) -> None:
        self.name, self.words, self.environment, self.log = name, words, environment, log
        self.process: Process | None = None
        self.pid = 0

    def start(self) -> None:
        """Start it, without waiting."""
        self.process = Process(
            self.name, self.words, environment=self.environment, log=self.log, folder=ROOT
        )
        self.pid = self.process.pid

    def kill(self) -> None:
        """Kill it with its children, like a power cut."""
        if self.process:
            self.process.kill()

    def kill_child(self, place: int) -> None:
        """Kill one of its children. The program starts another one."""
        children = family(self.pid)[1:]
        if children:
            os.kill(children[place % len(children)], signal.SIGKILL)

    def memory(self) -> float:
        """Return the megabytes (PSS) of it and its children."""
        return sum(map(proportional_megabytes, family(self.pid)))


class Database:
    """A PostgreSQL of ``scripts.services`` that can be stopped, and started with the same words."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._process: Process | None = None

    def stop(self) -> None:
        """Shut it down as systemd does ("fast"): it ends all connections."""
        words = (self.folder / "postmaster.opts").read_text()
        pid = int((self.folder / "postmaster.pid").read_text().split()[0])
        self._words = shlex.split(words)
        os.kill(pid, signal.SIGINT)
        wait_for(lambda: not (self.folder / "postmaster.pid").exists(), seconds=60)

    def start(self) -> None:
        """Start it again, without waiting."""
        self._process = Process(
            "PostgreSQL",
            self._words,
            user=unprivileged_user(),
            folder=Path("/"),
            log=self.folder.parent / "postgres.log",
        )

    def close(self) -> None:
        """Stop it, if it was started again."""
        if self._process:
            self._process.stop(signal.SIGINT)


class Installation:
    """The processes, their environment, and the address of the site."""

    def __init__(
        self, folder: Path, environment: dict[str, str], database: Database, redis: Program
    ) -> None:
        self.folder, self.environment = folder, environment
        self.database, self.redis = database, redis
        self.ports = {name: free_port() for name in ("web", "mortal web")}
        self.programs = {name: self._program(name) for name in self.ports}
        for name in ("worker", "mortal worker", "beat"):
            self.programs[name] = self._program(name)
        words, more, port = caddy(folder, *self.ports.values())
        self.programs["caddy"] = Program("caddy", words, more, folder / "caddy.log")
        self.url = f"http://localhost:{port}"

    def _program(self, name: str) -> Program:
        port = {"PORT": str(self.ports[name])} if name in self.ports else {}
        log = self.folder / f"{name.replace(' ', '-')}.log"
        words = [sys.executable, "-m", "scripts.start", name.removeprefix("mortal ")]
        return Program(name, words, {**self.environment, **port}, log)

    def start(self) -> None:
        """Start everything, and wait until both web servers answer."""
        self.programs["web"].start()
        # The first one collects the static files.
        wait_for(lambda: is_ready(self.ports["web"]), seconds=PATIENCE)
        for name, program in self.programs.items():
            if name != "web":
                program.start()
        wait_for(lambda: is_ready(self.ports["mortal web"]), seconds=PATIENCE)

    def stop(self) -> None:
        """Stop everything but the stores."""
        for program in reversed(self.programs.values()):
            program.kill()

    def run(self, *words: str) -> subprocess.CompletedProcess[str]:
        """Run a program of ours with the environment of the installation."""
        return subprocess.run(
            [sys.executable, *words],
            cwd=ROOT,
            env={**os.environ, **self.environment},
            capture_output=True,
            text=True,
            check=False,
        )


def is_ready(port: int) -> bool:
    """Return whether the web server on this port answers that it is ready."""
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/health/ready", timeout=5) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False


def caddy(folder: Path, *webs: int) -> tuple[list[str], dict[str, str], int]:
    """Return command, environment and port of a Caddy with our Caddyfile before web servers."""
    program = system.program("caddy")
    assert program is not None, (
        "There is no Caddy here: `make test` installs it on Debian and Ubuntu."
    )
    port = free_port()
    servers = " ".join(f"127.0.0.1:{web}" for web in webs)
    rules, number = re.subn(
        r"dynamic a \{[^}]*\}", f"to {servers}", (ROOT / "Caddyfile").read_text()
    )
    assert number == 1
    (folder / "Caddyfile").write_text(rules)
    environment = {
        "SITES": f"http://localhost:{port}",
        "CADDY_ADMIN": f"localhost:{free_port()}",
        "XDG_DATA_HOME": str(folder / "data"),
        "XDG_CONFIG_HOME": str(folder / "config"),
    }
    return (
        [program, "run", "--adapter", "caddyfile", "--config", str(folder / "Caddyfile")],
        environment,
        port,
    )


def redis(folder: Path) -> tuple[Program, str]:
    """Return a Redis that keeps everything on disk, as in docker-compose.yml, and its address."""
    folder.mkdir()
    port = free_port()
    words = [system.program("redis-server") or "redis-server", "--port", str(port)]
    words += ["--bind", "127.0.0.1", "--dir", str(folder), "--save", "", "--appendonly", "yes"]
    return Program("Redis", words, {}, folder / "redis.log"), f"redis://127.0.0.1:{port}"


@contextmanager
def installation(folder: Path) -> Iterator[Installation]:
    """Start the stores in the folder, migrate, and yield an installation that is not started."""
    with ExitStack() as stack:
        url = stack.enter_context(postgres(folder / "postgres"))
        database = Database(folder / "postgres")
        stack.callback(database.close)
        store, address = redis(folder / "redis")
        store.start()
        stack.callback(store.kill)
        environment = {
            "DATABASE_URL": url,
            "CELERY_BROKER_URL": f"{address}/0",
            "CACHE_URL": f"{address}/1",
            "VAR_DIR": str(folder / "var"),
            "PACK_ANSWERS": "no",
            "PROXIES": "1",
            "WEB_CONCURRENCY": "1",
            "WORKER_CONCURRENCY": "1",
            "LOG_LEVEL": "WARNING",
        }
        migrate(environment)
        whole = Installation(folder, environment, database, store)
        stack.callback(whole.stop)
        yield whole


def pause(until: float) -> None:
    """Sleep until this time of the monotonic clock."""
    time.sleep(max(0, until - time.monotonic()))
