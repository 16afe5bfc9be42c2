"""`make soak`: the tests by the thousand in full, and what was run as docs/reliability.md.

`make test` runs a sample of each (tests/soak.py). This takes minutes, and belongs before a release.
"""

import os
import subprocess
import sys
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec

from scripts import system
from scripts.bench.machine import machine
from scripts.services import ROOT

PAGE = ROOT / "docs" / "reliability.md"
INTRODUCTION = """# Reliability

Written by `make soak`: everything that is tested by the thousand, in full. `make test` runs a sample of each row,
evenly spread and always the same. Chance is seeded: the same number is the same battle on every machine, so that
whatever fails here can be run again alone.

A refereed battle is played by two players of chance who keep to the rules: any scenario, weather, hour and house rules,
random forces of real lists. Of each event it is asked whether the rules know a problem, and of each state whether
anything is true that never may be.
"""


class Soaked(msgspec.Struct):
    """A row of the table: what was run, how often, the seconds of the processor, and how many of its cases failed."""

    what: str
    number: int = 0
    seconds: float = 0.0
    failures: int = 0


def main() -> int:
    """Run, print the table, and write the page if nothing failed. 0 if so, else pytest's exit code, or 1."""
    try:
        system.ensure("tests")
    except system.Missing as error:
        sys.exit(f"Nothing was run. {error}")
    with TemporaryDirectory(prefix="muster-soak-") as folder:
        file = Path(folder) / "table.json"
        embedded = {"VAR_DIR": folder, "DATABASE_URL": "", "CELERY_BROKER_URL": ""}
        command = [sys.executable, "-m", "pytest", "-q", "-n", str(os.cpu_count()), "--dist", "worksteal"]
        done = subprocess.run([*command, "--soak", "--soak-table", str(file)], cwd=ROOT, env={**os.environ, **embedded})
        rows = msgspec.json.decode(file.read_bytes(), type=list[Soaked]) if file.exists() else []
    print(f"\n{table(rows)}")
    if done.returncode or not rows:
        return done.returncode or 1
    PAGE.write_text(page(rows, machine(), date.today()), encoding="utf-8")
    print(f"\nWritten to {PAGE.relative_to(ROOT)}.")
    return 0


def table(rows: Sequence[Soaked]) -> str:
    """A line for each row and one for all, as Markdown."""
    cells = [(row.what, f"{row.number:,}", f"{row.seconds:.0f} s", str(row.failures)) for row in rows]
    total = ("together", "", f"{sum(row.seconds for row in rows):.0f} s", str(sum(row.failures for row in rows)))
    headings = [("What", "How many", "Processor time", "Failures"), ("---", "--:", "--:", "--:")]
    return "\n".join(f"| {' | '.join(row)} |" for row in [*headings, *cells, total])


def page(rows: Sequence[Soaked], facts: dict[str, str], on: date) -> str:
    """The page, complete."""
    found_on = "\n".join(f"- {name}: {value}" for name, value in facts.items())
    return f"{INTRODUCTION}\n## Figures of {on.isoformat()}\n\n{found_on}\n\n{table(rows)}\n"


if __name__ == "__main__":
    sys.exit(main())
