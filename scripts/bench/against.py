"""`make bench AGAINST=<commit>`: compare the processor time of pages with another version.

Both versions serve the same world (see same_world), each with its own PostgreSQL and Redis. A
member opens the same pages of both in turns, with the same number of requests to each. For each
turn we take the ratio of the processor time of web server, database and cache. The median of these
ratios counts.
"""

import statistics
from collections.abc import Iterator
from contextlib import ExitStack
from http.client import HTTPConnection, HTTPResponse
from itertools import count
from urllib.parse import urlencode, urlsplit

from msgspec import Struct

from scripts.bench.book import book_findings
from scripts.bench.findings import Finding, span
from scripts.bench.load import load_findings
from scripts.bench.pages import API, PAGES, Page
from scripts.bench.processor import seconds_of
from scripts.bench.same_world import Shape
from scripts.bench.versions import Content, Served, served, this_version, version_of
from scripts.demo.client import Client

SIGN_IN = "/accounts/login/"
COMMON = 1.1
SLOWEST = "aa5b5018"
"""The version for which these budgets are: cold, then warm."""
BUDGETS = {
    "home": (0.5, 0.3),
    "warband": (0.5, 0.3),
    "battle": (0.5, 0.3),
    "campaign": (0.6, 0.33),
}
UNCHANGED_SECONDS = 0.005


class Amount(Struct, frozen=True, kw_only=True):
    """The number of turns, of requests of a page in each turn, and what is served."""

    turns: int
    requests: int
    content: Content
    clubs: int
    """The clubs of the installation under load."""
    load_seconds: int
    """The length of a turn under load."""
    users: int
    book: int
    """The battles of a printed book."""


FULL = Amount(
    turns=5,
    requests=8,
    content=Content(),
    clubs=1000,
    load_seconds=30,
    users=50,
    book=200,
)
# The same content for everything: making it takes longest.
QUICK = Amount(
    turns=1,
    requests=1,
    content=Content(Shape(1, 2), 3),
    clubs=3,
    load_seconds=1,
    users=2,
    book=2,
)


class Cost(Struct, frozen=True):
    """The processor time in seconds for one request: web server, and database with cache."""

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
        self.at, self.numbers = at, count(1)
        self.client = Client(at.url)
        self.client.page(SIGN_IN)
        form = {"login": at.made["username"], "password": at.made["password"]}
        self.client.page(SIGN_IN, {**form, "csrfmiddlewaretoken": self.client.cookie("csrftoken")})
        session = urlencode({"sessionid": self.client.cookie("sessionid")})
        self.client.sign_in(at.made["username"], at.made["password"])
        self.headers = {"Cookie": session, "User-Agent": "bench"}
        self.connection = HTTPConnection(urlsplit(at.url).netloc, timeout=60)

    def open(self, page: Page, etag: str = "") -> tuple[HTTPResponse, bytes]:
        """Return the response and its body. Raises RuntimeError if it is an error."""
        address = page.address.format(**self.at.made)
        accept = "application/json" if address.startswith(API) else "text/html"
        headers = {**self.headers, "Accept": accept} | ({"If-None-Match": etag} if etag else {})
        try:
            answer = self._ask(address, headers)
        except ConnectionError:
            # Servers close connections that were idle while the other version had its turn.
            self.connection.close()
            answer = self._ask(address, headers)
        if answer[0].status not in (200, 304):
            raise RuntimeError(
                f"{address} of {self.at.version.name} was answered with {answer[0].status}."
            )
        return answer

    def has(self, page: Page) -> bool:
        """Return whether the version has the page."""
        try:
            self.open(page)
        except RuntimeError:
            return False
        return True

    def _ask(self, address: str, headers: dict[str, str]) -> tuple[HTTPResponse, bytes]:
        self.connection.request("GET", address, headers=headers)
        answer = self.connection.getresponse()
        return answer, answer.read()

    def change(self, page: Page) -> None:
        """Change something on the page."""
        page.change(self.client, self.at.made, next(self.numbers))

    def cost(self, page: Page, requests: int, *, cold: bool = False, etag: str = "") -> Cost:
        """Return the average processor time of a request, without that of changes.

        Only changes make it necessary to read the clocks around each request. They are read from
        lists of all processes, which takes longer than a request and empties the processor's
        caches, so requests without changes are measured together.
        """
        rounds, together = (requests, 1) if cold else (1, requests)
        web = database = 0.0
        for _ in range(rounds):
            if cold:
                self.change(page)
            before = self._used()
            for _ in range(together):
                self.open(page, etag)
            after = self._used()
            web += after.web - before.web
            database += after.database - before.database
        return Cost(web / requests, database / requests)

    def _used(self) -> Cost:
        web, *storage = seconds_of(self.at.web, *self.at.storage)
        return Cost(web, sum(storage))


