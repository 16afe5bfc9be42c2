"""What docs/rulesets/ says of a rule system: row by row what its data says, in the data's order."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path

from rulebook.book.headings import Heading
from rulebook.values.fields import HouseRule

DOCUMENTS = Path(__file__).parents[2] / "docs" / "rulesets"
TESTS = re.compile(r" `test_\w+`(, `test_\w+`)* \|$")
"""The last cell of a row: the tests that hold what it says."""
RULING = re.compile(r"\b[A-Z]-[A-Z]\d+\b")


def check_document(
    name: str, headings: Sequence[Heading], rulings: Mapping[str, str], house_rules: Sequence[HouseRule], own: str
) -> None:
    """The document has every heading, ruling and house rule; ``own`` stands where the source has nothing."""
    lines = [TESTS.sub("", each) for each in (DOCUMENTS / f"{name}.md").read_text(encoding="utf-8").splitlines()]
    expected = [*_rows(headings, rulings, house_rules, own)]
    assert [line for line in lines if line in expected] == expected, "\n".join(expected)


def _rows(
    headings: Sequence[Heading], rulings: Mapping[str, str], house_rules: Sequence[HouseRule], own: str
) -> Iterator[str]:
    for chapter, found in groupby(headings, key=lambda each: each.chapter):
        yield f"## {chapter}"
        for each in found:
            decided = ", ".join(f"`{name}`" for name in each.decided_by)
            yield f"| {each.name} | {each.says} | {', '.join(each.rulings)} | {decided} |"
    for key, says in rulings.items():
        settled = [f"`{rule.key}`" for rule in house_rules if key in RULING.findall(rule.source)]
        yield f"| {key} | {says} | {', '.join(settled)} |"
    for rule in house_rules:
        yield f"| {rule.label} | `{rule.key}` | {rule.help} | {rule.source if rule.book else own} |"
