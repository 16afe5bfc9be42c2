"""How much is measured: the real thing, or next to nothing to see whether it runs."""

from msgspec import Struct


class Sizes(Struct, frozen=True):
    """Numbers of battles in a replayed chronicle, a page, a history and a printed campaign; turns of each measurement,
    and of documents."""

    replay: int
    page_battles: int
    history: int
    turns: int
    documents: int
    document_battles: int


FULL = Sizes(replay=200, page_battles=1000, history=10_000, turns=40, documents=7, document_battles=9)
QUICK = Sizes(replay=5, page_battles=30, history=60, turns=3, documents=1, document_battles=1)
