"""The order and the end of the tests in `make quick`.

Some files run first. When the time is over, no further test begins: it says so, is skipped and
counted.
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
    """Put the tests of some files first, in the order of the environment: pytest sorts a file into
    its folder."""
    names = filter(None, os.environ.get("TESTS_FIRST", "").split(os.pathsep))
    places = {name: place for place, name in enumerate(names)}
    items.sort(key=lambda item: places.get(item.nodeid.partition("::")[0], len(places)))


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup() -> None:
    """Skip, if the environment names a moment (seconds since the epoch) and it has passed."""
    end = os.environ.get("TESTS_END_AT")
    if end and time.time() > float(end):
        pytest.skip(REASON)


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Count by files."""
    file = report.nodeid.partition("::")[0]
    if report.when == "setup" and report.skipped and REASON in str(report.longrepr):
        left[file] += 1
    elif report.when == "call" or report.failed:
        ran[file] += 1


def pytest_sessionfinish() -> None:
    """Write the counts into the file that the environment names; the processes of xdist leave it to
    the first."""
    file = os.environ.get("TESTS_COUNTED_IN")
    if file and "PYTEST_XDIST_WORKER" not in os.environ:
        Path(file).write_text(json.dumps({"ran": ran, "left": left}), "utf-8")
