"""The pages in docs/rulesets/ have what the rule systems' data have, and each line names the tests
that hold it."""

import re
from functools import cache
from pathlib import Path

import pytest

from scripts.rules_table import DOCUMENTS, document, named_tests, path_of

TESTS = Path(__file__).parents[1]
NAMED = pytest.mark.parametrize("name", sorted(path.stem for path in DOCUMENTS.glob("*.md")))


@cache
def sources() -> dict[str, str]:
    """Return the text of every test file, by its path."""
    return {path.as_posix(): path.read_text(encoding="utf-8") for path in TESTS.rglob("test_*.py")}


def exists(test: str) -> bool:
    """Return whether "file::test_name" or a unique "test_name" is a test.

    ``file`` is the end of a path below tests/.
    """
    file, _, function = test.rpartition("::")
    texts = [text for path, text in sources().items() if path.endswith(f"/{file}" if file else "")]
    definition = re.compile(rf"^\s*(async )?def {re.escape(function)}\(", re.MULTILINE)
    return sum(bool(definition.search(text)) for text in texts) == 1


@NAMED
def test_page_says_what_the_data_say(name: str) -> None:
    page = path_of(name).read_text(encoding="utf-8")
    assert page == document(name), "run: python -m scripts.rules_table"


@NAMED
def test_every_line_names_tests_that_exist(name: str) -> None:
    tested = named_tests(path_of(name).read_text(encoding="utf-8"))
    assert tested
    assert [line for line, tests in tested.items() if not tests] == []
    assert [each for tests in tested.values() for each in tests if not exists(each)] == []


def test_a_test_that_does_not_exist_is_found() -> None:
    assert exists("house/test_rulesets_documents.py::test_a_test_that_does_not_exist_is_found")
    assert not exists("test_that_nobody_has_written")


def test_tests_of_a_line_are_read_across_its_end() -> None:
    page = "# Page\n\n## Rulings\n\n- **A**: says `b`. Tests: `test_x`,\n  `a.py::test_y`.\n- **B**: c.\n"
    assert named_tests(page) == {
        ("Rulings", "A"): ("test_x", "a.py::test_y"),
        ("Rulings", "B"): (),
    }
