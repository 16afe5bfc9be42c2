"""Compare docs/rulesets/ with the data of a rule system, row by row and in the data's order."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path

from rulebook.book.headings import Heading
from rulebook.values.fields import HouseRule

DOCUMENTS = Path(__file__).parents[2] / "docs" / "rulesets"
RULING = re.compile(r"\b[A-Z]-[A-Z]\d+\b")


def check_document(
    name: str,
    headings: Sequence[Heading],
    rulings: Mapping[str, str],
    house_rules: Sequence[HouseRule],
    own: str,
) -> None:
    """Check that the document has every heading, ruling and house rule.

    ``own`` is the text of a row whose source has no value.
    """
    lines = [*without_tests((DOCUMENTS / f"{name}.md").read_text(encoding="utf-8").splitlines())]
    expected = [*_rows(headings, rulings, house_rules, own)]
    assert [line for line in lines if line in expected] == expected, "\n".join(expected)


def without_tests(lines: Sequence[str]) -> Iterator[str]:
    """Yield the lines of a document, without the last column of tables where it is "Test"."""
    tested = False
    for place, line in enumerate(lines):
        if place == 0 or not lines[place - 1].startswith("|"):
            tested = line.endswith("| Test |")
        row = tested and line.startswith("|")
        yield f"{line[:-1].rsplit('|', 1)[0]}|" if row else line


def read_tested_rows(lines: Sequence[str]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield each row of the tables with a column "Test", with the tests that it names."""
    tested = False
    for place, line in enumerate(lines):
        if place == 0 or not lines[place - 1].startswith("|"):
            tested = line.endswith("| Test |")
        elif tested and line.startswith("| "):
            yield line, tuple(re.findall(r"`([^`]+)`", line[:-1].rsplit("|", 1)[1]))


def _rows(
    headings: Sequence[Heading],
    rulings: Mapping[str, str],
    house_rules: Sequence[HouseRule],
    own: str,
) -> Iterator[str]:
    for chapter, group in groupby(headings, key=lambda each: each.chapter):
        yield f"## {chapter}"
        for each in group:
            decided = ", ".join(f"`{name}`" for name in each.decided_by)
            yield f"| {each.name} | {each.says} | {', '.join(each.rulings)} | {decided} |"
    for key, says in rulings.items():
        settled = [f"`{rule.key}`" for rule in house_rules if key in RULING.findall(rule.source)]
        yield f"| {key} | {says} | {', '.join(settled)} |"
    for rule in house_rules:
        yield f"| {rule.label} | `{rule.key}` | {rule.help} | {rule.source if rule.book else own} |"
