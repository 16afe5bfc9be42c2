"""The queue of the embedded mode: kombu's file queue, with two faults fixed.

It needs no server and stores one file per message. kombu's channel can read a message while it is
being written, and loses the messages of a killed worker. Here a message appears completely or not
at all, and stays on the disk until it is acknowledged (docs/decisions/web.md).

    <folder>/waiting/<time>_<tag>.<queue>.msg    ready for a worker
    <folder>/claimed/<time>_<tag>.<queue>.msg    taken by a worker
"""

import os
import time
from pathlib import Path
from queue import Empty
from typing import Any

from kombu.transport import TRANSPORT_ALIASES, filesystem, virtual
from kombu.utils.json import dumps

TRANSPORT_ALIASES["files"] = "core.file_broker:Transport"
SHORTEST_PAUSE, LONGEST_PAUSE = 0.005, 0.2
"""Seconds between two looks for a message: right after the last one, and in an idle queue."""


class Channel(filesystem.Channel):
    """A channel that puts, claims and acknowledges messages in a folder on the local disk."""

    # Senders declare the queue too, so bindings need no file, which two processes could write at
    # once.
    get_table: Any = virtual.Channel.get_table
    supports_fanout = False
    store_processed = True

    def __init__(self, connection: Any, **kwargs: Any) -> None:
        super().__init__(connection, **kwargs)
        folder = Path(self.transport_options["folder"])
        self.drafts, self.waiting, self.claimed = (
            folder / name for name in ("drafts", "waiting", "claimed")
        )
        for each in (self.drafts, self.waiting, self.claimed):
            each.mkdir(parents=True, exist_ok=True)
        self.data_folder_in = self.data_folder_out = self.waiting
        self.processed_folder = self.claimed

    def _put(self, queue: str, payload: dict[str, Any], **kwargs: Any) -> None:  # type: ignore[override]  # as kombu
        name = f"{time.time_ns():020d}_{payload['properties']['delivery_tag']}.{queue}.msg"
        with (self.drafts / name).open("w", encoding="utf-8") as draft:
            draft.write(dumps(payload))
            draft.flush()
            os.fsync(draft.fileno())
        (self.drafts / name).rename(self.waiting / name)

    def basic_consume(self, queue: str, *args: Any, **kwargs: Any) -> Any:
        """Start as the only worker of the folder.

        Claimed messages belonged to a worker that died, so they go back to the queue.
        """
        for claim in self.claimed.glob(f"*.{queue}.msg"):
            claim.rename(self.waiting / claim.name)
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
        for claim in self.claimed.glob(f"*_{delivery_tag}.*"):
            claim.unlink(missing_ok=True)


class Transport(filesystem.Transport):
    """The transport for `files://`, with the folder as a transport option."""

    Channel = Channel

    def __init__(self, client: Any, **options: Any) -> None:
        super().__init__(client, **options)
        self.pause = SHORTEST_PAUSE

    def drain_events(self, connection: Any, timeout: float | None = None, **kwargs: Any) -> None:
        """Deliver a message, or wait a moment. Raises TimeoutError if there is none after that.

        A worker acknowledges finished tasks only between two calls, and takes no further ones
        before. So this waits a quarter of the time since the last message: a task of 20
        milliseconds is acknowledged after 25, and an idle worker does not use the processor.
        """
        while True:
            try:
                self.cycle.get(self._deliver, timeout=timeout)  # type: ignore[union-attr]
            except Empty:
                time.sleep(self.pause)
                self.pause = min(1.25 * self.pause, LONGEST_PAUSE)
                if timeout is not None:
                    raise TimeoutError from None
            else:
                self.pause = SHORTEST_PAUSE
                return
