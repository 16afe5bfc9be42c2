"""The pages in docs/rulesets/ have what the rule systems' data have, and ``held_by.toml`` in
tests/rulebook/<system>/ names the tests of each heading, ruling and house rule."""

import re
import tomllib
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from rulebook.registry import newest_ruleset
from scripts.rules_table import DOCUMENTS, document, headings_of, path_of

TESTS = Path(__file__).parents[1]
DEFINITION = re.compile(r"^\s*(?:async )?def (test_\w+)\(", re.MULTILINE)
NAMED = pytest.mark.parametrize("name", sorted(path.stem for path in DOCUMENTS.glob("*.md")))


@cache
def defined() -> dict[str, list[str]]:
    """Return the paths in which each test is defined, by its name."""
    paths: dict[str, list[str]] = defaultdict(list)
    for path in TESTS.rglob("test_*.py"):
        for function in DEFINITION.findall(path.read_text(encoding="utf-8")):
            paths[function].append(path.as_posix())
    return paths


def exists(test: str) -> bool:
    """Return whether "file::test_name" or a unique "test_name" is a test.

    ``file`` is the end of a path below tests/.
    """
    file, _, function = test.rpartition("::")
    return sum(path.endswith(f"/{file}" if file else "") for path in defined()[function]) == 1


def held_by(name: str) -> dict[str, dict[str, list[str]]]:
    """Return the tests of each heading, ruling and house rule of a rule system."""
    path = TESTS / "rulebook" / name.replace("-", "_") / "held_by.toml"
    return tomllib.loads(path.read_text(encoding="utf-8"))


def expected(name: str) -> Iterator[tuple[str, set[str]]]:
    """Yield the names that each table of ``held_by.toml`` has."""
    book = headings_of(name)
    yield "headings", {each.name for each in book.heading}
    yield "rulings", set(book.rulings)


@NAMED
def test_page_says_what_the_data_say(name: str) -> None:
    page = path_of(name).read_text(encoding="utf-8")
    assert page == document(name), "run: python -m scripts.rules_table"
    assert all(f"- **{key}**" in page for key in headings_of(name).rulings)


@NAMED
def test_every_heading_and_ruling_has_tests(name: str) -> None:
    tables = held_by(name)
    assert {table: set(tables[table]) for table, _ in expected(name)} == dict(expected(name))
    assert set(tables.get("house_rules", {})) <= {
        rule.label for rule in newest_ruleset(name).house_rules()
    }
    assert all(tests for table in tables.values() for tests in table.values())


@NAMED
def test_named_tests_exist(name: str) -> None:
    named = (test for table in held_by(name).values() for tests in table.values() for test in tests)
    assert [test for test in named if not exists(test)] == []


def test_a_test_that_does_not_exist_is_found() -> None:
    assert exists("house/test_rulesets_documents.py::test_a_test_that_does_not_exist_is_found")
    assert not exists("test_that_nobody_has_written")
