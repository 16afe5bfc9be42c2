"""`make bench`, or `python -m scripts.bench [--quick]`: measure the budgets.

Prints the findings and writes docs/benchmarks.md.
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
from scripts.bench.findings import Finding
from scripts.bench.machine import machine
from scripts.bench.page import markdown, table
from scripts.bench.playing import playing_findings
from scripts.bench.rules import rule_findings
from scripts.bench.sizes import FULL, QUICK, Sizes
from scripts.processes import NotStarted
from scripts.serve import migrate
from scripts.services import ROOT, scratch_folder, services

PAGE = ROOT / "docs" / "benchmarks.md"
# Django must be set up before any module of the apps is imported.
INSIDE = (
    "import sys, django; django.setup(); from scripts.bench.inside import main; main(*sys.argv[1:])"
)


def main(arguments: list[str]) -> int:
    """Return 0 if everything was measured and every budget was kept, else 1.

    A quick run writes nothing and always returns 0 if it could measure.
    """
    parser = argparse.ArgumentParser(prog="make bench", description=__doc__)
    parser.add_argument(
        "--quick", action="store_true", help="tiny numbers, to see whether it runs; writes nothing"
    )
    parser.add_argument(
        "--against",
        metavar="COMMIT",
        help="compare the pages with those of another version instead",
    )
    wish = parser.parse_args(arguments)
    quick, facts = wish.quick, machine()
    try:
        findings = (
            compare(wish.against, quick) if wish.against else measure(QUICK if quick else FULL)
        )
    except (NotStarted, system.Missing, subprocess.CalledProcessError) as error:
        print(f"Nothing was measured. {error}", file=sys.stderr)
        return 1
    print(f"\n{table(findings)}")
    if quick:
        return 0
    if wish.against:
        return missed(findings)
    PAGE.write_text(markdown(findings, facts, date.today()), encoding="utf-8")
    print(f"\nWritten to {PAGE.relative_to(ROOT)}.")
    return missed(findings)


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
