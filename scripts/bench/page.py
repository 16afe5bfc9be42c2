"""The findings as a table in the terminal, and as docs/benchmarks.md."""

import re
from collections.abc import Mapping, Sequence
from datetime import date
from enum import StrEnum

from scripts.bench.findings import Finding

HEADINGS = ("What", "Took", "Floor", "Ratio", "Budget")
INTRODUCTION = """# Benchmarks

`make bench` writes this page. It compares each figure with a floor: the least time that the core of
the same work can take. Both are measured in the same run, in alternating turns, and the best turn
counts. Compare ratios between machines, not times. Before each turn garbage is collected, but only
among what the turns have made: looking at all objects would empty the processor's caches.

## Floors

- **Bare SQL**: the rows that Muster wrote or read, through the database driver alone, in one
  transaction. The database does not wait for the disk.
- **Decoding**: read the same facts from JSON, and do nothing else.
- **Encoding**: write the same answers as JSON, without computing them.
- **WeasyPrint alone**: the library typesets the same HTML and style sheets in one call.

## Compare two versions

`make bench AGAINST=<commit>` compares pages and API reads with those of another version. It starts
both, each with its own PostgreSQL and Redis, and creates the same content in both with the same
requests:

- a club with four warbands of ten fighters
- campaigns with ten battles, and one without battles
- a campaign of two warbands of twenty fighters with 1,000 battles, which are copies of one battle,
  made in the database

A member, signed in and over HTTP, opens the same pages of both versions in turns. Each line of the
table shows the processor time of one request: the total, and in brackets the shares of the web
server and of database and cache. The ratio is the median of all turns. The sizes of both pages are
below the table, because versions show the same content differently.

- **cold**: one thing on the page has just changed. Before each request a member makes a small
  change over the API: a title, a name, a story, a note in the log, an answer to a club night. The
  cost of the change is not counted. The cache is not emptied, so the rest of the page may come from
  it.
- **warm**: nothing has changed since the last request. The page is sent in full.
- **unchanged**: the reader sends the `ETag` of the last answer, and gets 304. Only this version is
  measured. The search has no 304 (docs/decisions/web.md).

Cold requests are measured one by one, the others eight at a time: reading the processor time lists
all processes, which empties the processor's caches.

Then comes the load: 50 users of 1,000 clubs read and write at the same time, without pauses. The
versions take turns of 30 seconds; each has two web processes. Before its first turn, a version is
used for 30 seconds, so that a server in use is measured. Last, one worker of each version prints
the book of 200 battles.

A page may take at most 1.1 times the time of the other version. Against aa5b5018, a version of 24
November 2026 that kept no copies of pages, the budgets are stricter: for the main pages 0.5 to 0.6
of its time if they are cold, about a third if they are warm.

## A federation

`make bench WORLD=1000` compares the pages of 1,000 clubs with those of 10. Each club has four
warbands, twenty battles with five hundred events, and a battle under way. The clubs are copies of
one club, made inside PostgreSQL. The first copies are sealed and proved by `check_chronicle`; then
the others are made in the same way. A page may cost at most 1.2 times as much. Plans of slow
statements are printed, and written to `var/slow-plans.txt`.

Content is kept in `var/against/` for a week. `QUICK=1` only checks that everything runs. Use a
quiet machine. The test suite checks numbers of queries (`tests/bench/query_counts.toml`), never
times.
"""


def table(findings: Sequence[Finding]) -> str:
    """Return the findings in columns, for a terminal."""
    rows = [HEADINGS, *(_cells(finding) for finding in findings)]
    widths = [max(len(row[place]) for row in rows) for place in range(len(HEADINGS))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    )


class Section(StrEnum):
    """The parts of the page, by the beginning of their headings. Each run replaces one of them."""

    FIGURES = "## Figures of "
    AGAINST = "## Two versions, "
    WORLD = "## Many clubs, "


def with_section(
    page: str, section: Section, findings: Sequence[Finding], machine: Mapping[str, str], on: date
) -> str:
    """Return the page with the newest introduction and this section in place of the former one."""
    parts = re.split("^(?=## )", page, flags=re.MULTILINE)
    texts = {each: part for each in Section for part in parts if part.startswith(each)}
    texts[section] = section_text(section, findings, machine, on)
    bodies = [texts[each].strip() for each in Section if each in texts]
    return "\n\n".join([INTRODUCTION.strip(), *bodies]) + "\n"


def section_text(
    section: Section, findings: Sequence[Finding], machine: Mapping[str, str], on: date
) -> str:
    """Return a section: the machine, the table and the remarks."""
    rows = [HEADINGS, tuple("---" for _ in HEADINGS), *(_cells(finding) for finding in findings)]
    lines = "\n".join(f"| {' | '.join(row)} |" for row in rows)
    remarks = "\n".join(
        f"- **{finding.what}**: {finding.remark}" for finding in findings if finding.remark
    )
    facts = "\n".join(f"- {name}: {value}" for name, value in machine.items())
    return f"{section}{on.isoformat()}\n\n{facts}\n\n{lines}\n\n{remarks}\n"


def _cells(finding: Finding) -> tuple[str, ...]:
    ratio = "" if finding.ratio is None else f"{finding.ratio:.2f}"
    missed = ", MISSED" if finding.kept is False else ""
    return (finding.what, finding.took, finding.floor, ratio, f"{finding.budget}{missed}")
