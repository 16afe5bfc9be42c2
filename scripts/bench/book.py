"""The book of a campaign of many battles: processor time, and the worker's memory."""

import time
from collections.abc import Iterator, Sequence

from scripts.bench.findings import Finding, at_most_megabytes, span
from scripts.bench.idle import command_of
from scripts.bench.memory import peak_megabytes
from scripts.bench.processor import Usage, family, seconds_of
from scripts.bench.versions import Content, Served, Version, served
from scripts.demo.client import Client, Unexpected

HALF, MOST_MEGABYTES = 0.5, 300.0
PATIENCE = 400
PAPER = "Letter"
"""Each campaign has a book on A4 already."""
PAUSE, IDLE_SECONDS, LONGEST_WAIT = 5, 0.3, 600
"""Seconds between two looks, and the processor time that an idle worker takes in them."""


def book_findings(
    this: Version, other: Version, content: Content, *, strict: bool
) -> Iterator[Finding]:
    """Yield the findings for the book of the long campaign in both versions.

    If ``strict``, it may take half of the processor time of the other version.

    Turns of one version differ by a tenth, so each has two: the shorter time and the greater memory
    count.
    """
    turns = [(each, _printed(each, content)) for each in (this, other, other, this)]
    (ours, megabytes), (theirs, before) = (
        _best([printed for version, printed in turns if version is each]) for each in (this, other)
    )
    what = f"Book of {content.shape.many:,} battles"
    yield Finding(
        what=what,
        took=span(ours),
        floor=f"{other.name}: {span(theirs)}",
        ratio=ours / theirs,
        budget=f"at most {HALF:g}" if strict else "",
        kept=ours / theirs <= HALF if strict else None,
        remark="Processor time of worker, database and cache: the shorter of two turns.",
    )
    yield at_most_megabytes(
        f"{what}, largest process of the worker",
        megabytes,
        MOST_MEGABYTES,
        f"{before:,.0f} MB in {other.name}.",
    )


def _best(turns: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """Return the least processor seconds and the most megabytes of some turns."""
    return min(seconds for seconds, _ in turns), max(megabytes for _, megabytes in turns)


def _printed(version: Version, content: Content) -> tuple[float, float]:
    """Print the book; return the processor seconds, and the megabytes of the largest process."""
    with served(version, content, worker=True) as at:
        client = Client(at.url)
        client.sign_in(at.made["username"], at.made["password"])
        worker = _worker(at)
        _wait_until_idle(at, worker)
        used = _used(at, worker)
        wish = {"kind": "campaign", "subject": at.made["campaign_1000"], "paper": PAPER}
        document = client.post("documents/", wish)
        megabytes, deadline = 0.0, time.monotonic() + PATIENCE
        while document["state"] != "ready":
            if document["state"] == "failed" or time.monotonic() > deadline:
                raise Unexpected(f"The book of {version.name} is {document['state']}.")
            time.sleep(0.5)
            megabytes = max(megabytes, *map(peak_megabytes, family(worker.pid)))
            document = client.get(f"documents/{document['id']}/")
        return _used(at, worker) - used, megabytes


def _wait_until_idle(at: Served, worker: Usage) -> None:
    """Wait until the worker has done what the content left to do, such as summaries of battles."""
    before = _used(at, worker)
    for _ in range(LONGEST_WAIT // PAUSE):
        time.sleep(PAUSE)
        used = _used(at, worker)
        if used - before < IDLE_SECONDS:
            return
        before = used


def _worker(at: Served) -> Usage:
    return Usage(next(pid for pid in family(at.web.pid) if "celery" in command_of(pid)))


def _used(at: Served, worker: Usage) -> float:
    return sum(seconds_of(worker, *at.storage))
