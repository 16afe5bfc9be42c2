"""The whole suite: checks, tests without a database, tests on PostgreSQL with Redis, tests on
SQLite.

Starts what it needs and stops it again. Of the tests by the thousand it runs a sample; `make soak`
runs them all.
"""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from tempfile import TemporaryDirectory

from scripts import system
from scripts.check import run_checks
from scripts.processes import NotStarted, stop_on_signals
from scripts.services import ROOT, services
from scripts.stages import Stages

PYTEST = (sys.executable, "-m", "pytest", "-q")
# Tests with processes of their own run one at a time, or the machine's load decides what they see.
ALONE = ("worker", "browser")
# Locks that only PostgreSQL has, and what takes long and is alike on every database: who may open
# which page.
NOT_ON_SQLITE = "not (postgres or one_database)"
# What knows no database runs once, not once on each (tests/databases.py): the parts of the suite,
# two tests at a time. Without a database a file stays together, because its tests share what was
# printed; with one whoever is done takes tests from the other, because some files are slow as a
# whole.
TWO_AT_A_TIME = {
    "without": ("-n", "2", "--dist", "loadfile"),
    "with": ("-n", "2", "--dist", "worksteal"),
}


def main() -> None:
    """Every stage, then the table of times. Exits with 1 if any stage failed."""
    stop_on_signals()
    stages = Stages()
    run_checks(stages)
    without_database(stages)
    started = time.monotonic()
    try:
        with services() as environment:
            stages.note("start PostgreSQL and Redis", time.monotonic() - started)
            on_postgres(stages, environment)
    except (NotStarted, system.Missing) as error:
        print(f"\nCANNOT TEST: what the tests need could not be set up.\n{error}", flush=True)
        stages.note("start PostgreSQL and Redis", time.monotonic() - started, well=False)
    on_sqlite(stages)
    stages.finish()


def without_database(stages: Stages) -> None:
    """The tests that know no database: the rule book, typesetting, scripts, settings."""
    with embedded() as environment:
        run_tests("without a database", stages, environment, "without")


def on_postgres(stages: Stages, environment: dict[str, str]) -> None:
    """Migrations into an empty database, then all tests that know one."""
    migrated = migrate("PostgreSQL", stages, environment)
    run_tests("on PostgreSQL", stages, environment | migrated, "with")


def on_sqlite(stages: Stages) -> None:
    """The same on the embedded default."""
    with embedded() as environment:
        migrated = migrate("SQLite", stages, environment)
        run_tests("on SQLite", stages, environment | migrated, "with", but=NOT_ON_SQLITE)


@contextmanager
def embedded() -> Iterator[dict[str, str]]:
    """The environment of the embedded default: SQLite, and the queue of files."""
    with TemporaryDirectory(prefix="muster-sqlite-") as folder:
        yield {"VAR_DIR": folder, "DATABASE_URL": "", "CELERY_BROKER_URL": ""}


def migrate(database: str, stages: Stages, environment: dict[str, str]) -> dict[str, str]:
    """Apply all migrations to the empty database, and print how long it took.

    What it gives tells the tests to begin with copies of that database (`tests/conftest.py`), if it
    was well made.
    """
    name = f"migrations apply to an empty {database}"
    well = stages.run(
        name, sys.executable, "manage.py", "migrate", "--verbosity", "0", environment=environment
    )
    return {"TESTS_COPY_DATABASE": "yes"} if well else {}


def run_tests(
    where: str, stages: Stages, environment: dict[str, str], part: str, but: str = ""
) -> None:
    """Most tests of the part, two at a time; then those with processes of their own, one after the
    other."""
    pytest = (*PYTEST, "--databases", part)
    alone = f"({' or '.join(ALONE)})"
    together, alone = (
        " and ".join(filter(None, [marks, but])) for marks in (f"not {alone}", alone)
    )
    stages.run(
        f"tests {where}", *pytest, *TWO_AT_A_TIME[part], "-m", together, environment=environment
    )
    name = f"tests {where} with worker and browser"
    stages.run(name, *pytest, "-m", alone, *files_of(*ALONE), environment=environment)


def files_of(*marks: str) -> list[str]:
    """The files of tests in which one of these marks stands: reading all others takes longer than
    it looks."""
    named = tuple(f"pytest.mark.{mark}" for mark in marks)
    files = sorted((ROOT / "tests").rglob("test_*.py"))
    return [
        str(file.relative_to(ROOT))
        for file in files
        if any(name in file.read_text("utf-8") for name in named)
    ]


if __name__ == "__main__":
    main()
