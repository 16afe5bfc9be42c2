"""docs/rulesets/en-garde.md, written from the data that the pages show: `python -m scripts.rules_table`.

A test compares the two, so that the document cannot fall behind.
"""

from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

from rulebook.book.headings import Heading, rulings_json
from rulebook.systems.en_garde.book.house_rules import HEADINGS, HOUSE_RULES

DOCUMENT = Path(__file__).parent.parent / "docs" / "rulesets" / "en-garde.md"
HEAD = """\
# En Garde! in Muster

What is covered, heading by heading of the rule book, in its order; the ruling where one was needed; and the module or
function of `rulebook.systems.en_garde` that decides it. The same headings stand on the page of the rule system
(`/rulesets/en-garde/`), where every "why?" leads. Places, distances and lines of sight are the players' word: Muster
asks for them and takes them.

What the calculators answer, and what they assume, stands with each answer (`/rulesets/en-garde/ask/...`).
"""
RULINGS = """\
## Rulings

What holds where the rule book is silent, misprinted or at odds with itself. What a campaign may settle otherwise has a
house rule.

| Ruling | What holds | House rule |
|---|---|---|"""


def document() -> str:
    """The whole document."""
    return "\n".join((HEAD, *_chapters(), RULINGS, *_rulings())) + "\n"


def _chapters() -> Iterator[str]:
    for chapter, found in groupby(HEADINGS.heading, key=lambda heading: heading.chapter):
        yield f"## {chapter}\n\n| Heading | What Muster does | Rulings | Decided by |\n|---|---|---|---|"
        yield from map(_row, found)
        yield ""


def _row(heading: Heading) -> str:
    modules = ", ".join(f"`{each}`" for each in heading.decided_by)
    return f"| {heading.name} | {heading.says} | {', '.join(heading.rulings)} | {modules} |"


def _rulings() -> Iterator[str]:
    settled = {ruling["key"]: ruling["house_rule"] for ruling in rulings_json(HEADINGS.rulings, HOUSE_RULES.rules)}
    for key, says in HEADINGS.rulings.items():
        idle = HEADINGS.not_applicable.get(key, "")
        rule = f"`{settled[key]}`" if settled[key] else f"not applicable: {idle}" if idle else ""
        yield f"| {key} | {says} | {rule} |"


def main() -> None:
    """Write the document."""
    DOCUMENT.parent.mkdir(exist_ok=True)
    DOCUMENT.write_text(document(), encoding="utf-8")


if __name__ == "__main__":
    main()
