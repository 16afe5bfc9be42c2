"""Nothing outside the rule systems knows a word of one: what pages and documents say comes from the
rule system."""

import re
from pathlib import Path

import pytest

from scripts.packages import APPS

ROOT = Path(__file__).parents[2]
PLACES = (*APPS, "drawings", "templates", "static", "config")
KINDS = {".py", ".html", ".txt", ".css", ".js", ".svg"}
WORDS = re.compile(
    r"\b(leader(?!\()|banner|bearer|morale|stunned|grievous|combat.pool|en.garde|argad|landsknecht|hauptmann|doppelsoldner"
    r"|magic points|initiative|warhorse|ordnance|inch|inches|centimetre|fencer|pistol|musket)s?\b"
    r"|(?:Rule book|Rule locked|Sheet): \"|Rulings? [A-Z]-?[A-Z]?\d",
    re.IGNORECASE,
)
"""In style sheets a leader is a row of dots."""
SCHEME = "Bearer {"
"""The scheme of the header Authorization, before a token."""
NOT_READ = re.compile(
    r"/migrations/|/(?:api/\w*|search/)examples\.py$|/core/api/authentication\.py$|/vendor/|^/static/manual/|__pycache__"
)
"""Migrations read what was stored before; tokens follow a word of HTTP; the documentation of the API shows examples of a real
system; `make docs` builds the manual, which is about all of them."""


def offenders(root: Path = ROOT) -> list[str]:
    lines = []
    for room in PLACES:
        for path in sorted((root / room).rglob("*")):
            name = path.relative_to(root).as_posix()
            if path.suffix not in KINDS or NOT_READ.search(f"/{name}"):
                continue
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
                if word := WORDS.search(line.replace(SCHEME, "")):
                    lines.append(f"{name}:{number}: {word[0]}")
    return lines


@pytest.mark.parametrize(
    ("place", "line", "word"),
    [
        ("battles/services/final.py", "# All take the field (Rulings C5 to C8).", "Rulings C5"),
        ("search/api.py", 'SHOWN = "en-garde"', "en-garde"),
        ("templates/letters/due.txt", "Your Leader waits.", "Leader"),
        ("drawings/arms.py", "MUSKETS = 3", "MUSKETS"),
        ("warbands/services/rank_ups.py", 'Rule book: "Progression"', 'Rule book: "'),
    ],
)
def test_a_word_of_a_system_is_found_wherever_it_stands(
    tmp_path: Path, place: str, line: str, word: str
) -> None:
    (tmp_path / place).parent.mkdir(parents=True)
    (tmp_path / place).write_text(f"\n{line}\n", encoding="utf-8")
    assert offenders(tmp_path) == [f"{place}:2: {word}"]


def test_nothing_outside_the_rule_systems_knows_a_word_of_one() -> None:
    assert offenders() == []
