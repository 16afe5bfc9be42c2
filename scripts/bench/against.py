"""`make bench AGAINST=<commit>`: compare the processor time of pages with another version.

Both versions serve their own demonstration, each with its own PostgreSQL. A member opens the same
pages of both in turns, with the same number of requests to each. For each turn we take the ratio of
the processor time of web server and database. The median of these ratios counts; above 1.1 it is a
defect.
"""

import statistics
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from http.client import HTTPConnection, RemoteDisconnected
from urllib.parse import urlencode, urlsplit

import redis
from msgspec import Struct

from scripts.bench.findings import Finding, span
from scripts.bench.versions import Served, served, this_version, version_of
from scripts.demo.client import Client

MOST = 1.1
SIGN_IN = "/accounts/login/"
BADGE = "inbox-number"
"""The class of the number of cards in a page's header."""
PAGES: dict[str, tuple[str, ...]] = {
    "Home": ("/",),
    "Club": ("/clubs/{club}/",),
    "Campaign": ("/campaigns/{campaign}/",),
    "Standings": ("/campaigns/{campaign}/standings/",),
    "Battles": ("/battles/",),
    "Battle": ("/battles/{battle}/",),
    "Live log": ("/battles/{battle_under_way}/table/",),
    "Warband": ("/warbands/{warband}/",),
    "Fighter": ("/fighters/{fighter}/",),
}
"""The address of each page. If a version does not have the first one, the next ones are tried."""
BADGE_PAGES = ("/rulesets/",)
"""A page with almost nothing but the badge, which is not cached in these requests."""


class Amount(Struct, frozen=True):
    """The number of turns, of requests of a page in each turn, and of battles (None: all)."""

    turns: int
    requests: int
    battles: int | None = None


FULL, QUICK = Amount(7, 10), Amount(1, 1, 1)


class Cost(Struct, frozen=True):
    """The processor time in seconds for one request, in the web server and in the database."""

    web: float
    database: float

    @property
    def both(self) -> float:
        return self.web + self.database

    def __str__(self) -> str:
        return f"{span(self.both)} ({span(self.web)} + {span(self.database)})"


class Visitor:
    """A member who opens pages of one version through one persistent connection."""

    def __init__(self, at: Served) -> None:
        self.at = at
        self.cache = redis.Redis.from_url(at.cache)
        client = Client(at.url)
        client.page(SIGN_IN)
        form = {"login": at.made["username"], "password": at.made["password"]}
        client.page(SIGN_IN, {**form, "csrfmiddlewaretoken": client.cookie("csrftoken")})
        session = urlencode({"sessionid": client.cookie("sessionid")})
        self.headers = {"Cookie": session, "Accept": "text/html", "User-Agent": "bench"}
        self.connection = HTTPConnection(urlsplit(at.url).netloc, timeout=60)

    def open(self, address: str) -> tuple[int, str]:
        """Return the status and the page."""
        try:
            return self._ask(address)
        except (ConnectionError, RemoteDisconnected):
            # Servers close connections that were idle while the other version had its turn.
            self.connection.close()
            return self._ask(address)

    def _ask(self, address: str) -> tuple[int, str]:
        self.connection.request("GET", address, headers=self.headers)
        answer = self.connection.getresponse()
        return answer.status, answer.read().decode()

    def first_of(self, candidates: tuple[str, ...]) -> str:
        """Return the first of these addresses that this version has, or ""."""
        addresses = (each.format(**self.at.made) for each in candidates)
        return next((each for each in addresses if self.open(each)[0] == 200), "")

    def forget_numbers(self) -> None:
        """Empty the cache: the next page must count the cards again."""
        self.cache.flushdb()

    def cost(self, address: str, requests: int, before: Callable[[], None] | None) -> Cost:
        """Return the average processor time of a request, over ``requests`` requests."""
        web, database = self.at.web.seconds(), self.at.database.seconds()
        for _ in range(requests):
            if before:
                before()
            status, _ = self.open(address)
            if status != 200:
                raise RuntimeError(
                    f"{address} of {self.at.version.name} was answered with {status}."
                )
        web, database = self.at.web.seconds() - web, self.at.database.seconds() - database
        return Cost(web / requests, database / requests)


def compare(commit: str, quick: bool) -> list[Finding]:
    """Return a finding for each page, with this version first.

    Raises NotStarted or system.Missing if a version cannot be served.
    """
    amount = QUICK if quick else FULL
    with ExitStack() as stack:
        versions = (this_version(), version_of(commit))
        ours, theirs = (
            Visitor(stack.enter_context(served(each, amount.battles))) for each in versions
        )
        findings = []
        for finding in _findings(ours, theirs, amount):
            print(
                f"{finding.what}: {finding.ratio:.2f}"
                if finding.ratio
                else f"{finding.what}: {finding.floor}",
                flush=True,
            )
            findings.append(finding)
        return findings


def _findings(ours: Visitor, theirs: Visitor, amount: Amount) -> Iterator[Finding]:
    for name, candidates in PAGES.items():
        addresses = ours.first_of(candidates), theirs.first_of(candidates)
        yield _finding(name, (ours, theirs), addresses, amount)
    addresses = _with_badge(ours), _with_badge(theirs)
    yield _finding("The badge of a page", (ours, theirs), addresses, amount, cold=True)


def _with_badge(visitor: Visitor) -> str:
    address = visitor.first_of(BADGE_PAGES)
    return address if address and BADGE in visitor.open(address)[1] else ""


def _finding(
    name: str,
    visitors: tuple[Visitor, Visitor],
    addresses: tuple[str, str],
    amount: Amount,
    *,
    cold: bool = False,
) -> Finding:
    names = [visitor.at.version.name for visitor in visitors]
    missing = " nor in ".join(
        of for of, address in zip(names, addresses, strict=True) if not address
    )
    if missing:
        return Finding(name, "", f"not in {missing}", None, "", None)

    def cost(place: int) -> Cost:
        visitor = visitors[place]
        return visitor.cost(
            addresses[place], amount.requests, visitor.forget_numbers if cold else None
        )

    turns: list[tuple[Cost, Cost]] = []
    for turn in range(1 + amount.turns):
        # Alternate the version that starts each turn.
        if turn % 2:
            theirs, ours = cost(1), cost(0)
        else:
            ours, theirs = cost(0), cost(1)
        turns.append((ours, theirs))
    # The first turn fills caches and connections, and does not count.
    return judged(name, names[1], turns[1:])


def judged(name: str, other: str, turns: list[tuple[Cost, Cost]]) -> Finding:
    """Return a finding with the medians, the median and spread of the ratios, and the verdict."""
    ratios = [ours.both / theirs.both for ours, theirs in turns]
    ratio = statistics.median(ratios)
    return Finding(
        what=name,
        took=str(_median([ours for ours, _ in turns])),
        floor=f"{other}: {_median([theirs for _, theirs in turns])}",
        ratio=ratio,
        budget=f"at most {MOST} (turns: {min(ratios):.2f} to {max(ratios):.2f})",
        kept=ratio <= MOST,
    )


def _median(costs: list[Cost]) -> Cost:
    return Cost(
        statistics.median(each.web for each in costs),
        statistics.median(each.database for each in costs),
    )
