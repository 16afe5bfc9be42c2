"""The thousands: a sample for everybody, all of them for `make soak`, and the table of what was
run."""

import subprocess
import sys
from contextlib import nullcontext
from datetime import date
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scripts import soak as script
from scripts.processes import NotStarted
from scripts.soak import Measured, Run, Soaked, after, facts_of, page, table
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
    measured = msgspec.json.decode((tmp_path / "table.json").read_bytes(), type=Measured)
    (row,) = measured.rows
    assert (row.what, row.number, row.failures) == ("duels", 60, 1)
    assert measured.failed == ["test_it.py::test_thousands[5]"]


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
    measured = msgspec.json.decode((tmp_path / "table.json").read_bytes(), type=Measured)
    assert [(row.what, row.number, row.failures) for row in measured.rows] == [
        ("hopes", 10, 2),
        ("wishes", 1, 0),
    ]
    assert measured.failed == ["test_it.py::test_hopes[0]", "test_it.py::test_hopes[1]"]


def test_races_and_kills_are_run_on_sqlite_where_nothing_else_can_be_started(monkeypatch, tmp_path):
    runs = []

    def no_services():
        raise NotStarted("PostgreSQL is not installed.")

    monkeypatch.setattr(script, "services", no_services)
    monkeypatch.setattr(
        script, "soak", lambda file, environment, *which: runs.append((environment, which)) or 0
    )
    where, code = script.soak_hardship(tmp_path / "rows.json", str(tmp_path), script.HARDSHIP)
    assert (where, code) == ("on SQLite and the queue of files", 0)
    assert runs == [(script.embedded(str(tmp_path)), (script.HARDSHIP,))]


@pytest.fixture
def soaked(monkeypatch, tmp_path):
    """Return a function that runs the script, with what pytest answers to each part in turn.

    It returns the exit code and the tests that were selected. No page of the project is written.
    """
    monkeypatch.setattr(script, "KEPT", tmp_path / "kept")
    monkeypatch.setattr(script, "PAGE", tmp_path / "reliability.md")
    monkeypatch.setattr(script, "ROOT", tmp_path)
    monkeypatch.setattr(script.system, "ensure", lambda *names: None)
    monkeypatch.setattr(script, "stop_on_signals", lambda: None)
    monkeypatch.setattr(script, "services", lambda: nullcontext({}))

    def soaked(*answers: tuple[int, Measured], options: tuple[str, ...] = ()):
        selected, left = [], [*answers]

        def soak(file, environment, *which):
            code, measured = left.pop(0)
            selected.append(which)
            file.write_bytes(msgspec.json.encode(measured))
            return code

        monkeypatch.setattr(script, "soak", soak)
        monkeypatch.setattr(sys, "argv", ["soak", *options])
        return script.main(), selected

    return soaked


def test_only_failed_tests_are_repeated_until_the_page_is_written(soaked, tmp_path):
    most = Measured([Soaked("duels", 60, 9.0, 1), Soaked("odd logs", 5, 1.0)], ["test_it.py::a[5]"])
    races = Measured([Soaked("races", 3, 2.0, 1)], ["tests/hardship/test_it.py::b"])
    code, selected = soaked((1, most), (1, races))
    assert (code, selected) == (1, [("--ignore=tests/hardship",), ("tests/hardship",)])
    assert not (tmp_path / "reliability.md").exists()

    still = Measured([Soaked("races", 1, 2.0, 1)], ["tests/hardship/test_it.py::b"])
    code, selected = soaked(
        (0, Measured([Soaked("duels", 10, 1.0)])), (1, still), options=("--failed",)
    )
    assert (code, selected) == (1, [("test_it.py::a[5]",), ("tests/hardship/test_it.py::b",)])
    assert not (tmp_path / "reliability.md").exists()

    code, selected = soaked((0, Measured([Soaked("races", 1, 2.0)])), options=("--failed",))
    assert (code, selected) == (0, [("tests/hardship/test_it.py::b",)])
    written = (tmp_path / "reliability.md").read_text()
    assert "- Repeated: 3 failed tests, after they were corrected\n" in written
    for row in ("| duels | 60 | 10 s |", "| odd logs | 5 | 1 s |", "| races | 3 | 6 s |"):
        assert row in written, row

    with pytest.raises(SystemExit, match="No test failed in the last run"):
        soaked(options=("--failed",))


def test_nothing_is_repeated_after_a_run_that_did_not_end(soaked):
    broken = Measured([Soaked("duels", 60, 9.0, 1)], ["test_it.py::a[5]"])
    assert soaked((2, broken), (0, Measured()))[0] == 2
    with pytest.raises(SystemExit, match="or it did not end"):
        soaked(options=("--failed",))


def test_rows_of_both_parts_are_added():
    parts = [Measured([Soaked("duels", 2, 1.0)]), Measured([Soaked("duels", 3, 2.0, 1)])]
    run = after(Run(where="here"), parts, 7)
    assert run.rows == [Soaked("duels", 5, 3.0, 1)]
    assert facts_of(run) == {"Races and kills": "here", "Took": "7 minutes by the clock"}


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
