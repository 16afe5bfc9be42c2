"""The whole suite: checks, tests on PostgreSQL with Redis, tests on SQLite. Starts what it needs and stops it again."""

import sys
import time
from tempfile import TemporaryDirectory

from scripts import system
from scripts.check import run_checks
from scripts.processes import NotStarted, stop_on_signals
from scripts.services import services
from scripts.stages import Stages

PYTEST = (sys.executable, "-m", "pytest", "-q")
# Whoever is done takes tests from the other: some files are slow as a whole.
TWO_AT_A_TIME = ("-n", "2", "--dist", "worksteal")
# Tests with processes of their own run one at a time, or the machine's load decides what they see.
ALONE = "worker or browser"
# The rule book knows no database: it is tested once, beside PostgreSQL.
WITHOUT_DATABASE = "tests/rulebook"


def main() -> None:
    """Every stage, then the table of times. Exits with 1 if any stage failed."""
    stop_on_signals()
    stages = Stages()
    run_checks(stages)
    started = time.monotonic()
    try:
        with services() as environment:
            stages.note("start PostgreSQL and Redis", time.monotonic() - started)
            on_postgres(stages, environment)
            on_sqlite(stages, environment)
    except (NotStarted, system.Missing) as error:
        print(f"\nCANNOT TEST: what the tests need could not be set up.\n{error}", flush=True)
        stages.note("start PostgreSQL and Redis", time.monotonic() - started, well=False)
    stages.finish()


def on_postgres(stages: Stages, environment: dict[str, str]) -> None:
    """Migrations into an empty database, then all tests."""
    migrate("PostgreSQL", stages, environment)
    run_tests("PostgreSQL", stages, environment)


def on_sqlite(stages: Stages, environment: dict[str, str]) -> None:
    """The same on the embedded default: SQLite, and the queue of files."""
    with TemporaryDirectory(prefix="muster-sqlite-") as folder:
        embedded = {"VAR_DIR": folder, "DATABASE_URL": "", "CELERY_BROKER_URL": ""}
        migrate("SQLite", stages, embedded)
        run_tests("SQLite", stages, embedded, "--ignore", WITHOUT_DATABASE, but="not postgres")


def migrate(database: str, stages: Stages, environment: dict[str, str]) -> None:
    """Apply all migrations to the empty database, and print how long it took."""
    name = f"migrations apply to an empty {database}"
    stages.run(name, sys.executable, "manage.py", "migrate", "--verbosity", "0", environment=environment)


def run_tests(database: str, stages: Stages, environment: dict[str, str], *more: str, but: str = "") -> None:
    """Most tests two at a time, those with other processes one after the other; ``more`` goes to pytest."""
    together = " and ".join(filter(None, [f"not ({ALONE})", but]))
    alone = " and ".join(filter(None, [f"({ALONE})", but]))
    stages.run(f"tests on {database}", *PYTEST, *more, *TWO_AT_A_TIME, "-m", together, environment=environment)
    name = f"tests on {database} with worker and browser"
    stages.run(name, *PYTEST, *more, "-m", alone, environment=environment)


if __name__ == "__main__":
    main()
