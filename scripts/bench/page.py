"""The findings as a table in the terminal, and as docs/benchmarks.md."""

from collections.abc import Mapping, Sequence
from datetime import date

from scripts.bench.findings import Finding

HEADINGS = ("What", "Took", "Floor", "Ratio", "Budget", "")
INTRODUCTION = """# Benchmarks

Written by `make bench`. Every figure is next to a floor that was measured in the same run, turn by turn with it:
the least that the work could cost if nothing but its bare core were done. Ratios carry over to other machines, times
do not. Of all turns the best one counts.

What the floors are:

- **Bare SQL**: the very rows that Muster wrote, or the very rows that it read, through the database's driver alone, in
  one transaction, several rows to a statement: no rules, no checks, no locks, no objects, nobody asked who is asking.
  The database does not wait for the disk here: that would only flatter the ratio.
- **Decoding**: the same facts read from JSON, and nothing done with them.
- **Encoding**: the same answers written as JSON, and nothing done to find them.
- **WeasyPrint alone**: the same HTML and style sheets, typeset by the library in one call.

`make bench AGAINST=<commit>` compares pages with those of another version. It checks the commit out in a worktree,
with the packages of its own lock file, plays the demonstration of both versions, each on a PostgreSQL of its own, and
opens the same pages of both in turns, signed in and over HTTP. Each line shows what one request takes of the
processor, in all (web server + database), here and there. The ratio is the median over the turns; above 1.1 is a
defect, and the command fails. What it needs is kept under `var/against/`; `QUICK=1` only shows whether it runs. Run it
on a quiet machine. The suite checks numbers of queries, never times.
"""


def table(findings: Sequence[Finding]) -> str:
    """Return the findings in columns, for a terminal."""
    rows = [HEADINGS, *(_cells(finding) for finding in findings)]
    widths = [max(len(row[place]) for row in rows) for place in range(len(HEADINGS))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    )


def markdown(findings: Sequence[Finding], machine: Mapping[str, str], on: date) -> str:
    """Return the complete page."""
    rows = [HEADINGS, tuple("---" for _ in HEADINGS), *(_cells(finding) for finding in findings)]
    lines = "\n".join(f"| {' | '.join(row)} |" for row in rows)
    remarks = "\n".join(
        f"- **{finding.what}**: {finding.remark}" for finding in findings if finding.remark
    )
    facts = "\n".join(f"- {name}: {value}" for name, value in machine.items())
    return f"{INTRODUCTION}\n## Figures of {on.isoformat()}\n\n{facts}\n\n{lines}\n\n{remarks}\n"


def _cells(finding: Finding) -> tuple[str, ...]:
    verdict = {True: "kept", False: "MISSED", None: ""}[finding.kept]
    ratio = "" if finding.ratio is None else f"{finding.ratio:.2f}"
    return (finding.what, finding.took, finding.floor, ratio, finding.budget, verdict)
