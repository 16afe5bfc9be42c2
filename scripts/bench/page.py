"""The findings as a table in the terminal, and as docs/benchmarks.md."""

from collections.abc import Mapping, Sequence
from datetime import date

from scripts.bench.findings import Finding

HEADINGS = ("What", "Took", "Floor", "Ratio", "Budget")
INTRODUCTION = """# Benchmarks

`make bench` writes this page. Each figure has a floor: the least time that the core of the same
work can take, measured in the same run, in alternating turns. The best turn counts. You can compare
ratios between machines, but not times.

## Floors

- **Bare SQL**: the rows that Muster wrote or read, through the database driver alone, in one
  transaction. The database does not wait for the disk.
- **Decoding**: read the same facts from JSON, and do nothing else.
- **Encoding**: write the same answers as JSON, without computing them.
- **WeasyPrint alone**: the library typesets the same HTML and style sheets in one call.

## Compare two versions

`make bench AGAINST=<commit>` compares pages with those of another version. It plays the demo of
both, each on its own PostgreSQL, and opens the same pages of both in turns, signed in and over
HTTP. A line shows the processor time of one request: total (web server + database). The ratio is
the median of all turns; above 1.1 the command fails. `QUICK=1` only checks that it runs. Files are
kept in `var/against/`. Use a quiet machine. The test suite checks numbers of queries, never times.
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
    ratio = "" if finding.ratio is None else f"{finding.ratio:.2f}"
    missed = ", MISSED" if finding.kept is False else ""
    return (finding.what, finding.took, finding.floor, ratio, f"{finding.budget}{missed}")
