"""`make soak`: run the long tests in full, and write docs/reliability.md.

`make test` runs a sample of each (tests/soak.py). This takes more than an hour, and should be done
before a release. A failure does not hide others: everything is run, and the page is written only if
nothing failed. `make soak FAILED=1` repeats the tests that failed, once they are corrected, and the
page says how many. If a correction may change other results, run all of them again.
"""

import argparse
import os
import shutil
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
KEPT = ROOT / "var" / "soak"
"""The folder for the measurements of the last complete run and of the repeats after it."""
RUN = "run.json"
"""The file in it with the sums of all of them."""
RAN_TO_THE_END = (0, 1)
"""The exit codes of pytest if every test passed or failed."""
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


class Measured(msgspec.Struct):
    """The measurements of one run of pytest: rows, and the ids of failed tests."""

    rows: list[Soaked] = []
    failed: list[str] = []


class Run(msgspec.Struct):
    """All measurements since the last complete run, with those of repeated tests.

    ``failed`` are the ids of tests that still fail, ``repeated`` is the number of repeated ones.
    ``where`` says on which services the tests of races and kills ran.
    """

    rows: list[Soaked] = []
    failed: list[str] = []
    where: str = ""
    minutes: float = 0
    repeated: int = 0


def main() -> int:
    """Run, print the table, and write the page if nothing failed.

    Returns 0 if nothing failed, else pytest's exit code, or 1.
    """
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--failed", action="store_true", help="repeat what failed in the last run")
    again = parser.parse_args().failed
    stop_on_signals()
    try:
        system.ensure("tests", "clients")
    except system.Missing as error:
        sys.exit(f"Nothing was run. {error}")
    run = last_run() if again else Run()
    if again and not run.failed:
        sys.exit("No test failed in the last run, or it did not end. Run `make soak`.")
    if not again:
        shutil.rmtree(KEPT, ignore_errors=True)
        KEPT.mkdir(parents=True)
        most, hard = [f"--ignore={HARDSHIP}"], [HARDSHIP]
    else:
        most = [test for test in run.failed if not test.startswith(HARDSHIP)]
        hard = [test for test in run.failed if test.startswith(HARDSHIP)]
    # The counted taps of earlier runs are beside these files, and stay.
    number, files, codes = len([*KEPT.glob("*.json")]), [], []
    started = time.monotonic()
    with TemporaryDirectory(prefix="muster-soak-") as folder:
        if most:
            files += [KEPT / f"most-{number}.json"]
            codes += [soak(files[-1], embedded(folder), *most)]
        if hard:
            files += [KEPT / f"races-and-kills-{number}.json"]
            run.where, code = soak_hardship(files[-1], folder, *hard)
            codes += [code]
    # pytest writes no file if it is interrupted early.
    measured = [
        msgspec.json.decode(file.read_bytes(), type=Measured) for file in files if file.exists()
    ]
    run = after(run, measured, (time.monotonic() - started) / 60)
    print(f"\n{table(run.rows)}")
    if all(code in RAN_TO_THE_END for code in codes):
        (KEPT / RUN).write_bytes(msgspec.json.encode(run))
    if any(codes) or run.failed or not run.rows:
        return next(filter(None, codes), 1)
    PAGE.write_text(page(run.rows, machine() | facts_of(run), date.today()), encoding="utf-8")
    print(f"\nWritten to {PAGE.relative_to(ROOT)}.")
    taps.write(KEPT)
    return 0


def last_run() -> Run:
    """Return what the last run measured, an empty one if it did not end."""
    file = KEPT / RUN
    return msgspec.json.decode(file.read_bytes(), type=Run) if file.exists() else Run()


def after(run: Run, measured: Sequence[Measured], minutes: float) -> Run:
    """Return a run with what was measured now: everything, or a repeat of all failed tests."""
    rows: dict[str, Soaked] = {}
    for row in (row for each in measured for row in each.rows):
        sums = rows.setdefault(row.what, Soaked(row.what))
        sums.number += row.number
        sums.seconds += row.seconds
        sums.failures += row.failures
    if run.rows:
        # The numbers of the first run have the repeated cases already.
        for row in run.rows:
            now = rows.get(row.what, Soaked(row.what))
            rows[row.what] = Soaked(row.what, row.number, row.seconds + now.seconds, now.failures)
    return Run(
        [*rows.values()],
        [test for each in measured for test in each.failed],
        run.where,
        run.minutes + minutes,
        run.repeated + len(run.failed),
    )


def facts_of(run: Run) -> dict[str, str]:
    """Return facts about a run by name, for the page."""
    facts = {
        "Races and kills": run.where,
        "Took": f"{run.minutes:.0f} minutes by the clock",
    }
    if run.repeated:
        facts["Repeated"] = f"{run.repeated} failed tests, after they were corrected"
    return facts


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


def soak_hardship(file: Path, folder: str, *which: str) -> tuple[str, int]:
    """Run the tests of races and kills. Return where they ran, and the exit code.

    They run on PostgreSQL and Redis if these can be started, else on SQLite.
    """
    try:
        with services() as environment:
            return "on PostgreSQL and Redis", soak(file, environment, *which)
    except (NotStarted, system.Missing) as error:
        print(
            f"\nNo PostgreSQL and Redis: {error}\nRaces and kills are run on SQLite and the queue "
            "of files."
        )
    return "on SQLite and the queue of files", soak(file, embedded(folder), *which)


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
