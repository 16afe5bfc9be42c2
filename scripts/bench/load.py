"""A load: many users of many clubs at the same time, who read four times as often as they write."""

import json
import re
import statistics
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection
from random import Random
from string import Formatter
from typing import Any
from urllib.parse import urlsplit

from msgspec import Struct

from scripts.bench.crowd import copied_id
from scripts.bench.findings import Finding, span
from scripts.bench.pages import API, PAGES, Page
from scripts.bench.processor import seconds_of
from scripts.bench.versions import Served
from scripts.demo.client import Client

WRITES = 0.2
TIMES, MOST_SECONDS = 3.0, 0.040
ROUNDS = 2
ONLY_ONCE = {"campaign_0", "campaign_1000", "warband_20"}
"""The ids that only the first club has."""


IDS = re.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


class Seat(Struct, frozen=True):
    """A user of a club: its ids, the cookie of a session, and a token."""

    made: dict[str, Any]
    session: str
    token: str


class Load(Struct, frozen=True):
    """The load of a version: requests a second, processor seconds of each, and refusals."""

    rate: float
    cost: float
    failed: int


def load_findings(
    ours: Served, theirs: Served, *, users: int, seconds: int, strict: bool
) -> Iterator[Finding]:
    """Yield the findings for the load, with a budget if ``strict``: requests, and their cost.

    A turn takes so many ``seconds``.
    """
    seats = {each.version.name: seats_of(each, users) for each in (ours, theirs)}
    for each in (ours, theirs):
        # A server in use has its statements prepared, and its users have been there before.
        open_all(each, seats[each.version.name])
    loads: list[tuple[Load, Load]] = []
    for turn in range(ROUNDS):
        order = (ours, theirs) if turn % 2 else (theirs, ours)
        carried = {
            each.version.name: carry(each, seats[each.version.name], seconds) for each in order
        }
        loads.append((carried[ours.version.name], carried[theirs.version.name]))
    rates = [statistics.mean(pair[which].rate for pair in loads) for which in (0, 1)]
    costs = [statistics.mean(pair[which].cost for pair in loads) for which in (0, 1)]
    failed = [sum(pair[which].failed for pair in loads) for which in (0, 1)]
    what = f"{users} users of {ours.content.clubs:,} clubs, {1 - WRITES:.0%} reads"
    ratio = rates[0] / rates[1]
    yield Finding(
        what=f"{what}: requests",
        took=f"{rates[0]:.1f} a second",
        floor=f"{theirs.version.name}: {rates[1]:.1f} a second",
        ratio=ratio,
        budget=f"at least {TIMES:g} times, none may fail" if strict else "none may fail",
        kept=(ratio >= TIMES or not strict) and not failed[0],
        remark=f"{failed[0]} requests failed, against {failed[1]}. Two web processes each.",
    )
    yield Finding(
        what=f"{what}: processor time of a request",
        took=span(costs[0]),
        floor=f"{theirs.version.name}: {span(costs[1])}",
        ratio=costs[0] / costs[1],
        budget=f"at most {span(MOST_SECONDS)}",
        kept=costs[0] <= MOST_SECONDS,
    )


def seats_of(at: Served, users: int) -> list[Seat]:
    """Sign in so many users, each of another club where there are enough, and return them."""
    clubs = at.content.clubs
    numbers = [place * clubs // users for place in range(users)]
    names = [f"{at.made['username']}-{number}" if number else "alice" for number in numbers]
    file = at.folder / "seats.json"
    at.stage("sign-in", str(file), *names)
    keys = json.loads(file.read_text())
    return [
        Seat(_copied(at.made, number), each["session"], each["token"])
        for number, each in zip(numbers, keys, strict=True)
    ]


def _copied(made: dict[str, Any], number: int) -> dict[str, Any]:
    """Return the ids of a copy of the club."""
    return {
        key: copied_id(value, number) if IDS.fullmatch(str(value)) else value
        for key, value in made.items()
        if key not in ONLY_ONCE
    }


def open_all(at: Served, seats: Sequence[Seat]) -> None:
    """Let each user open every page once, all users at the same time."""
    with ThreadPoolExecutor(len(seats)) as pool:
        for job in [pool.submit(_open_each, at, seat) for seat in seats]:
            job.result()


def _open_each(at: Served, seat: Seat) -> None:
    connection = HTTPConnection(urlsplit(at.url).netloc, timeout=120)
    for page in _pages():
        _read(connection, page, seat)
    connection.close()


def carry(at: Served, seats: Sequence[Seat], seconds: int) -> Load:
    """Let all users open and change pages without pauses, for some seconds."""
    pages = _pages()
    used, started = _used(at), time.monotonic()
    deadline = started + seconds
    with ThreadPoolExecutor(len(seats)) as pool:
        jobs = [
            pool.submit(_use, at, seat, Random(place), pages, deadline)  # noqa: S311
            for place, seat in enumerate(seats)
        ]
        answers = [status for job in jobs for status in job.result()]
    elapsed = time.monotonic() - started
    failed = sum(status >= 400 for status in answers)
    return Load(len(answers) / elapsed, (_used(at) - used) / max(len(answers), 1), failed)


def _pages() -> list[Page]:
    return [page for page in PAGES if not ONLY_ONCE & _keys(page)]


def _keys(page: Page) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(page.address) if name}


def _used(at: Served) -> float:
    return sum(seconds_of(at.web, *at.storage))


def _use(at: Served, seat: Seat, luck: Random, pages: Sequence[Page], deadline: float) -> list[int]:
    """Return the status of each request of one user until the deadline."""
    writer = Client(at.url)
    writer.token = seat.token
    connection = HTTPConnection(urlsplit(at.url).netloc, timeout=120)
    statuses = []
    while time.monotonic() < deadline:
        page = luck.choice(pages)
        if luck.random() < WRITES:
            statuses.append(_write(writer, page, seat, luck))
        else:
            statuses.append(_read(connection, page, seat))
    connection.close()
    return statuses


def _write(writer: Client, page: Page, seat: Seat, luck: Random) -> int:
    try:
        page.change(writer, seat.made, luck.randrange(10**6))
    except Exception as error:
        print(f"  {error}"[:300], flush=True)
        return 500
    return 200


def _read(connection: HTTPConnection, page: Page, seat: Seat) -> int:
    address = page.address.format(**seat.made)
    accept = "application/json" if address.startswith(API) else "text/html"
    headers = {"Cookie": f"sessionid={seat.session}", "Accept": accept, "User-Agent": "bench"}
    try:
        connection.request("GET", address, headers=headers)
        answer = connection.getresponse()
        answer.read()
    except (ConnectionError, TimeoutError):
        connection.close()
        return 503
    return answer.status
