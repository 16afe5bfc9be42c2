"""Tests with thousands of cases: normal runs take a sample, and `make soak` all, with a table.

A parametrised test has the mark `@pytest.mark.soak("refereed battles replayed", each=50,
sample=2)`. Without `--soak` two of its cases run, evenly spread. With `--soak` every case of every
such test runs, and the tests marked `one_database`, which `make test` leaves out on SQLite;
nothing else.

Hypothesis is sampled in the same way, with `@made_up("builds of every wrong kind", 400,
sample=100)` instead of `@settings(max_examples=400)`.
"""

import time
from collections import defaultdict
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any

import hypothesis
import msgspec
import pytest

from scripts.soak import Measured, Soaked
from scripts.taps import SUFFIX

MEASURED = "soak"
whole = {"is wanted": False}
"""Set to run all cases, before the first test is imported."""
ELSEWHERE = "tests that `make test` runs on PostgreSQL alone, here on SQLite"


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("soak")
    group.addoption(
        "--soak", action="store_true", help="run the tests by the thousand in full, and only them"
    )
    group.addoption("--soak-table", type=Path, help="write what was run into this file, as JSON")


def made_up(what: str, examples: int, *, sample: int, **settings: Any) -> Callable[[Any], Any]:
    """Try this many examples with `--soak`, and fewer without it; the same ones each time."""

    def sampled(test: Any) -> Any:
        number = examples if whole["is wanted"] else sample
        return pytest.mark.soak(what, each=number, sample=1)(
            hypothesis.settings(max_examples=number, **settings)(test)
        )

    return sampled


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keep a sample of the thousands, or only them with `--soak`."""
    thousands = defaultdict(list)
    for item in items:
        if item.get_closest_marker("soak"):
            thousands[item.nodeid.partition("[")[0]].append(item)
    if config.getoption("soak"):
        kept = {
            item for item in items if any(map(item.get_closest_marker, ("soak", "one_database")))
        }
    else:
        left_out = {item for cases in thousands.values() for item in {*cases} - {*sample_of(cases)}}
        kept = {*items} - left_out
    config.hook.pytest_deselected(items=[item for item in items if item not in kept])
    items[:] = [item for item in items if item in kept]


def sample_of(cases: list[pytest.Item]) -> list[pytest.Item]:
    """Return as many cases of a test as its mark says, evenly spread, with the first one."""
    marker = cases[0].get_closest_marker("soak")
    count = min(marker.kwargs["sample"] if marker else 0, len(cases))
    return [cases[place * len(cases) // count] for place in range(count)]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    """Measure a case, and send the figures with its report."""
    started = time.process_time()
    try:
        return (yield)
    finally:
        measure(item, time.process_time() - started)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup(item: pytest.Item) -> Generator[None, object, object]:
    """Count a case that fails in its setup, but not one that is skipped."""
    try:
        return (yield)
    except pytest.skip.Exception:
        raise
    except BaseException:
        measure(item, 0.0)
        raise


def measure(item: pytest.Item, seconds: float) -> None:
    """Send the figures of a case with its reports."""
    marker = item.get_closest_marker("soak")
    what, each = (marker.args[0], marker.kwargs["each"]) if marker else (ELSEWHERE, 1)
    if item.config.getoption("soak"):
        item.user_properties.append((MEASURED, (what, each, seconds)))


class Table:
    """Sums up the figures, in the process that gets the report of every test."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.rows: dict[str, Soaked] = {}
        self.failed: dict[str, None] = {}
        self.tapped: list[Any] = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        measured: list[Any] = [
            figures for name, figures in report.user_properties if name == MEASURED
        ]
        for what, each, seconds in measured:
            row = self.rows.setdefault(what, Soaked(what))
            row.failures += report.failed
            if report.when != "teardown":
                row.number += each
                row.seconds += seconds
        if report.failed:
            self.failed[report.nodeid] = None
        if report.when == "call" and report.passed:
            self.tapped += [row for name, row in report.user_properties if name == "taps"]

    def pytest_sessionfinish(self) -> None:
        measured = Measured([*self.rows.values()], [*self.failed])
        self.file.write_bytes(msgspec.json.encode(measured))
        if self.tapped:
            self.file.with_suffix(SUFFIX).write_bytes(msgspec.json.encode(self.tapped))


def pytest_configure(config: pytest.Config) -> None:
    whole["is wanted"] = config.getoption("soak")
    file: Any = config.getoption("soak_table")
    if file and not hasattr(config, "workerinput"):
        config.pluginmanager.register(Table(file))
