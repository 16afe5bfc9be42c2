"""Documents: request them, wait for them, download them."""

import time
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

from msgspec import Struct

from scripts.demo.client import Client, Unexpected
from scripts.demo.forces import Page
from scripts.demo.playing import Season
from scripts.demo.progress import counted

KINDS = ("campaign", "battle", "result-sheet", "result-card", "career", "roster", "rank-ups")
"""The kinds of documents that are printed."""
SIGNATURES = {"pdf": b"%PDF-", "png": b"\x89PNG"}
"""The first bytes of a file, by its extension."""
PATIENCE, PAUSE = 600, 0.5
"""The maximum time for the worker to make one document, and between two questions, in seconds."""
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


class Printing:
    """Documents that are typeset while the next campaign is played, and downloaded at the end."""

    def __init__(self, season: Season, folder: Path, kinds: Collection[str]) -> None:
        self.season, self._folder, self._kinds = season, folder, kinds
        self._requested: list[tuple[Wish, Page]] = []

    def request(self, wishes: Iterable[Wish]) -> None:
        """Request these documents at once, if their kind is to be printed."""
        wishes = [wish for wish in wishes if wish.kind in self._kinds]
        self._requested += [(wish, _ask(wish)) for wish in wishes]
        if wishes:
            documents = "document" if len(wishes) == 1 else "documents"
            self.season.say.line(
                f"{len(wishes)} {documents} requested; the worker typesets them meanwhile."
            )

    def download(self) -> list[Print]:
        """Wait for all requested documents, and download them in their order."""
        self._folder.mkdir(parents=True, exist_ok=True)
        prints = []
        for wish, document in self._requested:
            prints.append(_fetch(wish, _ready(wish.client, document), self._folder))
            self.season.say.line(f"{prints[-1].file.name}: {counted(prints[-1].pages, 'page')}")
        return prints

    def request_again(self) -> None:
        """Request an unchanged document again. Raises Unexpected if it is not ready at once."""
        if not self._requested:
            return
        wish, _ = self._requested[0]
        if _ask(wish)["state"] != "ready":
            raise Unexpected(
                "Asking for the same document again should render nothing, and it was queued."
            )
        self.season.say.line(
            "Asked for once more, the first of them is there at once: nothing has changed since."
        )


def season_wishes(season: Season, battle: Page, veteran: str) -> Iterator[Wish]:
    """Yield the documents of the season.

    These are its book, a battle with its result sheet and result card, a career, the rosters of all
    warbands for the table, and of the first warband a roster with all optional parts and a rank-up
    sheet. The others are a click away on the site.
    """
    organiser = season.club.organiser
    yield Wish("campaign", season.campaign, "campaign-summary", organiser)
    yield Wish("battle", battle["id"], "battle-summary", organiser)
    yield Wish("result-sheet", battle["id"], "result-sheet", organiser)
    yield Wish("result-card", battle["id"], "result-card", organiser)
    yield Wish("career", veteran, "career", organiser)
    for faction, band in season.bands.items():
        yield Wish("roster", band.id, f"roster-{faction}", band.client)
    faction, band = next(iter(season.bands.items()))
    yield Wish("roster", band.id, f"roster-{faction}-with-cards", band.client, WITH_ALL)
    yield Wish("rank-ups", band.id, f"rank-ups-{faction}", band.client)


def _ask(wish: Wish) -> Page:
    body = {"kind": wish.kind, "subject": wish.subject, "options": list(wish.options)}
    document: Page = wish.client.post("documents/", body)
    return document


def _ready(client: Client, document: Page) -> Page:
    """Return the document once it is ready. Raises Unexpected if it failed or takes too long."""
    deadline = time.monotonic() + PATIENCE
    while (document := client.get(f"documents/{document['id']}/"))["state"] != "ready":
        if document["state"] == "failed":
            raise Unexpected(f"The document “{document['title']}” failed: {document['failure']}")
        if time.monotonic() > deadline:
            raise Unexpected(
                f"The document “{document['title']}” is {document['state']} after {PATIENCE} "
                "seconds."
            )
        time.sleep(PAUSE)
    return document


def _fetch(wish: Wish, document: Page, folder: Path) -> Print:
    extension = "png" if wish.kind == "result-card" else "pdf"
    file = folder / f"{wish.name}.{extension}"
    size = wish.client.download(document["file"], file)
    if not file.read_bytes().startswith(SIGNATURES[extension]):
        raise Unexpected(f"{file.name} is not a {extension.upper()}.")
    return Print(file, document["pages"], size)
