"""The queue of files: nothing half written, nothing lost with a worker that dies."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from queue import Empty
from typing import Any

import pytest
from knox.models import AuthToken
from kombu import Connection

from config.celery import app
from tests.live import eventually

QUEUE = "muster"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "broker"


@pytest.fixture
def opened(folder: Path) -> Iterator[Callable[[], Any]]:
    """Yield a function that opens a channel on the queue, as another worker would."""
    connections: list[Any] = []

    def open_channel() -> Any:
        connections.append(connect(folder))
        return connections[-1].channel()

    yield open_channel
    for connection in connections:
        connection.close()


def connect(folder: Path) -> Any:
    return Connection("files://localhost", transport_options={"folder": str(folder)})


def put(channel: Any, body: str) -> None:
    channel.basic_publish(channel.prepare_message(body), exchange="", routing_key=QUEUE)


def take(channel: Any) -> Any:
    return channel.basic_get(QUEUE)


def begin(channel: Any) -> list[str]:
    """Return the messages that a new worker gets on this channel, and acknowledge them."""
    bodies = []

    def done(message: Any) -> None:
        bodies.append(message.body.decode())
        message.ack()

    channel.basic_consume(QUEUE, no_ack=False, callback=done, consumer_tag="worker")
    while channel._size(QUEUE):
        channel.drain_events(timeout=1)
    return bodies


HOLD_AND_WAIT = """
import sys, time
from kombu import Connection
from core import file_broker
channel = Connection("files://localhost", transport_options={"folder": sys.argv[1]}).channel()
print(channel.basic_get("muster").body, flush=True)
time.sleep(600)
"""


def test_messages_come_out_in_the_order_they_went_in(opened):
    channel = opened()
    for body in ("first", "second", "third"):
        put(channel, body)
    assert [take(channel).body.decode() for _ in range(3)] == ["first", "second", "third"]


def test_an_empty_queue_is_empty(opened):
    with pytest.raises(Empty):
        opened()._get(QUEUE)


def test_a_message_is_given_to_one_worker_only(opened):
    put(opened(), "once")
    assert [bool(take(opened())) for _ in range(2)] == [True, False]


def test_an_acknowledged_message_is_gone_from_the_disk(opened, folder):
    channel = opened()
    put(channel, "done")
    take(channel).ack()
    assert [file for file in folder.rglob("*") if file.is_file()] == []


def test_a_rejected_message_can_come_back(opened):
    channel = opened()
    put(channel, "again")
    take(channel).requeue()
    assert take(channel).body == b"again"
    assert not take(channel)


def test_closing_gives_back_what_was_not_acknowledged(opened):
    channel = opened()
    put(channel, "later")
    take(channel)
    channel.close()
    assert take(opened()).body == b"later"


def test_what_a_killed_worker_had_in_hand_comes_back(opened, folder):
    put(opened(), "precious")
    command = [sys.executable, "-c", HOLD_AND_WAIT, str(folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as worker:
        assert b"precious" in worker.stdout.readline()
        worker.kill()
    assert not take(opened())
    assert begin(opened()) == ["precious"]


def test_task_of_dead_worker_restarts_and_can_end(opened):
    orphan = opened()
    put(orphan, "twice")
    message = take(orphan)
    assert begin(opened()) == ["twice"]
    message.ack()


def test_a_message_that_is_still_being_written_is_not_seen(opened, folder):
    channel = opened()
    (folder / "drafts" / "half.muster.msg").write_text('{"body": ')
    assert not take(channel)


def test_the_length_of_the_queue_is_known_and_it_can_be_emptied(opened):
    channel = opened()
    for body in ("one", "two"):
        put(channel, body)
    assert channel._size(QUEUE) == 2
    assert channel._purge(QUEUE) == 2
    assert channel._size(QUEUE) == 0


def test_worker_checks_a_busy_queue_more_often_than_an_idle_one(opened):
    """A worker acknowledges between two looks: 300 short tasks took a minute."""
    channel = opened()
    transport = channel.connection
    put(channel, "only")
    begin(channel)
    pauses = []
    for _ in range(40):
        pauses.append(transport.pause)
        with pytest.raises(TimeoutError):
            transport.drain_events(channel.connection, timeout=1)
    assert pauses[0] <= 0.01
    assert sum(pauses[:10]) < 0.3
    assert pauses[-1] == 0.2
    put(channel, "another")
    transport.drain_events(channel.connection, timeout=1)
    assert transport.pause == pauses[0]


@pytest.mark.worker
def test_a_task_outlives_the_worker_that_took_it(worker, alice):
    quick = {"TASK_TIME_LIMIT": "1", "TASK_REDELIVERY": "7"}
    worker.kill()
    worker.start(**quick)
    AuthToken.objects.create(alice, expiry=-timedelta(days=1))
    # Long enough that the worker is dead before, however late this machine gets to killing it.
    app.send_task("operations.tasks.forget_expired", countdown=10)
    eventually(lambda: waiting_in(worker.queue) == 0)
    worker.kill()
    assert AuthToken.objects.exists()
    worker.start(**quick)
    eventually(lambda: not AuthToken.objects.exists())


def waiting_in(queue: str) -> int:
    with app.connection_for_read() as connection:
        channel: Any = connection.default_channel
        size: int = channel._size(queue)
    return size
