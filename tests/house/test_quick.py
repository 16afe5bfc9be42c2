"""What `make quick` runs: the tests that a change needs."""

import json
import os
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from scripts import quick
from scripts.check import CHECKS
from scripts.quick import (
    ALWAYS,
    FIRST_CHECKS,
    LAST_CHECKS,
    NEEDS,
    OF_EVERY_SYSTEM,
    changed_since,
    copy_migrated_database,
    main,
    needed_by,
    needed_checks,
    needed_tests,
    not_run,
    nothing_needed_ran,
)

ROOT = Path(__file__).parents[2]


def test_every_room_has_tests_and_all_of_them_are_there():
    # What git and running servers keep comes and goes while one looks.
    ours = (
        folder
        for folder in ROOT.iterdir()
        if folder.is_dir() and not folder.name.startswith((".", "var"))
    )
    rooms = {f"{folder.name}/" for folder in ours if any(folder.rglob("*.py"))} - {"tests/"}
    assert rooms <= NEEDS.keys()
    assert all((ROOT / room).is_dir() for room in NEEDS)
    assert all((ROOT / test).exists() for tests in [*NEEDS.values(), ALWAYS] for test in tests)


def test_rule_system_needs_the_tests_of_its_name_or_of_every_system():
    assert [*needed_by("rulebook/systems/wards/state.py")] == ["tests/rulebook/wards"]
    assert [*needed_by("rulebook/systems/en_garde/system.py")] == [
        "tests/rulebook/en_garde",
        "tests/playthroughs",
    ]
    assert [*needed_by("rulebook/systems/nobody_has_written/system.py")] == [*OF_EVERY_SYSTEM]
    for data in (ROOT / "rulebook" / "systems").glob("*/data"):
        tests = [*needed_by(f"rulebook/systems/{data.parent.name}/system.py")]
        assert tests and all((ROOT / test).exists() for test in tests)


def test_what_lies_deeper_stands_before_its_room():
    rooms = list(NEEDS)
    for place, room in enumerate(rooms):
        assert not any(room.startswith(earlier) for earlier in rooms[:place])


def test_a_change_needs_the_tests_of_the_project_and_of_its_room():
    assert needed_tests(["warbands/models.py"]) == [*ALWAYS, *NEEDS["warbands/"]]
    assert needed_tests(["README.md"]) == list(ALWAYS)


def test_needed_tests_put_changed_ones_before_those_of_the_room_and_nothing_twice():
    changed = [
        "warbands/models.py",
        "warbands/urls.py",
        "tests/pages/test_home.py",
        "tests/warbands/test_roster.py",
    ]
    assert needed_tests(changed) == [*ALWAYS, "tests/pages/test_home.py", *NEEDS["warbands/"]]
    of_other_folders = [name for name in ALWAYS if not name.startswith("tests/house/")]
    assert needed_tests(["config/urls.py"]) == [*of_other_folders, *NEEDS["config/"]]


def test_project_tests_include_those_that_find_their_cases_themselves():
    words = ("matrix", "generated_requests", "every_service", "glossary", "translations", "schema")
    assert [word for word in words if not any(word in test for test in ALWAYS)] == []


def test_needed_checks_read_a_kind_of_file_that_has_changed() -> None:
    checks = [*FIRST_CHECKS, *LAST_CHECKS]
    assert needed_checks(checks, ["templates/base.html"]) == ["templates"]
    assert needed_checks(checks, ["core/views.py"]) == ["lint", "form", "arrows", "types"]
    assert needed_checks(checks, ["docs/api.md"]) == []


@pytest.mark.parametrize(
    "app", ["accounts", "battles", "campaigns", "clubs", "home", "leagues", "reference", "warbands"]
)
def test_template_of_an_app_needs_tests_of_its_pages(app: str) -> None:
    tests = [*needed_by(f"templates/{app}/page.html")]
    assert tests and "tests/pages" not in tests


def test_types_are_checked_after_the_tests():
    assert "types" not in FIRST_CHECKS and "types" in LAST_CHECKS
    assert {*FIRST_CHECKS, *LAST_CHECKS} <= CHECKS.keys()


@pytest.mark.parametrize(
    ("ran", "left", "nothing"),
    [
        ({}, {"tests/a/test_a.py": 3}, True),
        ({ALWAYS[0]: 5}, {"tests/a/test_a.py": 3}, True),
        ({ALWAYS[0]: 5, "tests/a/test_a.py": 1}, {"tests/a/test_a.py": 2}, False),
        ({ALWAYS[0]: 5}, {ALWAYS[1]: 1}, False),
        ({ALWAYS[0]: 5}, {}, False),
    ],
)
def test_quick_fails_if_nothing_needed_ran(ran, left, nothing):
    assert nothing_needed_ran(Counter(ran), Counter(left)) is nothing


