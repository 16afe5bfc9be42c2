"""Write docs/rulesets/en-garde.md from the pages' data: `python -m scripts.rules_table`.

A test compares the two, so that the document stays up to date. Its last column names the tests of
each row. The data do not contain them: the column is written by hand in the document, and kept when
the rest is written again.
"""

from collections.abc import Iterator, Mapping
from itertools import groupby
from pathlib import Path

from rulebook.book.headings import Heading, rulings_json
from rulebook.systems.en_garde.book.house_rules import HEADINGS, HOUSE_RULES

DOCUMENT = Path(__file__).parent.parent / "docs" / "rulesets" / "en-garde.md"
HEAD = """\
# En Garde! in Muster

The headings of the rulebook in its order: what Muster does, the rulings, and the modules or
functions of `rulebook.systems.en_garde` that decide. The page of the rule system
(`/rulesets/en-garde/`) has the same headings; every "why?" links there. Players decide places,
distances and lines of sight: Muster asks for them and does not check them. The last column has the
tests of a row.

The calculators show their assumptions with each answer (`/rulesets/en-garde/ask/...`). Decisions
without a ruling are in [rules-decisions.md](../rules-decisions.md).
"""
RULINGS = """\
## Rulings

Muster's readings where the rulebook is silent, misprinted or contradicts itself. If a campaign can
choose another reading, its house rule is named.

| Ruling | What holds | House rule | Test |
|---|---|---|---|"""


def document() -> str:
    """Return the whole document."""
    tests = named_tests(DOCUMENT.read_text(encoding="utf-8"))
    return "\n".join((HEAD, *_chapters(tests), RULINGS, *_rulings(tests))) + "\n"


def named_tests(text: str) -> Mapping[str, str]:
    """Return the last cell of each row by its first, from tables that end with "Test"."""
    rows = (
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in text.splitlines()
        if line[:2] == "| "
    )
    return {
        cells[0]: cells[-1] for cells in rows if "`test_" in cells[-1] or "::test_" in cells[-1]
    }


def _chapters(tests: Mapping[str, str]) -> Iterator[str]:
    for chapter, headings in groupby(HEADINGS.heading, key=lambda heading: heading.chapter):
        yield (
            f"## {chapter}\n\n| Heading | What Muster does | Rulings | Decided by | Test "
            "|\n|---|---|---|---|---|"
        )
        yield from (_row(heading, tests) for heading in headings)
        yield ""


def _row(heading: Heading, tests: Mapping[str, str]) -> str:
    modules = ", ".join(f"`{each}`" for each in heading.decided_by)
    rulings, named = ", ".join(heading.rulings), tests.get(heading.name, "")
    return f"| {heading.name} | {heading.says} | {rulings} | {modules} | {named} |"


def _rulings(tests: Mapping[str, str]) -> Iterator[str]:
    settled = {
        ruling["key"]: ruling["house_rule"]
        for ruling in rulings_json(HEADINGS.rulings, HOUSE_RULES.rules)
    }
    for key, says in HEADINGS.rulings.items():
        idle = HEADINGS.not_applicable.get(key, "")
        rule = f"not applicable: {idle}" if idle else ""
        if settled[key]:
            rule = f"`{settled[key]}`"
        yield f"| {key} | {says} | {rule} | {tests.get(key, '')} |"


def main() -> None:
    """Write the document."""
    DOCUMENT.parent.mkdir(exist_ok=True)
    DOCUMENT.write_text(document(), encoding="utf-8")


if __name__ == "__main__":
    main()
