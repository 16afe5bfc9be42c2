"""The order and the deadline of the tests in `make quick`.

Some files run first. After the deadline, every further test is skipped with a reason and counted.
"""

import json
import os
import time
from collections import Counter
from pathlib import Path

import pytest

REASON = "the minute of `make quick` is over; `make test` runs everything"
ran: Counter[str] = Counter()
left: Counter[str] = Counter()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the tests of some files first, in the order of the environment variable.

    Pytest itself sorts files by folder.
    """
    names = filter(None, os.environ.get("TESTS_FIRST", "").split(os.pathsep))
    places = {name: place for place, name in enumerate(names)}
    items.sort(key=lambda item: places.get(item.nodeid.partition("::")[0], len(places)))


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup() -> None:
    """Skip the test if the environment names a time (seconds since the epoch) that has passed."""
    end = os.environ.get("TESTS_END_AT")
    if end and time.time() > float(end):
        pytest.skip(REASON)


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Count the tests by file."""
    file = report.nodeid.partition("::")[0]
    if report.when == "setup" and report.skipped and REASON in str(report.longrepr):
        left[file] += 1
    elif report.when == "call" or report.failed:
        ran[file] += 1


def pytest_sessionfinish() -> None:
    """Write the counts to the file that the environment names.

    Workers of xdist leave this to the main process.
    """
    file = os.environ.get("TESTS_COUNTED_IN")
    if file and "PYTEST_XDIST_WORKER" not in os.environ:
        Path(file).write_text(json.dumps({"ran": ran, "left": left}), "utf-8")
