"""`make coverage`: measure the test coverage of the product's code.

Runs the tests without a database and those on SQLite.

Prints a line for each file that is not fully covered, and the total. Tests with their own processes
(worker, browser) are left out, because code that other processes run is not counted.
"""

import argparse
import sys
from collections.abc import Sequence

from scripts.packages import PACKAGES
from scripts.stages import Stages
from scripts.test import TWO_AT_A_TIME, embedded, migrate

PYTEST = (sys.executable, "-m", "pytest", "-q", *(f"--cov={package}" for package in PACKAGES))
NOT_ALONE = "not (worker or browser)"
REPORT = ("--cov-report=term:skip-covered",)


def main(arguments: Sequence[str]) -> None:
    """Run both parts of the tests and print the report. Exits with 1 if a test failed."""
    parser = argparse.ArgumentParser(prog="make coverage", description=__doc__)
    parser.add_argument(
        "--without-database", action="store_true", help="only the tests without a database"
    )
    without_database_only = parser.parse_args(arguments).without_database
    stages = Stages()
    report = REPORT if without_database_only else ("--cov-report=",)
    with embedded() as environment:
        command = (
            *PYTEST,
            *report,
            "--databases",
            "without",
            *TWO_AT_A_TIME["without"],
            "-m",
            NOT_ALONE,
        )
        stages.run("tests without a database", *command, environment=environment)
    if not without_database_only:
        with embedded() as environment:
            migrated = migrate("SQLite", stages, environment)
            # Also what `make test` only runs on PostgreSQL, or pages would look untested.
            marks = f"{NOT_ALONE} and not postgres"
            command = (
                *PYTEST,
                *REPORT,
                "--cov-append",
                "--databases",
                "with",
                *TWO_AT_A_TIME["with"],
                "-m",
                marks,
            )
            stages.run("tests on SQLite", *command, environment=environment | migrated)
    stages.finish()


if __name__ == "__main__":
    main(sys.argv[1:])
