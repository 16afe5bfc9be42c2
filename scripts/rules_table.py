"""Write the pages in docs/rulesets/ from the rule systems' data: `python -m scripts.rules_table`.

A test compares them. The text before the first heading is written by hand, and kept.
"""

import textwrap
from collections.abc import Iterator, Sequence
from pathlib import Path

from rulebook import systems
from rulebook.book.data import read_toml
from rulebook.book.headings import Heading, HeadingBook, read_headings
from rulebook.registry import newest_ruleset
from rulebook.values.fields import HouseRule

DOCUMENTS = Path(__file__).parent.parent / "docs" / "rulesets"
SYSTEMS = Path(systems.__file__).parent
WIDTH = 100
MISSING = ("Not in the source", "Not in the sheet")
"""Chapters of headings that the source lacks."""


def document(key: str) -> str:
    """Return the whole page of a rule system, with the head of the present page."""
    head = path_of(key).read_text(encoding="utf-8").partition("\n## ")[0].rstrip()
    book, rules = headings_of(key), newest_ruleset(key).house_rules()
    sections = {
        "Not in the source": [*_missing(book.heading)],
        "Left to the players": [*_left(key)],
        "House rules of Muster's own": [*_own(rules)],
        "Rulings": [*_rulings(book, rules)],
    }
    return "\n".join((head, *_lines(sections))) + "\n"


def path_of(key: str) -> Path:
    """Return the path of a rule system's page."""
    return DOCUMENTS / f"{key}.md"


def headings_of(key: str) -> HeadingBook:
    """Return the headings and rulings of a rule system."""
    return read_headings(_data_of(key))


def _data_of(key: str) -> Path:
    return SYSTEMS / key.replace("-", "_") / "data"


def _lines(sections: dict[str, list[str]]) -> Iterator[str]:
    for title, items in sections.items():
        if items:
            yield f"\n## {title}\n"
            yield from (
                textwrap.fill(
                    f"- {item}",
                    WIDTH,
                    subsequent_indent="  ",
                    break_long_words=False,
                    break_on_hyphens=False,
                )
                for item in items
            )


def _missing(headings: Sequence[Heading]) -> Iterator[str]:
    for each in headings:
        if each.chapter in MISSING:
            yield f"**{each.name}**{_in_brackets(each.rulings)}: {each.says}"


def _left(key: str) -> Iterator[str]:
    path = _data_of(key) / "reference.toml"
    rows = read_toml(path).get("left", {}).get("rows", ()) if path.exists() else ()
    yield from (f"**{subject}** ({rule}): {what}" for subject, what, rule in rows)


def _rulings(book: HeadingBook, rules: Sequence[HouseRule]) -> Iterator[str]:
    for key, says in book.rulings.items():
        changed_by = [
            f"`{rule.key}`" for rule in rules if key in rule.source.replace(",", " ").split()
        ]
        idle = book.not_applicable.get(key)
        reason = f" Not applicable: {idle}" if idle else ""
        yield f"**{key}**{_in_brackets(changed_by)}: {says}{reason}"


def _own(rules: Sequence[HouseRule]) -> Iterator[str]:
    yield from (f"**{each.label}** (`{each.key}`): {each.help}" for each in rules if not each.book)


def _in_brackets(words: Sequence[str]) -> str:
    return f" ({', '.join(words)})" if words else ""


def main() -> None:
    """Write the pages."""
    for path in sorted(DOCUMENTS.glob("*.md")):
        path.write_text(document(path.stem), encoding="utf-8")


if __name__ == "__main__":
    main()
