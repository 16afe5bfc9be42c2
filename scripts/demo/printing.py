"""Documents: request them, wait for them, download them."""

import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct

from scripts.demo.client import Client, Unexpected
from scripts.demo.forces import Page
from scripts.demo.playing import Season
from scripts.demo.progress import counted

KINDS = ("campaign", "battle", "career", "roster", "rank-ups")
"""The kinds of documents that are printed."""
PATIENCE = 180
"""The maximum time for the worker to make one document, in seconds."""
WITH_ALL = ("cards", "prices", "dead")
"""The optional parts of a roster."""


class Print(Struct, frozen=True):
    """A file that was downloaded."""

    file: Path
    pages: int
    size: int


class Wish(Struct, frozen=True):
    """A document to request, the name of its file, and the client who requests it."""

    kind: str
    subject: str
    name: str
    client: Client
    options: tuple[str, ...] = ()


def print_all(season: Season, wishes: Sequence[Wish], folder: Path) -> list[Print]:
    """Request all these documents at once, then download them."""
    folder.mkdir(parents=True, exist_ok=True)
    documents = [_ask(wish) for wish in wishes]
    season.say.line(f"{len(documents)} documents are asked for; the worker typesets them.")
    prints = []
    for wish, document in zip(wishes, documents, strict=True):
        prints.append(_fetch(wish, _ready(wish.client, document), folder))
        season.say.line(f"{prints[-1].file.name}: {counted(prints[-1].pages, 'page')}")
    if wishes:
        _ask_again(season, wishes[0])
    return prints


def season_wishes(season: Season, battle: Page, veteran: str) -> Iterator[Wish]:
    """Yield the documents of the season.

    These are its summary, a battle, a career, and for each warband a rank-up sheet and two rosters,
    one for the table and one with all optional parts.
    """
    organiser = season.club.organiser
    yield Wish("campaign", season.campaign, "campaign-summary", organiser)
    yield Wish("battle", battle["id"], "battle-summary", organiser)
    yield Wish("career", veteran, "career", organiser)
    for faction, band in season.bands.items():
        yield Wish("roster", band.id, f"roster-{faction}", band.client)
        yield Wish("roster", band.id, f"roster-{faction}-with-cards", band.client, WITH_ALL)
        yield Wish("rank-ups", band.id, f"rank-ups-{faction}", band.client)


def _ask(wish: Wish) -> Page:
    body = {"kind": wish.kind, "subject": wish.subject, "options": list(wish.options)}
    document: Page = wish.client.post("documents/", body)
    return document


def _ready(client: Client, document: Page) -> Page:
    """Return the document once it is ready. Raises Unexpected if it failed or takes too long."""
    deadline = time.monotonic() + PATIENCE
    while document["state"] != "ready":
        if document["state"] == "failed":
            raise Unexpected(f"The document “{document['title']}” failed: {document['failure']}")
        if time.monotonic() > deadline:
            raise Unexpected(
                f"The document “{document['title']}” is {document['state']} after {PATIENCE} "
                "seconds."
            )
        time.sleep(0.3)
        document = client.get(f"documents/{document['id']}/")
    return document


def _fetch(wish: Wish, document: Page, folder: Path) -> Print:
    file = folder / f"{wish.name}.pdf"
    size = wish.client.download(document["file"], file)
    if not file.read_bytes().startswith(b"%PDF-"):
        raise Unexpected(f"{file.name} is not a PDF.")
    return Print(file, document["pages"], size)


def _ask_again(season: Season, wish: Wish) -> None:
    """Request an unchanged document again. Raises Unexpected if it is not ready at once."""
    again: dict[str, Any] = dict(_ask(wish))
    if again["state"] != "ready":
        raise Unexpected(
            "Asking for the same document again should render nothing, and it was queued."
        )
    season.say.line(
        "Asked for once more, the first of them is there at once: nothing has changed since."
    )
