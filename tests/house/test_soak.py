"""The thousands: a sample for everybody, all of them for `make soak`, and the table of what was run."""

import subprocess
import sys
from datetime import date
from pathlib import Path

import msgspec
import pytest

from scripts.soak import Soaked, page, table

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


@pytest.fixture
def run(tmp_path):
    """Runs pytest on the thousands above; gives the names of what was run and its exit code."""
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
            "no:cacheprovider",
        ]
        command += ["--rootdir", str(tmp_path), "-c", str(tmp_path / "pytest.ini"), *options, str(tmp_path)]
        done = subprocess.run(command, check=False, cwd=ROOT, capture_output=True, text=True)
        told = [line.partition("::")[2].split()[0] for line in done.stdout.splitlines() if "%]" in line]
        return told, done.returncode

    return run


def test_everybody_runs_a_sample_that_is_evenly_spread(run):
    assert run() == (["test_thousands[0]", "test_thousands[3]", "test_one"], 0)


def test_the_soak_runs_all_of_the_thousands_and_nothing_else(run, tmp_path):
    told, exit_code = run("--soak", "--soak-table", str(tmp_path / "table.json"))
    assert told == [f"test_thousands[{first}]" for first in range(6)]
    assert exit_code == 1
    (row,) = msgspec.json.decode((tmp_path / "table.json").read_bytes(), type=list[Soaked])
    assert (row.what, row.number, row.failures) == ("duels", 60, 1)


def test_the_table_and_the_page_tell_what_was_run_and_on_what():
    rows = [Soaked("duels", 2000, 61.4), Soaked("odd logs", 96, 9.0, 1)]
    assert table(rows).splitlines()[2:] == [
        "| duels | 2,000 | 61 s | 0 |",
        "| odd logs | 96 | 9 s | 1 |",
        "| together |  | 70 s | 1 |",
    ]
    written = page(rows, {"Processor": "abacus"}, date(2026, 1, 2))
    assert "## Figures of 2026-01-02\n\n- Processor: abacus\n\n| What |" in written
