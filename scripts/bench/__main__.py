"""`make bench`, or `python -m scripts.bench [--quick]`: measure the budgets.

Prints the findings and writes them to their section of docs/benchmarks.md.
"""

import argparse
import os
import subprocess
import sys
from datetime import date
from pathlib import Path

import msgspec

from scripts import system
from scripts.bench.against import compare
from scripts.bench.federation import federation_findings
from scripts.bench.findings import Finding
from scripts.bench.machine import machine
from scripts.bench.page import Section, table, with_section
from scripts.bench.playing import playing_findings
from scripts.bench.rules import rule_findings
from scripts.bench.sizes import FULL, QUICK, Sizes
from scripts.bench.whole import whole_findings
from scripts.processes import NotStarted, stop_on_signals
from scripts.serve import migrate
from scripts.services import ROOT, scratch_folder, services

PAGE = ROOT / "docs" / "benchmarks.md"
MIN_CLUBS = 2
# Django must be set up before any module of the apps is imported.
INSIDE = (
    "import sys, django; django.setup(); from scripts.bench.inside import main; main(*sys.argv[1:])"
)


def main(arguments: list[str]) -> int:
    """Return 0 if everything was measured and every budget was kept, else 1.

    A quick run writes nothing and always returns 0 if it could measure.
    """
    stop_on_signals()
    parser = argparse.ArgumentParser(prog="make bench", description=__doc__)
    parser.add_argument(
        "--quick", action="store_true", help="tiny numbers, to see whether it runs; writes nothing"
    )
    parser.add_argument(
        "--against",
        metavar="COMMIT",
        help="compare the pages with those of another version instead",
    )
    parser.add_argument(
        "--world",
        metavar="CLUBS",
        type=int,
        help="compare the pages of this number of clubs with those of a few instead",
    )
    wish = parser.parse_args(arguments)
    if wish.world is not None and wish.world < MIN_CLUBS:
        parser.error(f"--world {wish.world}: at least {MIN_CLUBS} clubs, to compare with fewer.")
    quick, facts = wish.quick, machine()
    try:
        section, findings = _measured(wish)
    except (NotStarted, system.Missing, subprocess.CalledProcessError) as error:
        print(f"Nothing was measured. {error}", file=sys.stderr)
        return 1
    print(f"\n{table(findings)}")
    if quick:
        return 0
    before = PAGE.read_text(encoding="utf-8") if PAGE.exists() else ""
    PAGE.write_text(with_section(before, section, findings, facts, date.today()), encoding="utf-8")
    print(f"\nWritten to {PAGE.relative_to(ROOT)}.")
    return missed(findings)


def _measured(wish: argparse.Namespace) -> tuple[Section, list[Finding]]:
    """Return what is asked for, and its section of the page."""
    if wish.against:
        return Section.AGAINST, compare(wish.against, wish.quick)
    if wish.world is not None:
        return Section.WORLD, federation_findings(wish.world, wish.quick)
    sizes = QUICK if wish.quick else FULL
    return Section.FIGURES, [*measure(sizes), *whole_findings(quick=wish.quick)]


def missed(findings: list[Finding]) -> int:
    """Return 1 if any budget was missed, else 0."""
    return int(any(finding.kept is False for finding in findings))


def measure(sizes: Sizes) -> list[Finding]:
    """Measure everything: the rules in this process, then PostgreSQL, then SQLite if requested."""
    print("The rule book", flush=True)
    findings = [*rule_findings(sizes.replay, sizes.turns), *playing_findings(sizes.turns)]
    with services() as environment:
        print("PostgreSQL", flush=True)
        findings += _inside(sizes, environment)
    if not sizes.sqlite:
        return findings
    with scratch_folder() as folder:
        print("SQLite", flush=True)
        findings += _inside(
            sizes, {"DATABASE_URL": "", "CELERY_BROKER_URL": "", "VAR_DIR": str(folder)}
        )
    return findings


def _inside(sizes: Sizes, environment: dict[str, str]) -> list[Finding]:
    """Measure on the database of this environment, in a separate process."""
    environment = {
        **environment,
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "LOG_LEVEL": "WARNING",
    }
    migrate(environment)
    answer = Path(environment["VAR_DIR"]) / "findings.json"
    answer.parent.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-c", INSIDE, msgspec.json.encode(sizes).decode(), str(answer)]
    subprocess.run(command, cwd=ROOT, env={**os.environ, **environment}, check=True)
    return msgspec.json.decode(answer.read_bytes(), type=list[Finding])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
