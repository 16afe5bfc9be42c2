"""Redis goes away and comes back: work continues, and nothing is lost or done twice."""

import json
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from redis import Redis

from config.celery import app
from scripts import system
from scripts.processes import Process, answers, free_port, wait_for
from scripts.serve import ROOT
from scripts.start import command
from tests.live import eventually
from tests.queue import use_queue

pytestmark = [pytest.mark.worker, pytest.mark.one_database]
TASK = "tests.hardship.slow_tasks.write_slowly"
AWAY = 3.0
"""Seconds."""


class MortalRedis:
    """A Redis that stores its data, and can be killed and started again."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        self.folder, self.port = folder, free_port()
        self.url = f"redis://127.0.0.1:{self.port}/0"
        self.process: Process | None = None

    def start(self) -> None:
        """Start Redis, and wait until it answers."""
        keep = [
            "--save",
            "",
            "--appendonly",
            "yes",
            "--appendfsync",
            "always",
            "--dir",
            str(self.folder),
        ]
        words = [
            system.program("redis-server") or "",
            "--port",
            str(self.port),
            "--bind",
            "127.0.0.1",
            *keep,
        ]
        self.process = Process("Redis", words, log=self.folder / "redis.log")
        wait_for(lambda: answers(self.port), self.process)
        app.breaker.reset()

    def kill(self) -> None:
        """Kill Redis at once."""
        if self.process:
            self.process.kill()
            self.process = None


@pytest.fixture
def redis(tmp_path: Path, settings: Any) -> Iterator[MortalRedis]:
    redis = MortalRedis(tmp_path / "redis")
    redis.start()
    use_queue(redis.url, {}, "muster")
    yield redis
    redis.kill()
    app.breaker.reset()


@pytest.fixture
def environment(tmp_path: Path, redis: MortalRedis) -> dict[str, str]:
    """Return the environment of a server with this Redis, which uses no database."""
    return {
        "CELERY_BROKER_URL": redis.url,
        "TASK_QUEUE": "muster",
        "DATABASE_URL": f"sqlite:///{tmp_path}/nothing.sqlite3",
        "VAR_DIR": str(tmp_path / "var"),
        "WORKER_CONCURRENCY": "1",
        "PYTHONPATH": os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")]),
    }


@pytest.fixture
def server_worker(tmp_path: Path, environment: dict[str, str]) -> Iterator[Process]:
    """Start a worker like units and containers do, with one more task."""
    words = [*command("worker"), "--include", "tests.hardship.slow_tasks"]
    worker = Process(
        "worker", words, environment=environment, log=tmp_path / "worker.log", folder=ROOT
    )
    yield worker
    worker.kill()


def send(file: Path, word: str, seconds: float = 0) -> None:
    app.send_task(TASK, [str(file), word, seconds])


def written(file: Path) -> list[str]:
    return file.read_text().split() if file.exists() else []


def test_busy_worker_continues_when_redis_is_back(
    tmp_path: Path, redis: MortalRedis, server_worker: Process
) -> None:
    file = tmp_path / "words"
    send(file, "in-hand", seconds=2 * AWAY)
    eventually(lambda: (tmp_path / "words.in-hand").exists() or server_worker.exit_code is not None)
    send(file, "waiting")
    redis.kill()
    time.sleep(AWAY)
    redis.start()
    send(file, "next")
    eventually(
        lambda: server_worker.exit_code is not None or {"waiting", "next"} <= {*written(file)}
    )
    assert server_worker.exit_code is None, server_worker.last_words()
    # What was in hand is finished, once.
    assert sorted(written(file)) == ["in-hand", "next", "waiting"], server_worker.last_words()
    log = (tmp_path / "worker.log").read_text()
    assert "AttributeError" not in log and "Traceback" not in log, log


def test_task_is_finished_while_redis_is_away(
    tmp_path: Path, redis: MortalRedis, server_worker: Process
) -> None:
    file = tmp_path / "words"
    send(file, "in-hand", seconds=AWAY)
    eventually(lambda: (tmp_path / "words.in-hand").exists() or server_worker.exit_code is not None)
    redis.kill()
    eventually(lambda: server_worker.exit_code is not None or written(file) == ["in-hand"])
    redis.start()
    send(file, "next")
    eventually(lambda: server_worker.exit_code is not None or "next" in written(file))
    assert server_worker.exit_code is None, server_worker.last_words()
    assert written(file) == ["in-hand", "next"]


def test_clock_continues_when_redis_is_back(
    tmp_path: Path, redis: MortalRedis, environment: dict[str, str]
) -> None:
    def queued() -> set[str]:
        with Redis.from_url(redis.url) as client:
            return {json.loads(each)["headers"]["task"] for each in client.lrange("muster", 0, -1)}

    (tmp_path / "var").mkdir(exist_ok=True)
    beat = Process(
        "beat", command("beat"), environment=environment, log=tmp_path / "beat.log", folder=ROOT
    )
    try:
        eventually(lambda: "documents.tasks.sweep" in queued() or beat.exit_code is not None)
        redis.kill()
        # Over at least one round that cannot be sent.
        time.sleep(16)
        redis.start()
        with Redis.from_url(redis.url) as client:
            client.delete("muster")
        eventually(
            lambda: "documents.tasks.sweep" in queued() or beat.exit_code is not None, within=60
        )
        assert beat.exit_code is None, beat.last_words()
    finally:
        beat.kill()
