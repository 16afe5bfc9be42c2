"""Which tests use a database and which do not. The former run once on each database.

The fixtures and marks of a test decide, so every test is in exactly one part. Without those
fixtures nothing touches a database, and if only such tests run, none is created
(`tests/conftest.py`).
"""

from pathlib import Path

import pytest
from django.db import connection
from django.test import SimpleTestCase

OPENING = {
    "db",
    "transactional_db",
    "live_server",
    "django_db_reset_sequences",
    "django_db_serialized_rollback",
}
"""The fixtures that give a test access to a database."""
PURE = (Path(__file__).parent / "rulebook", Path(__file__).parent / "playthroughs")
"""Folders whose tests use no database. They are not even read if only tests with one run."""


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("databases")
    group.addoption(
        "--databases",
        choices=["with", "without"],
        help="only the tests with, or without, a database",
    )


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Ignore the pure folders if only tests with a database run."""
    return True if config.getoption("databases") == "with" and collection_path in PURE else None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keep the requested part.

    Raises UsageError for a test in a pure folder that uses a database.
    """
    impure = [item.nodeid for item in items if knows_a_database(item) and is_pure(item.path)]
    if impure:
        raise pytest.UsageError(
            f"No test of this folder may know a database: {', '.join(impure[:5])}"
        )
    choice = config.getoption("databases")
    if choice is None:
        return
    parts: dict[bool, list[pytest.Item]] = {True: [], False: []}
    for item in items:
        parts[knows_a_database(item)].append(item)
    config.hook.pytest_deselected(items=parts[choice != "with"])
    items[:] = parts[choice == "with"]


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip tests that need PostgreSQL if another database is configured."""
    if item.get_closest_marker("postgres") and connection.vendor != "postgresql":
        pytest.skip("needs PostgreSQL: python -m scripts.services -- pytest ...")


def is_pure(path: Path) -> bool:
    """Return whether no test of this file may use a database, by its folder."""
    return not {*path.parents}.isdisjoint(PURE)


def knows_a_database(item: pytest.Item) -> bool:
    """Return whether the test can use a database."""
    fixtures = OPENING.intersection(getattr(item, "fixturenames", ()))
    home = getattr(item, "cls", None)
    return bool(
        fixtures
        or item.get_closest_marker("django_db")
        or (home and issubclass(home, SimpleTestCase))
    )
