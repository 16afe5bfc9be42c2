"""`make soak`: run the long tests in full, and write docs/reliability.md.

`make test` runs a sample of each (tests/soak.py). This takes up to an hour, and should be done
before a release. A failure does not hide others: everything is run, and the page is written only if
nothing failed.
"""

import os
import subprocess
import sys
import time
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec

from scripts import system, taps
from scripts.bench.machine import machine
from scripts.processes import NotStarted, stop_on_signals
from scripts.services import ROOT, services

HARDSHIP = "tests/hardship"
"""Tests of simultaneous requests and killed processes, run on the services of a server."""
PAGE = ROOT / "docs" / "reliability.md"
INTRODUCTION = """# Reliability

Written by `make soak`: everything that is tested by the thousand, in full. `make test` runs a sample of each row,
evenly spread and always the same. Chance is seeded: the same number is the same battle on every machine, so that
whatever fails here can be run again alone.

What the rows mean:

- **Refereed battles** are played by two players of chance who keep to the rules: any scenario, weather, hour and house
  rules, random forces of real lists. Of each event it is asked whether the rules know a problem, and of each state
  whether anything is true that never may be. Some are written down, read again and replayed, some are played twice with
  the same seed, in some every event slips; the demonstration's campaigns are played and printed twice.
- **Requests made up from the schema** come from Schemathesis, ten thousand as an organiser, as a player and as a
  stranger, sensible ones and odd ones: no fault, every answer as the schema describes it, for every refusal a problem
  with a code that docs/api.md knows, and for the stranger nothing of a private club. **Odd requests** are the schema's
  examples with one field after the other spoilt.
- **The permission matrix** is every route of pages and API by every method in six roles, compared with the table in
  `tests/permissions/matrix.txt`.
- **Races** are two and more clients that confirm and confirm, confirm and void, submit and correct, enrol and start,
  take one rank-up or send the same `client_id` at the same moment. Afterwards nothing is doubled or lost, and
  `check_chronicle` proves all of it.
- **Killed** are workers that make documents and offers, and web servers that confirm battles, by `kill -9` at a random
  moment. Whatever was begun is finished by those who follow, once; whatever was answered is there.
- **Floods** are large batches of events from many clients at once, while the server's health is asked for.
- **Slow connections** are strangers who send heads and bodies, and read answers, a byte at a time, or say nothing. The
  server's health is checked all the time, with and without Caddy in front, and a member signs in.
- **Kinds of tampering**, each done to the database behind Muster's back: facts, seals, results, points, events, dice
  seeds, labels, chains that are cut or sealed again, warbands that are deleted. `check_chronicle` names each; a forger
  with the installation's own key is found out by the heads on an old print.
- **Round trips** are random clubs that are exported and imported again, equal byte for byte.
- **Documents** are rosters, cards and books of hard cases: legible, well filled, and true to what was played.
- **Clubs of an installation** are copies of one small club, made inside PostgreSQL; the first are proved by
  `check_chronicle`. Then a member opens every page and list, and no statement may look at rows of other clubs.
- **Evenings and seasons** are played by clicks in a browser, every page of them looked at by axe. A client generated
  from the schema does the main job, and web, worker and beat start in the environment of their containers.
"""


class Soaked(msgspec.Struct):
    """A row of the table: what was run, how often, its processor time in seconds, its failures."""

    what: str
    number: int = 0
    seconds: float = 0.0
    failures: int = 0


def main() -> int:
    """Run, print the table, and write the page if nothing failed.

    Returns 0 if nothing failed, else pytest's exit code, or 1.
    """
    stop_on_signals()
    try:
        system.ensure("tests")
    except system.Missing as error:
        sys.exit(f"Nothing was run. {error}")
    started = time.monotonic()
    with TemporaryDirectory(prefix="muster-soak-") as folder:
        most = soak(Path(folder) / "most.json", embedded(folder), f"--ignore={HARDSHIP}")
        where, hardship = soak_hardship(folder)
        files = sorted(Path(folder).glob("*.json"))
        rows = [
            row
            for file in files
            for row in msgspec.json.decode(file.read_bytes(), type=list[Soaked])
        ]
        if not (most or hardship):
            taps.write(Path(folder))
    print(f"\n{table(rows)}")
    if most or hardship or not rows:
        return most or hardship or 1
    took = {
        "Races and kills": where,
        "Took": f"{(time.monotonic() - started) / 60:.0f} minutes by the clock",
    }
    PAGE.write_text(page(rows, machine() | took, date.today()), encoding="utf-8")
    print(f"\nWritten to {PAGE.relative_to(ROOT)}.")
    return 0


def soak(file: Path, environment: dict[str, str], *which: str) -> int:
    """Run these tests in full, with their rows in the file, and return pytest's exit code."""
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-n",
        str(os.cpu_count()),
        "--dist",
        "worksteal",
    ]
    command += ["--soak", "--soak-table", str(file), *which]
    return subprocess.run(command, cwd=ROOT, env={**os.environ, **environment}).returncode


def soak_hardship(folder: str) -> tuple[str, int]:
    """Run the tests of races and kills. Return where they ran, and the exit code.

    They run on PostgreSQL and Redis if these can be started, else on SQLite.
    """
    file = Path(folder) / "races-and-kills.json"
    try:
        with services() as environment:
            return "on PostgreSQL and Redis", soak(file, environment, HARDSHIP)
    except (NotStarted, system.Missing) as error:
        print(
            f"\nNo PostgreSQL and Redis: {error}\nRaces and kills are run on SQLite and the queue "
            "of files."
        )
    return "on SQLite and the queue of files", soak(file, embedded(folder), HARDSHIP)


def embedded(folder: str) -> dict[str, str]:
    """Return the environment of the embedded default, with its files in the folder."""
    return {"VAR_DIR": folder, "DATABASE_URL": "", "CELERY_BROKER_URL": ""}


def table(rows: Sequence[Soaked]) -> str:
    """Return a line for each row and one for the total, as Markdown."""
    cells = [
        (row.what, f"{row.number:,}", f"{row.seconds:.0f} s", str(row.failures)) for row in rows
    ]
    total = (
        "together",
        "",
        f"{sum(row.seconds for row in rows):.0f} s",
        str(sum(row.failures for row in rows)),
    )
    headings = [("What", "How many", "Processor time", "Failures"), ("---", "--:", "--:", "--:")]
    return "\n".join(f"| {' | '.join(row)} |" for row in [*headings, *cells, total])


def page(rows: Sequence[Soaked], facts: dict[str, str], on: date) -> str:
    """Return the complete page."""
    found_on = "\n".join(f"- {name}: {value}" for name, value in facts.items())
    return f"{INTRODUCTION}\n## Figures of {on.isoformat()}\n\n{found_on}\n\n{table(rows)}\n"


if __name__ == "__main__":
    sys.exit(main())
