"""Each row of a table in docs/rulesets/ that has a column "Test" names the tests that hold it, and
these exist."""

import re
from pathlib import Path

import pytest

from tests.rulebook.documented import DOCUMENTS, read_tested_rows

TESTS = Path(__file__).parents[1]
HEADS = re.compile(r"^\| .* \|$")
NAMED = pytest.mark.parametrize("name", sorted(path.stem for path in DOCUMENTS.glob("*.md")))


def lines_of(name: str) -> list[str]:
    """Return the lines of a document."""
    return (DOCUMENTS / f"{name}.md").read_text(encoding="utf-8").splitlines()


def exists(test: str) -> bool:
    """Return whether "file::test_name" or a unique "test_name" is a test.

    ``file`` is the end of a path below tests/.
    """
    file, _, function = test.rpartition("::")
    paths = [
        path
        for path in TESTS.rglob("test_*.py")
        if path.as_posix().endswith(f"/{file}" if file else "")
    ]
    definition = re.compile(rf"^\s*(async )?def {re.escape(function)}\(", re.MULTILINE)
    return sum(bool(definition.search(path.read_text(encoding="utf-8"))) for path in paths) == 1


@NAMED
def test_every_row_names_tests_that_exist(name: str) -> None:
    for row, tests in read_tested_rows(lines_of(name)):
        assert tests, row
        assert [test for test in tests if not exists(test)] == [], row


@NAMED
def test_every_table_has_the_column_test(name: str) -> None:
    lines = lines_of(name)
    heads = [
        line
        for place, line in enumerate(lines[:-1])
        if lines[place + 1].startswith("|---") and HEADS.match(line)
    ]
    assert heads
    assert sum(not line.endswith("| Test |") for line in heads) == 0


def test_a_test_that_does_not_exist_is_found() -> None:
    assert exists("house/test_rulesets_documents.py::test_a_test_that_does_not_exist_is_found")
    assert not exists("test_that_nobody_has_written")
    assert [
        *read_tested_rows(["| A | Test |", "|---|---|", "| says | `test_x`, `a.py::test_y` |"])
    ] == [("| says | `test_x`, `a.py::test_y` |", ("test_x", "a.py::test_y"))]
