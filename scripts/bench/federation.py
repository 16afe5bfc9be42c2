"""`make bench WORLD=<clubs>`: whether a page costs more in a large installation.

Both installations are served by this version, and have the same club. The other clubs are copies of
it, made in the database: each has four warbands, and twenty battles with five hundred events in two
campaigns. The first copies are sealed and proved by `check_chronicle` before the others are
made in the same way.

Last, PostgreSQL logs the plan of every slow statement of each page.
"""

import re
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import pairwise

import psycopg

from scripts.bench.against import FULL, QUICK, Amount, Visitor, page_findings, shown
from scripts.bench.findings import Finding
from scripts.bench.pages import PAGES
from scripts.bench.versions import Content, Served, served, this_version
from scripts.services import ROOT

FEW_CLUBS, MOST = 10, 1.2
SLOW_MILLISECONDS = 5
LINE, LINES = 300, 25
PLANS = ROOT / "var" / "slow-plans.txt"
COUNTED = (
    "clubs_club",
    "warbands_warband",
    "battles_battle",
    "battles_battleevent",
    "warbands_chronicleentry",
)


def federation_findings(clubs: int, quick: bool) -> list[Finding]:
    """Return the findings of each page in so many clubs against a few.

    Raises NotStarted or system.Missing if Muster cannot be served.
    """
    amount: Amount = QUICK if quick else FULL
    this, few = this_version(), min(FEW_CLUBS, max(clubs // 2, 1))
    with ExitStack() as stack:
        large, small = (
            Visitor(stack.enter_context(served(this, Content(amount.content.shape, number))))
            for number in (clubs, few)
        )
        print(f"{clubs:,} clubs: {rows(large.at)}", flush=True)
        findings = list(shown(page_findings(large, small, amount, {}, MOST, unchanged=False)))
        plans = slow_plans(large)
    PLANS.write_text("\n\n".join(plans) or "No statement was slow.", encoding="utf-8")
    print(f"\n{len(plans)} plans of slow statements are in {PLANS.relative_to(ROOT)}.")
    for plan in plans:
        print(f"\n{shortened(plan)}")
    return findings


def shortened(plan: str) -> str:
    """Return a plan with the beginnings of its long lines, for a terminal."""
    lines = [line[:LINE] for line in plan.splitlines()]
    return "\n".join(lines[:LINES])


def rows(at: Served) -> str:
    """Return the number of rows of important tables, as text."""
    with psycopg.connect(at.environment["DATABASE_URL"]) as connection:
        counts = {
            table: connection.execute(f'SELECT count(*) FROM "{table}"').fetchone()  # noqa: S608
            for table in COUNTED
        }
    return ", ".join(f"{table} {count[0]:,}" for table, count in counts.items() if count)


def slow_plans(visitor: Visitor) -> list[str]:
    """Open every page, cold, and return the statements that were slow with their plans."""
    _log_plans(visitor.at, SLOW_MILLISECONDS)
    plans: list[str] = []
    for page in PAGES:
        visitor.change(page)
        start = visitor.at.log.stat().st_size
        visitor.open(page)
        with visitor.at.log.open(encoding="utf-8", errors="replace") as log:
            log.seek(start)
            plans += [f"{page.name}: {plan}" for plan in plans_in(log.read())]
    return plans


def _log_plans(at: Served, milliseconds: int) -> None:
    with psycopg.connect(at.environment["DATABASE_URL"], autocommit=True) as connection:
        connection.execute(f"ALTER SYSTEM SET auto_explain.log_min_duration = {milliseconds}")
        connection.execute("ALTER SYSTEM SET auto_explain.log_analyze = on")
        connection.execute("ALTER SYSTEM SET auto_explain.log_timing = off")
        connection.execute("SELECT pg_reload_conf()")


def plans_in(log: str) -> Iterator[str]:
    """Yield the statements with plans of a log of PostgreSQL."""
    entries = [*re.finditer(r"^\d{4}-\d\d-\d\d .*?[A-Z]+:  ", log, re.MULTILINE)]
    bounds = [*(each.start() for each in entries), len(log)]
    for start, end in pairwise(bounds):
        _, _, text = log[start:end].partition("LOG:  ")
        if text.startswith("duration:"):
            yield text.strip()