def test_last_line_names_what_was_not_run():
    left = Counter({"tests/a/test_a.py": 1300, "tests/a/test_b.py": 36, "tests/b/test_b.py": 7})
    line = not_run(Counter({ALWAYS[0]: 9}), left)
    assert "NOT RUN for lack of time: 1,343 of 1,352 tests (tests/a 1,336, tests/b 7)" in line
    assert "make test" in line
    assert not_run(Counter({ALWAYS[0]: 9}), Counter()).startswith(
        "Every test that the change needs was run (9)"
    )


def test_quick_fails_when_all_its_tests_were_skipped(monkeypatch, capsys, tmp_path):
    # The run inside counts its own tests, also where these tests run in a process of xdist.
    monkeypatch.delenv("PYTEST_XDIST_WORKER", raising=False)
    monkeypatch.setattr(quick, "MINUTE", -1)
    monkeypatch.setattr(quick, "FIRST_CHECKS", ())
    monkeypatch.setattr(quick, "LAST_CHECKS", ())
    monkeypatch.setattr(quick, "copy_migrated_database", lambda *_: False)
    monkeypatch.setattr(
        quick, "needed_tests", lambda _: ["tests/house/test_arrows.py", "tests/drawings"]
    )
    with pytest.raises(SystemExit) as left:
        main(["--base", "HEAD"])
    assert left.value.code == 1
    out = capsys.readouterr().out
    assert "FAILED  no test that the change needs was run" in out
    assert out.splitlines()[-1].startswith("NOT RUN for lack of time: ")


def test_migrated_database_is_kept_until_a_migration_changes(monkeypatch, tmp_path):
    runs = []

    class Stage:
        def run(self, name, *command, environment):
            runs.append(name)
            (tmp_path / "made.sqlite3").write_text("all tables")
            return True

    monkeypatch.setattr(quick, "DATABASES", tmp_path / "kept")
    for target in ("made.sqlite3", "again.sqlite3"):
        assert copy_migrated_database(Stage(), {}, tmp_path / target)
    assert len(runs) == 1 and (tmp_path / "again.sqlite3").read_text() == "all tables"
    kept = next((tmp_path / "kept").iterdir())
    kept.rename(kept.with_name("of-other-migrations.sqlite3"))
    assert copy_migrated_database(Stage(), {}, tmp_path / "made.sqlite3")
    assert len(runs) == 2 and [file.name for file in (tmp_path / "kept").iterdir()] == [kept.name]


def test_what_tests_lean_on_needs_the_tests_of_its_folder():
    assert list(needed_by("tests/pages/world.py")) == ["tests/pages"]
    assert list(needed_by("tests/rulebook/en_garde/data/core_tables.txt")) == [
        "tests/rulebook/en_garde"
    ]
    assert list(needed_by("tests/conftest.py")) == []


def test_a_deleted_test_is_not_run():
    assert needed_tests(["tests/pages/test_long_gone.py"]) == list(ALWAYS)


def test_new_files_are_changes_too():
    new = ROOT / "tests" / "house" / "new_and_soon_gone.txt"
    try:
        new.touch()
        assert str(new.relative_to(ROOT)) in changed_since("HEAD")
    finally:
        new.unlink()


@pytest.mark.parametrize(("end", "words"), [("0", "1 skipped"), ("99999999999", "1 passed")])
def test_when_the_minute_is_over_no_test_begins(tmp_path, monkeypatch, end, words):
    (tmp_path / "test_it.py").write_text("def test_it(): pass\n")
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    monkeypatch.setenv("TESTS_END_AT", end)
    monkeypatch.setenv("TESTS_COUNTED_IN", str(tmp_path / "counts.json"))
    monkeypatch.delenv("PYTEST_XDIST_WORKER", raising=False)
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "tests.deadline",
        "-p",
        "no:django",
        "-p",
        "no:cacheprovider",
    ]
    done = subprocess.run(
        [*command, str(tmp_path)], check=False, cwd=ROOT, capture_output=True, text=True
    )
    assert words in done.stdout
    counts = {
        key: list(tests.values())
        for key, tests in json.loads((tmp_path / "counts.json").read_text()).items()
    }
    assert counts == ({"ran": [], "left": [1]} if end == "0" else {"ran": [1], "left": []})


def test_named_files_run_before_their_folder(tmp_path, monkeypatch):
    for name in ("a", "b", "c"):
        (tmp_path / f"test_{name}.py").write_text("def test_it(): pass\n")
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    monkeypatch.setenv("TESTS_FIRST", os.pathsep.join(["test_c.py", "test_b.py"]))
    plugins = ["-p", "tests.deadline", "-p", "no:django", "-p", "no:cacheprovider"]
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-v",
        *plugins,
        "--rootdir",
        str(tmp_path),
        str(tmp_path),
    ]
    done = subprocess.run(command, check=False, cwd=ROOT, capture_output=True, text=True)
    assert re.findall(r"test_(\w)\.py::test_it", done.stdout) == ["c", "b", "a"]
