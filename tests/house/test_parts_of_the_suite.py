"""The runs of the suite: nothing runs twice in vain, and nothing is left out."""

import subprocess
import sys
from contextlib import nullcontext
from pathlib import Path

import pytest

from scripts.stages import Stages
from scripts.test import files_of, run_tests
from tests.databases import knows_a_database

ROOT = Path(__file__).parents[2]
SOME = """
import pytest

def test_pure(): pass

@pytest.mark.django_db
def test_marked(): pass

def test_by_a_fixture_of_a_fixture(reds): pass

@pytest.fixture
def reds(transactional_db): pass
"""


def test_test_without_database_is_recognised(request):
    assert not knows_a_database(request.node)


@pytest.mark.django_db
def test_a_mark_lets_a_test_know_a_database(request):
    assert knows_a_database(request.node)


def test_so_does_a_fixture_of_a_fixture(request, alice):
    assert knows_a_database(request.node)


@pytest.mark.parametrize(
    ("part", "expected"), [("with", ["marked", "by_a_fixture_of_a_fixture"]), ("without", ["pure"])]
)
def test_each_test_is_in_one_part(tmp_path, part, expected):
    (tmp_path / "test_it.py").write_text(SOME)
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    command = [
        sys.executable,
        "-m",
        "pytest",
        "--collect-only",
        "-q",
        "-p",
        "tests.databases",
        "--databases",
        part,
    ]
    command += ["--ds", "config.settings", "--rootdir", str(tmp_path), "-p", "no:cacheprovider"]
    command += ["-p", "no:schemathesis", str(tmp_path)]
    done = subprocess.run(command, check=False, cwd=ROOT, capture_output=True, text=True)
    assert [
        line.partition("::test_")[2] for line in done.stdout.splitlines() if "::" in line
    ] == expected


def test_files_are_found_by_their_marks():
    files = files_of("worker", "browser")
    assert {"tests/demo/test_demo_whole.py", "tests/browser/test_main_job.py"} <= {*files}
    assert "tests/house/test_arrows.py" not in files


def test_lonely_tests_run_next_to_the_others(monkeypatch, tmp_path):
    runs, environments = [], []

    def noted(self, name, *command, environment):
        runs.append(command)
        environments.append(environment)
        return nullcontext()

    for method in ("run", "beside"):
        monkeypatch.setattr(Stages, method, noted)
    environment = {"VAR_DIR": str(tmp_path / "var"), "CELERY_BROKER_URL": "redis://localhost/0"}
    (tmp_path / "var").mkdir()
    (tmp_path / "var" / "muster.sqlite3").write_text("migrated")
    run_tests("on SQLite", Stages(), environment, "with", but="not postgres")
    expressions = [run[run.index("-m", 4) + 1] for run in runs]
    assert expressions == [
        "(worker or browser) and not postgres",
        "not (worker or browser) and not postgres",
    ]
    assert all(run[run.index("--databases") + 1] == "with" for run in runs)
    for name in environment:
        assert len({each[name] for each in environments}) == 2, "they share nothing"
    copy = Path(environments[0]["VAR_DIR"]) / "muster.sqlite3"
    assert copy.read_text() == "migrated"
