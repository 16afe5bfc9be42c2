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

`make soak` writes this page, and only if nothing failed. It runs tests with many cases in full;
`make test` runs a sample of each, always the same. Random cases have seeds, so you can repeat any
failure alone.

## What the rows of the table mean

- **Refereed battles**: a program plays both sides at random, within the rules. Scenario, weather,
  house rules and forces are random; the lists are real. The test checks each event for problems and
  each state for impossible values. In some battles every event contains a mistake.
- **Requests made up from the schema**: Schemathesis sends 10,000 each as an organiser, a player and
  a stranger, valid and invalid. No request causes a fault, each answer matches the schema, and each
  refusal has a code from docs/api-errors.md. The stranger sees nothing of a private club.
- **Odd requests**: the schema's examples, each with one field spoilt.
- **The permission matrix**: every route of pages and API, by every method, in six roles, compared
  with `tests/permissions/matrix.txt`.
- **Races**: two or more clients confirm, void, correct, enter or take a rank-up at the same moment.
  Nothing is doubled or lost, and `check_chronicle` finds no fault.
- **Killed**: `kill -9` at a random moment stops workers and web servers. Other processes finish the
  work, once. Nothing that was answered is lost.
- **A hundred users**: members read pages as browsers do, players log battles event by event,
  organisers pair, decide and write, others print, strangers try what they must not. Meanwhile
  `kill -9` stops a web server, a worker and the clock at random moments, and PostgreSQL and Redis
  restart once. Afterwards everything that was answered with 2xx is in the database, and only once.
  The only answer with 5xx is 503 with `Retry-After`. At the end, a web server and a worker that
  were not killed use at most 1.2 times the memory (PSS) that they used after two minutes.
- **Floods**: many clients send large batches of events while the server's health is checked.
- **Slow connections**: strangers send and read one byte at a time, or nothing. A member can still
  sign in, with and without Caddy in front.
- **Kinds of tampering**: changes made directly in the database. `check_chronicle` names each. If
  the forger has the installation's own key, the heads of histories on an old print reveal the
  change.
- **Round trips**: random clubs exported, imported and exported again, equal byte for byte.
- **Documents**: rosters, cards and books with difficult content are legible, have well filled
  pages, and say what was played.
- **Clubs of an installation**: copies of one small club, made in PostgreSQL. A member opens every
  page and list; no statement may read rows of other clubs.
- **Club nights and seasons**: played by clicks in a browser; axe checks every page. A client
  generated from the schema does the main job. Web, worker and beat start in the environment of
  their containers.
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
        system.ensure("tests", "clients")
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


def table(rows: Sequence[Soaked], *, failures: bool = True) -> str:
    """Return a line for each row and one for the total, as Markdown. The failures are optional."""
    lines = [
        ("What", "How many", "Processor time", "Failures"),
        ("---", "--:", "--:", "--:"),
        *((row.what, f"{row.number:,}", f"{row.seconds:.0f} s", str(row.failures)) for row in rows),
        (
            "together",
            "",
            f"{sum(row.seconds for row in rows):.0f} s",
            str(sum(row.failures for row in rows)),
        ),
    ]
    return "\n".join(f"| {' | '.join(line if failures else line[:-1])} |" for line in lines)


def page(rows: Sequence[Soaked], facts: dict[str, str], on: date) -> str:
    """Return the complete page. It is written only if nothing failed."""
    found_on = "\n".join(f"- {name}: {value}" for name, value in facts.items())
    figures = table(rows, failures=False)
    return f"{INTRODUCTION}\n## Figures of {on.isoformat()}\n\n{found_on}\n\n{figures}\n"


if __name__ == "__main__":
    sys.exit(main())
