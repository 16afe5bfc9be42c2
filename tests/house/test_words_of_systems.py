"""Nothing outside the rule systems knows a word of one: what pages and documents say comes from the rule system."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
ROOMS = ("audit", "warbands", "campaigns", "battles", "pictures", "documents", "inbox", "exchange")
PLACES = (*ROOMS, "templates", "static", "config")
KINDS = {".py", ".html", ".css", ".js", ".svg"}
WORDS = re.compile(
    r"\b(leader(?!\()|banner|bearer|morale|stunned|grievous|combat.pool|en.garde|argad|landsknecht|hauptmann|doppelsoldner"
    r"|magic points|initiative|warhorse|ordnance|inch|inches|centimetre|fencer|pistol|musket)s?\b"
    r"|(?:Rule book|Sheet): \"|Ruling [A-Z]-?[A-Z]?\d",
    re.IGNORECASE,
)
"""What style sheets call a leader is a row of dots."""
NOT_READ = re.compile(r"/migrations/|/api/\w*examples\.py$|/vendor/|__pycache__")
"""Migrations read what was stored before; the documentation of the API shows examples of a real system."""


def offenders() -> list[str]:
    found = []
    for room in PLACES:
        for path in sorted((ROOT / room).rglob("*")):
            name = path.relative_to(ROOT).as_posix()
            if path.suffix not in KINDS or NOT_READ.search(f"/{name}"):
                continue
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
                if word := WORDS.search(line):
                    found.append(f"{name}:{number}: {word[0]}")
    return found


def test_nothing_outside_the_rule_systems_knows_a_word_of_one() -> None:
    assert offenders() == []