def compare(commit: str, quick: bool) -> list[Finding]:
    """Return the findings for each page, with this version first, and for a load.

    Raises NotStarted or system.Missing if a version cannot be served.
    """
    amount = QUICK if quick else FULL
    this, other = this_version(), version_of(commit)
    with ExitStack() as stack:
        ours, theirs = (
            Visitor(stack.enter_context(served(each, amount.content))) for each in (this, other)
        )
        strict = other.name == SLOWEST
        findings = list(shown(page_findings(ours, theirs, amount, BUDGETS if strict else {})))
    with ExitStack() as stack:
        crowd = Content(amount.content.shape, amount.clubs)
        both = tuple(stack.enter_context(served(each, crowd, 2)) for each in (this, other))
        findings += shown(
            load_findings(
                *both,
                users=amount.users,
                seconds=amount.load_seconds,
                strict=strict,
            )
        )
    long = Content(Shape(amount.content.shape.few, amount.book), amount.content.clubs)
    findings += shown(book_findings(this, other, long, strict=strict))
    return findings


def shown(findings: Iterator[Finding]) -> Iterator[Finding]:
    """Print each finding at once."""
    for finding in findings:
        print(f"{finding.what}: {finding.took}, {finding.floor}", flush=True)
        yield finding


def page_findings(
    ours: Visitor,
    theirs: Visitor,
    amount: Amount,
    budgets: dict[str, tuple[float, float]],
    most: float = COMMON,
    *,
    unchanged: bool = True,
) -> Iterator[Finding]:
    """Yield the findings for each page: cold, warm and, if wanted, unchanged."""
    for page in PAGES:
        if missing := [each.at.version.name for each in (ours, theirs) if not each.has(page)]:
            yield Finding(page.name, "", f"not in {' nor in '.join(missing)}", None, "", None)
            continue
        cold, warm = budgets.get(page.kind, (most, most))
        remark = _difference(page, ours, theirs)
        turns = _turns(page, (ours, theirs), amount, cold=True)
        other = _name(theirs, ours)
        yield judged(f"{page.name}, cold", other, turns, cold, remark)
        turns = _turns(page, (ours, theirs), amount, cold=False)
        yield judged(f"{page.name}, warm", other, turns, warm)
        if unchanged and page.when_unchanged:
            yield _unchanged(page, ours, amount)


def _name(theirs: Visitor, ours: Visitor) -> str:
    name, clubs = theirs.at.version.name, theirs.at.content.clubs
    return name if clubs == ours.at.content.clubs else f"{clubs} clubs"


def _difference(page: Page, ours: Visitor, theirs: Visitor) -> str:
    """Return the sizes of both pages: the same content may be shown differently."""
    sizes = [len(each.open(page)[1]) / 1024 for each in (ours, theirs)]
    return f"{sizes[0]:,.0f} KiB, against {sizes[1]:,.0f} KiB."


def _turns(
    page: Page, visitors: tuple[Visitor, Visitor], amount: Amount, *, cold: bool
) -> list[tuple[Cost, Cost]]:
    turns: list[tuple[Cost, Cost]] = []
    for turn in range(1 + amount.turns):
        # Alternate the version that starts each turn. The first turn fills caches and connections,
        # and does not count.
        order = (1, 0) if turn % 2 else (0, 1)
        costs = {each: visitors[each].cost(page, amount.requests, cold=cold) for each in order}
        turns.append((costs[0], costs[1]))
    return turns[1:]


def _unchanged(page: Page, visitor: Visitor, amount: Amount) -> Finding:
    """Return the finding for a page that the reader has: 304 without a body."""
    name, budget = f"{page.name}, unchanged", f"304 in at most {span(UNCHANGED_SECONDS)}"
    etag = visitor.open(page)[0].headers.get("ETag", "")
    if not etag or visitor.open(page, etag)[0].status != 304:
        return Finding(name, "no 304", "", None, budget, False)
    costs = [visitor.cost(page, amount.requests, etag=etag) for _ in range(amount.turns)]
    cost = median(costs)
    return Finding(name, str(cost), "", None, budget, cost.both <= UNCHANGED_SECONDS)


def judged(
    name: str, other: str, turns: list[tuple[Cost, Cost]], most: float, remark: str = ""
) -> Finding:
    """Return a finding with the medians, the median and spread of the ratios, and the verdict."""
    ratios = [ours.both / theirs.both for ours, theirs in turns]
    ratio = statistics.median(ratios)
    return Finding(
        what=name,
        took=str(median([ours for ours, _ in turns])),
        floor=f"{other}: {median([theirs for _, theirs in turns])}",
        ratio=ratio,
        budget=f"at most {most:g} (turns: {min(ratios):.2f} to {max(ratios):.2f})",
        kept=ratio <= most,
        remark=remark,
    )


def median(costs: list[Cost]) -> Cost:
    """Return the median of each part of the costs."""
    return Cost(
        statistics.median(each.web for each in costs),
        statistics.median(each.database for each in costs),
    )
