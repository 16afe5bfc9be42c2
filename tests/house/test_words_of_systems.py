"""Nothing outside the rule systems knows a word of one: what pages and documents say comes from the rule system."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
ROOMS = ("warbands", "campaigns", "battles", "documents", "templates", "static", "config")
KINDS = {".py", ".html", ".css", ".js", ".svg"}
WORDS = re.compile(
    r"\b(leader|banner|bearer|morale|grievous|combat.pool|en.garde|argad|landsknechts?|hauptmann|doppelsoldner"
    r"|magic points|initiative|warhorse|ordnance)s?\b|Rule book: \"",
    re.IGNORECASE,
)
EXAMPLES = re.compile(r"/migrations/|/api/")
"""Migrations read what was stored before; the documentation of the API shows examples of a real system."""
SIGNS = re.compile(r'\{% icon "\w+"|<symbol id="\w+"|content: leader\(|BOOK = "Rule book: "')
"""Names of pictures, dotted lines of a table of contents, and how a rule's name is told from other words."""


def offenders() -> list[str]:
    found = []
    for room in ROOMS:
        for path in sorted((ROOT / room).rglob("*")):
            name = path.relative_to(ROOT).as_posix()
            if path.suffix not in KINDS or EXAMPLES.search(f"/{name}") or "vendor" in name or "__pycache__" in name:
                continue
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
                if word := WORDS.search(SIGNS.sub("", line)):
                    found.append(f"{name}:{number}: {word[0]}")
    return found


def test_nothing_outside_the_rule_systems_knows_a_word_of_one() -> None:
    assert offenders() == []
