"""The sizes of the measurements: full, or minimal to check that everything runs."""

from msgspec import Struct


class Sizes(Struct, frozen=True):
    """The sizes of the measurements.

    These are the battles of a replayed chronicle, a page, a history, a printed campaign and one
    with a correction; the turns of each measurement and of documents; the lengths at which a log is
    measured; the events of a batch; and whether to measure on SQLite too.
    """

    replay: int
    page_battles: int
    history: int
    turns: int
    documents: int
    document_battles: int
    corrected_battles: int
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
    corrected_battles=200,
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
    corrected_battles=2,
    lengths=(10, 20),
    batch=10,
    sqlite=False,
)
