"""The ledger of a load test: what was sent, what was answered, and what went wrong.

It is a file of JSON lines. The users of the load test, the process that kills servers, and the
proof afterwards share it.
"""

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

SENT, DONE = "sent", "done"
"""Entries of a write: before its first attempt, and after its successful answer."""
FAULT, ANSWER, TROUBLE = "fault", "answer", "trouble"


class Ledger:
    """Append entries to the file. Each entry is one short write, so processes can share it."""

    def __init__(self, file: Path) -> None:
        self._file = file.open("a", encoding="utf-8", buffering=1)

    def note(self, entry: str, **details: Any) -> None:
        """Write an entry with the time of the clock."""
        self._file.write(json.dumps({"entry": entry, "at": time.time(), **details}) + "\n")

    def sent(self, what: str, mark: str, **details: Any) -> None:
        """Note that a write with this unique mark is about to be sent for the first time."""
        self.note(SENT, what=what, mark=mark, **details)

    def done(self, what: str, mark: str, **details: Any) -> None:
        """Note that a write was answered with 2xx: it must be there afterwards."""
        self.note(DONE, what=what, mark=mark, **details)

    def fault(self, text: str) -> None:
        """Note something that must not happen."""
        self.note(FAULT, text=text)


def read(file: Path, *entries: str) -> Iterator[dict[str, Any]]:
    """Yield the entries of these kinds, in order."""
    for line in file.read_text(encoding="utf-8").splitlines(keepends=True):
        if not line.endswith("\n"):
            # Somebody is still writing this one.
            return
        row: dict[str, Any] = json.loads(line)
        if row["entry"] in entries:
            yield row
