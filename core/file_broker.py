"""The queue of the embedded mode: kombu's queue of files, one file per message and no server, with
two faults mended.

kombu's channel lets a message be read while it is being written, and what a killed worker had in
hand is lost. Here a message appears whole or not at all, and stays on the disk until it is
acknowledged (docs/decisions/embedded-queue.md).

    <folder>/waiting/<time>_<tag>.<queue>.msg    ready for a worker
    <folder>/claimed/<time>_<tag>.<queue>.msg    in the hands of a worker
"""

import os
import time
from pathlib import Path
from typing import Any

from kombu.transport import TRANSPORT_ALIASES, filesystem, virtual
from kombu.utils.json import dumps

TRANSPORT_ALIASES["files"] = "core.file_broker:Transport"


class Channel(filesystem.Channel):
    """Puts, claims and acknowledges messages in a folder on the local disk."""

    # Who sends declares the queue as well: bindings need no file that two processes may write at
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
        """Begin as the one worker of the folder: what is claimed was in the hands of one that
        died."""
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
    """`files://`, with the folder as a transport option."""

    Channel = Channel

    def drain_events(self, connection: Any, timeout: float | None = None, **kwargs: Any) -> None:
        """Come up for air often: between two waits a worker acknowledges, and notices that it shall
        stop."""
        super().drain_events(connection, timeout=timeout and min(timeout, 0.3), **kwargs)
