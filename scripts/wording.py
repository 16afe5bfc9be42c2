"""Check the wording of everything that people read: `make check` runs it.

It finds the phrases of ``scripts/wording.toml`` in pages, e-mails, errors, rule data, docs and
docstrings, and prints what to write instead. The comment ``wording: ok`` in the same line
allows a phrase.
"""

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
RULES = Path(__file__).with_name("wording.toml")
SKIPPED = re.compile(r"(^|/)(migrations|vendor|fonts)/|^scripts/wording\.|^tests/|^locale/")
"""Files that are generated or foreign. Tests check what pages say."""
OK = "wording: ok"
TAGS = re.compile(r"{#.*?#}|{%.*?%}|{{.*?}}|<(script|style)\b.*?</\1>|<[^>]*>", re.DOTALL)
MARKED = re.compile(r"""\b(?:translate\s+|_\()(["'])(.*?)\1""")
CODE = re.compile(r"```.*?```|^    [^\n]*$|`[^`\n]*`|\]\([^)]*\)", re.DOTALL | re.MULTILINE)


class Finding(NamedTuple):
    """A phrase in a file, and what to write instead."""

    path: str
    line: int
    phrase: str
    instead: str


def main() -> int:
    """Print all findings. Return 1 if there are any."""
    findings = [finding for path in tracked_files() for finding in check(path)]
    for finding in findings:
        print(f'{finding.path}:{finding.line}: "{finding.phrase}" -> {finding.instead}')
    return int(bool(findings))


def tracked_files() -> list[str]:
    """Return the files of the project with texts for people."""
    listed = subprocess.run(
        ["git", "ls-files", "*.py", "*.html", "*.txt", "*.md", "*.toml"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return [path for path in listed.stdout.split() if not SKIPPED.search(path)]


def check(path: str) -> Iterator[Finding]:
    """Yield the findings in a file."""
    source = (ROOT / path).read_text(encoding="utf-8")
    yield from findings_in(path, source)


def findings_in(path: str, source: str) -> Iterator[Finding]:
    """Yield the findings in the source of a file; its name says how to read it."""
    lines = source.splitlines()
    for start, text in texts(path, source):
        for pattern, instead in phrases():
            for match in pattern.finditer(text):
                line = start + text.count("\n", 0, match.start())
                if OK not in lines[line - 1]:
                    yield Finding(path, line, " ".join(match[0].split()), instead)


@cache
def phrases() -> tuple[tuple[re.Pattern[str], str], ...]:
    """Return the patterns to look for, each with what to write instead."""
    rules = tomllib.loads(RULES.read_text(encoding="utf-8"))["phrase"]
    return tuple((_pattern(rule["find"]), rule["say"]) for rule in rules)


def _pattern(find: str) -> re.Pattern[str]:
    """Return a pattern for whole words. A line break is a space too."""
    spaced = find.replace(" ", r"\s+")
    return re.compile(rf"\b(?:{spaced})(?!\w)", re.IGNORECASE)


def texts(path: str, source: str) -> Iterator[tuple[int, str]]:
    """Yield the texts for people in a file, each with the number of its first line."""
    if path.endswith(".py"):
        yield from _python_texts(source)
    elif path.endswith(".toml"):
        # Comments are read as well.
        yield 1, source
    elif path.endswith(".md"):
        yield 1, CODE.sub(_blank, source)
    else:
        for match in MARKED.finditer(source):
            yield source.count("\n", 0, match.start()) + 1, match[2]
        yield 1, TAGS.sub(_blank, source)


def _python_texts(source: str) -> Iterator[tuple[int, str]]:
    """Yield docstrings, and strings of at least two words."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value:
            yield node.lineno, node.value


def _blank(match: re.Match[str]) -> str:
    """Return as many lines of nothing."""
    return "\n" * match[0].count("\n") or " "


if __name__ == "__main__":
    sys.exit(main())
