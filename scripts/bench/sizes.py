"""How much is measured: the real thing, or next to nothing to see whether it runs."""

from msgspec import Struct


class Sizes(Struct, frozen=True):
    """Numbers of battles in a replayed chronicle, a page, a history and a printed campaign; turns
    of each measurement, and of documents; the lengths at which a log is measured, and how many
    events a batch has; whether on SQLite too."""

    replay: int
    page_battles: int
    history: int
    turns: int
    documents: int
    document_battles: int
    lengths: tuple[int, ...]
    batch: int
    sqlite: bool = True


FULL = Sizes(
    replay=200,
    page_battles=1000,
    history=10_000,
    turns=40,
    documents=20,
    document_battles=9,
    lengths=(10, 300, 1000, 3000),
    batch=500,
)
QUICK = Sizes(
    replay=2,
    page_battles=5,
    history=10,
    turns=1,
    documents=1,
    document_battles=1,
    lengths=(10, 20),
    batch=10,
    sqlite=False,
)
