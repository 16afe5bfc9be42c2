"""Write the pages in docs/rulesets/ from the rule systems' data: `python -m scripts.rules_table`.

A test compares them. The text before the first heading and the tests of each line are written by
hand, and kept when the rest is written again.
"""

import re
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path

from rulebook import systems
from rulebook.book.data import read_toml
from rulebook.book.headings import Heading, HeadingBook, read_headings
from rulebook.registry import newest_ruleset
from rulebook.values.fields import HouseRule

DOCUMENTS = Path(__file__).parent.parent / "docs" / "rulesets"
SYSTEMS = Path(systems.__file__).parent
WIDTH = 100
RULED = ("en-garde",)
"""Rule systems whose house rules are listed with their rulings."""
LEFT = "Left to the players"
MISSING = ("Not in the source", "Not in the sheet")
LEAD = {
    "Rulings": "Muster's readings where the source is silent or contradicts itself. A club can change some\n"
    "by a house rule.",
    "House rules": "Each with its key and its source. The form of a campaign says what they do.",
    LEFT: "What no log can decide.",
}
ITEM = re.compile(r"^- \*\*(.+?)\*\*(.*?)(?=^- |^#|\Z)", re.MULTILINE | re.DOTALL)


def document(key: str) -> str:
    """Return the whole page of a rule system, with the head and the tests of the present one."""
    text = path_of(key).read_text(encoding="utf-8")
    folder = SYSTEMS / key.replace("-", "_") / "data"
    book, rules = read_headings(folder), newest_ruleset(key).house_rules()
    tests = named_tests(text)
    head = text.partition("\n## ")[0].rstrip()
    listed = () if key in RULED else rules
    sections = _sections(folder, book, rules, listed, tests)
    return "\n".join((head, *sections)) + "\n"


def path_of(key: str) -> Path:
    """Return the path of a rule system's page."""
    return DOCUMENTS / f"{key}.md"


def named_tests(text: str) -> Mapping[tuple[str, str], tuple[str, ...]]:
    """Return the tests of each line of a page, by its section and its bold name."""
    tests = {}
    for section in text.split("\n## ")[1:]:
        title = section.partition("\n")[0]
        for name, rest in ITEM.findall(section):
            tested = rest.partition("Tests:")[2]
            tests[title, name] = tuple(re.findall(r"`([^`]+)`", tested))
    return tests


def _sections(
    folder: Path,
    book: HeadingBook,
    rules: Sequence[HouseRule],
    listed: Sequence[HouseRule],
    tests: Mapping[tuple[str, str], tuple[str, ...]],
) -> Iterator[str]:
    sections = {
        chapter: [_heading(each) for each in headings]
        for chapter, headings in groupby(book.heading, key=lambda each: each.chapter)
    }
    sections[LEFT] = [*_left(folder)]
    sections["Rulings"] = [*_rulings(book, rules)]
    sections["House rules"] = [_house_rule(rule) for rule in listed]
    for title, items in sections.items():
        if items:
            yield f"\n## {title}\n"
            if title in LEAD:
                yield f"{LEAD[title]}\n"
            yield from (_item(name, text, tests.get((title, name), ())) for name, text in items)


def _item(name: str, text: str, tests: Iterable[str]) -> str:
    named = ", ".join(f"`{each}`" for each in tests)
    return textwrap.fill(
        f"- **{name}**{text} Tests: {named}.",
        WIDTH,
        subsequent_indent="  ",
        break_long_words=False,
        break_on_hyphens=False,
    )


def _heading(heading: Heading) -> tuple[str, str]:
    rulings = f" ({', '.join(heading.rulings)})" if heading.rulings else ""
    says = f" {heading.says}" if heading.chapter in MISSING else ""
    decided = ", ".join(f"`{each}`" for each in heading.decided_by)
    return heading.name, f"{rulings}:{says}{f' {decided}.' if decided else ''}"


def _left(folder: Path) -> Iterator[tuple[str, str]]:
    path = folder / "reference.toml"
    rows = read_toml(path).get("left", {}).get("rows", ()) if path.exists() else ()
    yield from ((subject, f" ({rule}): {what}") for subject, what, rule in rows)


def _rulings(book: HeadingBook, rules: Iterable[HouseRule]) -> Iterator[tuple[str, str]]:
    for key, says in book.rulings.items():
        changed_by = [
            f"`{rule.key}`" for rule in rules if key in rule.source.replace(",", " ").split()
        ]
        changes = f" House rule: {', '.join(changed_by)}." if changed_by else ""
        idle = book.not_applicable.get(key)
        yield key, f": {says}{changes}{f' Not applicable: {idle}' if idle else ''}"


def _house_rule(rule: HouseRule) -> tuple[str, str]:
    source = rule.source if rule.book else "Muster's own"
    return rule.label, f" (`{rule.key}`): {source}."


def main() -> None:
    """Write the pages."""
    for path in sorted(DOCUMENTS.glob("*.md")):
        path.write_text(document(path.stem), encoding="utf-8")


if __name__ == "__main__":
    main()
