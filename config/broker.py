"""The queue of the embedded mode: one file per message, no server.

kombu has a file system transport of its own, but it can read a message that is only half written, and it forgets what a
killed worker had in hand. Here a message appears whole or not at all, and stays on disk until it is acknowledged
(docs/decisions/embedded-queue.md).

    <folder>/waiting/<queue>/<time>-<id>    ready for any worker
    <folder>/claimed/<worker>/<queue>@...   in the hands of one worker, which holds a lock on the folder's `lock` file
"""

import fcntl
import os
import time
from io import TextIOWrapper
from pathlib import Path
from queue import Empty
from typing import Any
from uuid import uuid4

from kombu.transport import TRANSPORT_ALIASES, virtual
from kombu.utils.json import dumps, loads

TRANSPORT_ALIASES["files"] = "config.broker:Transport"


class Channel(virtual.Channel):
    """Puts, claims and acknowledges messages in a folder on the local disk."""

    def __init__(self, connection: Any, **kwargs: Any) -> None:
        super().__init__(connection, **kwargs)
        self.folder = Path(connection.client.transport_options["folder"])
        self.claims: dict[str, Path] = {}
        self.hand: Hand | None = None

    def _put(self, queue: str, message: dict[str, Any], **_: Any) -> None:
        name = f"{time.time_ns():020d}-{uuid4().hex}"
        draft = made(self.folder / "drafts") / name
        with draft.open("w", encoding="utf-8") as file:
            file.write(dumps(message))
            file.flush()
            os.fsync(file.fileno())
        draft.rename(made(self.folder / "waiting" / queue) / name)

    def _get(self, queue: str, timeout: float | None = None) -> dict[str, Any]:
        for waiting in self._waiting(queue):
            claim = self._claim(queue, waiting)
            if claim:
                message: dict[str, Any] = loads(claim.read_text(encoding="utf-8"))
                self.claims[message["properties"]["delivery_tag"]] = claim
                return message
        raise Empty

    def _claim(self, queue: str, waiting: Path) -> Path | None:
        """The file's new place, or None when another worker was quicker."""
        self.hand = self.hand or Hand(self.folder)
        try:
            return waiting.rename(self.hand.folder / f"{queue}@{waiting.name}")
        except FileNotFoundError:
            return None

    def basic_consume(self, queue: str, *args: Any, **kwargs: Any) -> Any:
        put_back_abandoned(self.folder)
        return super().basic_consume(queue, *args, **kwargs)

    def basic_ack(self, delivery_tag: str, multiple: bool = False) -> None:
        super().basic_ack(delivery_tag, multiple)
        self._let_go(delivery_tag)

    def basic_reject(self, delivery_tag: str, requeue: bool = False) -> None:
        super().basic_reject(delivery_tag, requeue)
        self._let_go(delivery_tag)

    def _restore(self, message: Any) -> None:
        super()._restore(message)
        self._let_go(message.delivery_tag)

    def _let_go(self, delivery_tag: str) -> None:
        claim = self.claims.pop(delivery_tag, None)
        if claim:
            claim.unlink(missing_ok=True)

    def _size(self, queue: str) -> int:
        return len(self._waiting(queue))

    def _purge(self, queue: str) -> int:
        waiting = self._waiting(queue)
        for file in waiting:
            file.unlink(missing_ok=True)
        return len(waiting)

    def _waiting(self, queue: str) -> list[Path]:
        return sorted(made(self.folder / "waiting" / queue).iterdir())


class Transport(virtual.Transport):
    """`files://`, with the folder as a transport option."""

    Channel = Channel
    driver_type = driver_name = "files"
    default_port = 0
    implements = virtual.Transport.implements.extend(asynchronous=False, exchange_type=frozenset(["direct"]))

    def driver_version(self) -> str:
        return "1"

    def drain_events(self, connection: Any, timeout: float | None = None, **kwargs: Any) -> None:
        """Come up for air often: between two waits a worker notices that it shall stop."""
        super().drain_events(connection, timeout=timeout and min(timeout, 0.3), **kwargs)


class Hand:
    """What one process has taken and not yet acknowledged. The lock is let go by the system when the process dies."""

    def __init__(self, broker: Path) -> None:
        self.lock: TextIOWrapper | None = None
        while self.lock is None:
            # Somebody who clears up may find the new folder before we have locked it: then take another.
            self.folder = made(broker / "claimed" / f"{os.getpid()}-{uuid4().hex}")
            self.lock = locked(self.folder)


def put_back_abandoned(broker: Path) -> int:
    """Return the messages of workers that died to their queues. Gives the number of messages."""
    found = 0
    for folder in made(broker / "claimed").iterdir():
        lock = locked(folder)
        if lock:
            found += sum(_put_back(broker, claim) for claim in sorted(folder.iterdir()))
            lock.close()
            _forget(folder)
    return found


def _put_back(broker: Path, claim: Path) -> bool:
    queue, at, name = claim.name.partition("@")
    if at:
        claim.rename(made(broker / "waiting" / queue) / name)
    return bool(at)


def _forget(folder: Path) -> None:
    (folder / "lock").unlink(missing_ok=True)
    try:
        folder.rmdir()
    except OSError:
        # Somebody else is clearing it at the same moment.
        return


def locked(folder: Path) -> TextIOWrapper | None:
    """The open, locked `lock` file of the folder, or None when another process has it or the folder is gone."""
    try:
        file = (folder / "lock").open("a", encoding="ascii")
    except FileNotFoundError:
        return None
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        file.close()
        return None
    return file


def made(folder: Path) -> Path:
    """The folder, made if need be."""
    folder.mkdir(parents=True, exist_ok=True)
    return folder
