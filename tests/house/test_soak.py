"""The thousands: a sample for everybody, all of them for `make soak`, and the table of what was
run."""

import subprocess
import sys
from datetime import date
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scripts import soak as script
from scripts.processes import NotStarted
from scripts.soak import Soaked, page, table
from tests import soak

ROOT = Path(__file__).parents[2]
THOUSANDS = """
import pytest

@pytest.mark.soak("duels", each=10, sample=2)
@pytest.mark.parametrize("first", range(6))
def test_thousands(first):
    assert first != 5

def test_one():
    pass
"""
BROKEN = """
import pytest

@pytest.fixture
def broken():
    raise OSError("Nothing can be set up")

@pytest.mark.soak("hopes", each=5, sample=1)
@pytest.mark.parametrize("first", range(2))
def test_hopes(first, broken):
    pass

@pytest.mark.soak("wishes", each=1, sample=1)
def test_wishes():
    pass
"""


@pytest.fixture
def run(tmp_path):
    """Return a function that runs pytest on the cases above.

    It returns the names of the cases that ran and the exit code.
    """
    (tmp_path / "test_it.py").write_text(THOUSANDS)
    (tmp_path / "pytest.ini").write_text("[pytest]\nmarkers = soak\n")

    def run(*options: str) -> tuple[list[str], int]:
        command = [
            sys.executable,
            "-m",
            "pytest",
            "-v",
            "-p",
            "tests.soak",
            "-p",
            "no:django",
            "-p",
            "no:schemathesis",
            "-p",
            "no:cacheprovider",
        ]
        command += [
            "--rootdir",
            str(tmp_path),
            "-c",
            str(tmp_path / "pytest.ini"),
            *options,
            str(tmp_path),
        ]
        done = subprocess.run(command, check=False, cwd=ROOT, capture_output=True, text=True)
        names = [
            line.partition("::")[2].split()[0] for line in done.stdout.splitlines() if "%]" in line
        ]
        return names, done.returncode

    return run


def test_everybody_runs_a_sample_that_is_evenly_spread(run):
    assert run() == (["test_thousands[0]", "test_thousands[3]", "test_one"], 0)


def test_the_soak_runs_all_of_the_thousands_and_nothing_else(run, tmp_path):
    names, exit_code = run("--soak", "--soak-table", str(tmp_path / "table.json"))
    assert names == [f"test_thousands[{first}]" for first in range(6)]
    assert exit_code == 1
    (row,) = msgspec.json.decode((tmp_path / "table.json").read_bytes(), type=list[Soaked])
    assert (row.what, row.number, row.failures) == ("duels", 60, 1)


@pytest.mark.parametrize(("full", "number"), [(False, 3), (True, 40)])
def test_of_what_is_made_up_a_sample_is_tried_and_with_the_soak_all(monkeypatch, full, number):
    monkeypatch.setitem(soak.whole, "is wanted", full)
    tried = []

    @soak.made_up("guesses", 40, sample=3)
    @given(st.integers())
    def test(guess):
        tried.append(guess)

    test()
    assert len(tried) == number
    assert [(mark.args, mark.kwargs) for mark in test.pytestmark] == [
        (("guesses",), {"each": number, "sample": 1})
    ]


def test_what_cannot_even_begin_fails_in_its_row_and_hides_no_other(run, tmp_path):
    (tmp_path / "test_it.py").write_text(BROKEN)
    assert run("--soak", "--soak-table", str(tmp_path / "table.json"))[1] == 1
    rows = msgspec.json.decode((tmp_path / "table.json").read_bytes(), type=list[Soaked])
    assert [(row.what, row.number, row.failures) for row in rows] == [
        ("hopes", 10, 2),
        ("wishes", 1, 0),
    ]


def test_races_and_kills_are_run_on_sqlite_where_nothing_else_can_be_started(monkeypatch, tmp_path):
    runs = []

    def no_services():
        raise NotStarted("PostgreSQL is not installed.")

    monkeypatch.setattr(script, "services", no_services)
    monkeypatch.setattr(
        script, "soak", lambda file, environment, *which: runs.append((environment, which)) or 0
    )
    assert script.soak_hardship(str(tmp_path)) == ("on SQLite and the queue of files", 0)
    assert runs == [(script.embedded(str(tmp_path)), (script.HARDSHIP,))]


def test_soak_report_has_runs_and_machine():
    rows = [Soaked("duels", 2000, 61.4), Soaked("odd logs", 96, 9.0, 1)]
    assert table(rows).splitlines()[2:] == [
        "| duels | 2,000 | 61 s | 0 |",
        "| odd logs | 96 | 9 s | 1 |",
        "| together |  | 70 s | 1 |",
    ]
    written = page(rows, {"Processor": "abacus"}, date(2026, 1, 2))
    assert "## Figures of 2026-01-02\n\n- Processor: abacus\n\n| What |" in written
    assert "| duels | 2,000 | 61 s |\n" in written
