"""Find the pages: from a few addresses, follow every link once for each kind of page."""

import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple
from urllib.parse import parse_qsl, urlsplit
from uuid import UUID

from django.urls import Resolver404, ResolverMatch, resolve

ID = re.compile(r"/[0-9a-f-]{36}/")
VIEW = "view"
"""The parameter for another view of a page: a roster as cards, as a list or for print."""
NOT_PAGES = (
    *(
        "api:",
        "admin:",
        "health",
        "schema",
        "docs",
        "csv",
        "json",
        "feed",
        "file",
        "qr",
        "download",
        "picture",
    ),
    *(
        "warband-passport",
        "fighter-passport",
        "own-key",
        "exchange:table",
        "own-data-archive",
        "roster-template",
    ),
)
"""Parts of names of routes that do not return a page."""


class Visit(NamedTuple):
    """A page to visit: its name among the pictures, and its path."""

    name: str
    path: str


def crawl(
    starts: Iterable[str], links: Callable[[], Iterable[str]], seen: set[str]
) -> Iterator[Visit]:
    """Yield every kind of page that can be reached by links, breadth first, each once.

    ``links`` is called after each visit, and returns the addresses that its page links to. ``seen``
    has the names of pages that need no visit, and is extended by pages that are the same from every
    start.
    """
    waiting, here = deque(starts), set[str]()
    while waiting:
        visit = _visit(waiting.popleft())
        if visit is None or visit.name in seen | here:
            continue
        (here if ID.search(visit.path) else seen).add(visit.name)
        yield visit
        waiting.extend(links())


def _visit(address: str) -> Visit | None:
    parts = urlsplit(address)
    try:
        route = resolve(parts.path)
    except Resolver404:
        return None
    if any(part in route.view_name for part in NOT_PAGES):
        return None
    view = [value for key, value in parse_qsl(parts.query) if key == VIEW]
    return Visit(
        "-".join([kind_of(route), *view]), parts.path + (f"?{parts.query}" if parts.query else "")
    )


def kind_of(route: ResolverMatch) -> str:
    """Return the kind of a page: its route, with those of its arguments that are not ids."""
    words = [str(value) for value in route.kwargs.values() if not isinstance(value, UUID | int)]
    return "-".join([route.view_name.replace(":", "-"), *words])
