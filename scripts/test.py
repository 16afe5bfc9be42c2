"""The whole suite: checks, and tests without a database, on PostgreSQL and on SQLite.

Starts the services that it needs and stops them again. Runs a sample of the longest tests; `make
soak` runs them in full.
"""

import shutil
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from scripts import system
from scripts.check import run_checks
from scripts.processes import NotStarted, stop_on_signals
from scripts.services import ROOT, services
from scripts.stages import Stages

PYTEST = (sys.executable, "-m", "pytest", "-q", "--durations=25")
# Tests with their own processes run one at a time, because they wait for each other's processes and
# browsers. They wait more than they compute, so they run beside the other tests of their part.
ALONE = ("worker", "browser")
# Tests of locks that only PostgreSQL has, and long tests with the same result on every database:
# who can open which page.
NOT_ON_SQLITE = "not (postgres or one_database)"
# Tests without a database run once, not once on each (tests/databases.py). Both parts run two tests
# at a time. Without a database the tests of a file stay together, because they share printed
# documents. With one, an idle process takes tests from the other, because some files are slow as a
# whole.
TWO_AT_A_TIME = {
    "without": ("-n", "2", "--dist", "loadfile"),
    "with": ("-n", "2", "--dist", "worksteal"),
}


def main() -> None:
    """Run every stage, then print the table of times. Exits with 1 if any stage failed."""
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
    """Run the tests without a database: the rules, typesetting, scripts, settings."""
    with embedded() as environment:
        run_tests("without a database", stages, environment, "without")


def on_postgres(stages: Stages, environment: dict[str, str]) -> None:
    """Migrate an empty database, then run all tests with a database."""
    migrated = migrate("PostgreSQL", stages, environment)
    run_tests("on PostgreSQL", stages, environment | migrated, "with")


def on_sqlite(stages: Stages) -> None:
    """Run the same tests on the embedded default."""
    with embedded() as environment:
        migrated = migrate("SQLite", stages, environment)
        run_tests("on SQLite", stages, environment | migrated, "with", but=NOT_ON_SQLITE)


@contextmanager
def embedded() -> Iterator[dict[str, str]]:
    """Yield the environment of the embedded default: SQLite, and the queue of files."""
    with TemporaryDirectory(prefix="muster-sqlite-") as folder:
        yield {"VAR_DIR": f"{folder}/var", "DATABASE_URL": "", "CELERY_BROKER_URL": ""}


def migrate(database: str, stages: Stages, environment: dict[str, str]) -> dict[str, str]:
    """Apply all migrations to the empty database, and print how long it took.

    Returns the environment that makes the tests copy that database (`tests/conftest.py`), or {} if
    it failed.
    """
    name = f"migrations apply to an empty {database}"
    well = stages.run(
        name, sys.executable, "manage.py", "migrate", "--verbosity", "0", environment=environment
    )
    return {"TESTS_COPY_DATABASE": "yes"} if well else {}


def run_tests(
    where: str, stages: Stages, environment: dict[str, str], part: str, but: str = ""
) -> None:
    """Run most tests of the part two at a time, and next to them those with their own processes."""
    pytest = (*PYTEST, "--databases", part)
    alone = f"({' or '.join(ALONE)})"
    together, alone = (
        " and ".join(filter(None, [marks, but])) for marks in (f"not {alone}", alone)
    )
    name = f"tests {where} with worker and browser"
    command = (*pytest, "-m", alone, *files_of(*ALONE))
    with stages.beside(name, *command, environment=apart(environment)):
        stages.run(
            f"tests {where}", *pytest, *TWO_AT_A_TIME[part], "-m", together, environment=environment
        )


def apart(environment: dict[str, str]) -> dict[str, str]:
    """Return the environment of a stage that runs at the same time as another.

    It has its own files and its own Redis database.

    The test databases have different names, because workers of pytest add theirs.
    """
    folder = Path(environment["VAR_DIR"])
    copy = folder.with_name(f"{folder.name}-apart")
    if folder.exists():
        # With SQLite, the migrated database is in it.
        shutil.copytree(folder, copy)
    broker = environment["CELERY_BROKER_URL"]
    return environment | {
        "VAR_DIR": str(copy),
        "CELERY_BROKER_URL": f"{broker.removesuffix('/0')}/1" if broker else "",
    }


def files_of(*marks: str) -> list[str]:
    """Return the files of tests with one of these marks: pytest is slow to collect all others."""
    named = tuple(f"pytest.mark.{mark}" for mark in marks)
    files = sorted((ROOT / "tests").rglob("test_*.py"))
    return [
        str(file.relative_to(ROOT))
        for file in files
        if any(name in file.read_text("utf-8") for name in named)
    ]


if __name__ == "__main__":
    main()
