"""What `make quick` runs: the tests that a change needs."""

import subprocess
import sys
from pathlib import Path

import pytest

from scripts.quick import ALWAYS, NEEDS, changed_since, needed_by, needed_tests

ROOT = Path(__file__).parents[2]


def test_every_room_has_tests_and_all_of_them_are_there():
    # What git and running servers keep comes and goes while one looks.
    ours = (folder for folder in ROOT.iterdir() if folder.is_dir() and not folder.name.startswith((".", "var")))
    rooms = {f"{folder.name}/" for folder in ours if any(folder.rglob("*.py"))} - {"tests/"}
    rooms |= {f"rulebook/systems/{data.parent.name}/" for data in (ROOT / "rulebook" / "systems").glob("*/data")}
    assert rooms <= NEEDS.keys()
    assert all((ROOT / room).is_dir() for room in NEEDS)
    assert all((ROOT / test).exists() for tests in [*NEEDS.values(), ALWAYS] for test in tests)


def test_what_lies_deeper_stands_before_its_room():
    rooms = list(NEEDS)
    for place, room in enumerate(rooms):
        assert not any(room.startswith(earlier) for earlier in rooms[:place])


def test_a_change_needs_the_tests_of_its_room_and_the_core():
    assert needed_tests(["warbands/models.py"]) == [*NEEDS["warbands/"], *ALWAYS]
    assert needed_tests(["README.md"]) == list(ALWAYS)


def test_changed_tests_come_first_and_nothing_comes_twice():
    changed = ["warbands/models.py", "warbands/urls.py", "tests/pages/test_home.py", "tests/warbands/test_roster.py"]
    assert needed_tests(changed) == ["tests/pages/test_home.py", *NEEDS["warbands/"], *ALWAYS]


def test_what_tests_lean_on_needs_the_tests_of_its_folder():
    assert list(needed_by("tests/pages/world.py")) == ["tests/pages"]
    assert list(needed_by("tests/rulebook/en_garde/data/core_tables.txt")) == ["tests/rulebook/en_garde"]
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
    done = subprocess.run([*command, str(tmp_path)], check=False, cwd=ROOT, capture_output=True, text=True)
    assert words in done.stdout
