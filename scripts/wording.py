"""Check the wording of everything that people read: `make check` and pre-commit run it.

It finds the phrases of ``scripts/wording.toml`` in pages, e-mails, errors, rule data, docs, the
manual, docstrings and names of tests, and prints what to write instead. With paths it reads only
those files. The comment ``wording: ok`` in the same line allows a phrase.
"""

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
RULES = Path(__file__).with_name("wording.toml")
PAGES, RULE_TEXTS, CODE = "pages", "rules", "code"
DOCSTRINGS, DOCS, TESTS = "docstrings", "docs", "tests"
KINDS = frozenset({PAGES, RULE_TEXTS, CODE, DOCSTRINGS, DOCS, TESTS})
"""Texts of pages, of rule systems, other strings in code, docstrings, documents, names of tests."""
READ = (".py", ".html", ".txt", ".md", ".toml")
SKIPPED = re.compile(
    r"(^|/)(migrations|vendor)/|^locale/|translations\.toml$|\.de\.md$|^tests/.*(?<!\.py)$"
    r"|^(?!templates/).*\.txt$|^(?!rulebook/|scripts/skeleton/).*\.toml$"
)
"""Files that are generated, foreign, in German, or settings; and stories of the demonstration."""
GAMES = re.compile(r"(tests/|docs/)?(rulebook|rulesets|playthroughs)/|scripts/skeleton/")
"""The places of rule systems."""
OK = "wording: ok"
TAGS = re.compile(r"{#.*?#}|{%.*?%}|{{.*?}}|<(script|style)\b.*?</\1>|<[^>]*>", re.DOTALL)
MARKED = re.compile(r"""\b(?:translate\s+|_\()(["'])(.*?)\1""")
GAPS = re.compile(r"%\(\w+\)[sd]|{[\w.*#]*}|``.*?``|`[^`\n]*`|&\w+;")
MARKDOWN_CODE = re.compile(r"```.*?```|^    [^\n]*$|`[^`\n]*`|\]\([^)]*\)", re.DOTALL | re.M)
TOML_STRING = re.compile(r'^\s*#[^\n]*|"""(.*?)"""|"((?:[^"\\\n]|\\.)*)"', re.DOTALL | re.M)
TRANSLATED = re.compile(r"^(n|p|np)?gettext(_lazy)?$|^_$")


class Text(NamedTuple):
    """A text for people, with its lines in the file."""

    kind: str
    first: int
    last: int
    body: str


class Phrase(NamedTuple):
    """A pattern to look for, what to write instead, and the kinds of texts to look in.

    ``in_games`` is false for words that games need, for example of figures on a hill.
    """

    pattern: re.Pattern[str]
    instead: str
    kinds: frozenset[str]
    in_games: bool


class Finding(NamedTuple):
    """A phrase in a file, and what to write instead."""

    path: str
    line: int
    phrase: str
    instead: str


def main(arguments: Sequence[str] = ()) -> int:
    """Print all findings. Return 1 if there are any."""
    count = 0
    for path in files_to_read(arguments):
        for finding in findings_in(path, (ROOT / path).read_text(encoding="utf-8")):
            print(f'{finding.path}:{finding.line}: "{finding.phrase}" -> {finding.instead}')
            count += 1
    return int(count > 0)


def files_to_read(paths: Sequence[str] = ()) -> list[str]:
    """Return the files with texts for people, new ones too: of the whole project, or of paths."""
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard", "--", *paths],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return [
        path
        for path in listed.stdout.splitlines()
        if path.endswith(READ) and not SKIPPED.search(path) and (ROOT / path).is_file()
    ]


def findings_in(path: str, source: str) -> Iterator[Finding]:
    """Yield the findings in the source of a file; its name says how to read it."""
    lines, in_games = source.split("\n"), GAMES.match(path) is not None
    for text in texts(path, source):
        body = GAPS.sub(_blank, text.body)
        if not any_phrase(text.kind).search(body):
            continue
        reported: set[int] = set()
        for phrase in phrases():
            if text.kind not in phrase.kinds or (in_games and not phrase.in_games):
                continue
            for match in phrase.pattern.finditer(body):
                if match.start() in reported:
                    continue
                reported.update(range(*match.span()))
                line = min(text.first + body.count("\n", 0, match.start()), text.last)
                # In code a comment can only follow the last line of a string.
                marked = text.last if path.endswith(".py") else line
                if OK not in lines[marked - 1]:
                    yield Finding(path, line, " ".join(match[0].split()), phrase.instead)


@cache
def phrases() -> tuple[Phrase, ...]:
    """Return the phrases to look for. Each is for all kinds of texts unless it names some."""
    return tuple(
        Phrase(
            re.compile(_whole(rule["find"]), re.I),
            rule["say"],
            frozenset(rule.get("only", KINDS)),
            rule.get("in_games", True),
        )
        for rule in tomllib.loads(RULES.read_text(encoding="utf-8"))["phrase"]
    )


@cache
def any_phrase(kind: str) -> re.Pattern[str]:
    """Return one pattern for all phrases of a kind of text."""
    patterns = (phrase.pattern.pattern for phrase in phrases() if kind in phrase.kinds)
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns), re.I)


def _whole(find: str) -> str:
    """Return a pattern for whole words. A line break is a space too."""
    return rf"(?<!\w)(?:{find.replace(' ', chr(92) + 's+')})(?!\w)"


def texts(path: str, source: str) -> Iterator[Text]:
    """Yield the texts for people in a file."""
    if path.endswith(".py"):
        yield from _python_texts(path, source)
    elif path.endswith(".toml"):
        for match in TOML_STRING.finditer(source):
            yield _located(RULE_TEXTS, source, match.start(), match[1] or match[2] or "")
    elif path.endswith(".md"):
        yield _located(DOCS, source, 0, MARKDOWN_CODE.sub(_blank, source))
    else:
        for match in MARKED.finditer(source):
            yield _located(PAGES, source, match.start(), match[2])
        # Each text between two tags is one text, so that a rule can ask how it begins.
        for part in re.finditer(r"[^\0]*[^\0\s][^\0]*", TAGS.sub(_zeros, source)):
            lead = len(part[0]) - len(part[0].lstrip())
            yield _located(PAGES, source, part.start() + lead, part[0].strip())


def _python_texts(path: str, source: str) -> Iterator[Text]:
    """Yield docstrings, strings of at least two words, translated ones, and names of tests."""
    nodes = list(_nodes(ast.parse(source)))
    documentation = {node.value for node in nodes if isinstance(node, ast.Expr)}
    translated = {
        argument
        for node in nodes
        if isinstance(node, ast.Call) and TRANSLATED.match(_name(node.func))
        for argument in node.args
    }
    in_tests, in_rules = path.startswith("tests/"), path.startswith("rulebook/")
    for node in nodes:
        if isinstance(node, ast.FunctionDef) and in_tests and node.name.startswith("test_"):
            words = node.name.removeprefix("test_").replace("_", " ")
            yield Text(TESTS, node.lineno, node.lineno, words)
        if not (isinstance(node, ast.Constant) and isinstance(node.value, str)):
            continue
        if node in documentation:
            kind = DOCSTRINGS
        elif in_tests:
            # Tests check what pages say.
            continue
        elif node in translated:
            kind = PAGES
        elif " " in node.value:
            kind = RULE_TEXTS if in_rules else CODE
        else:
            continue
        yield Text(kind, node.lineno, node.end_lineno or node.lineno, node.value)


def _nodes(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield all nodes but names. This takes a third of the time of ``ast.walk``."""
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        yield node
        for value in node.__dict__.values():
            if isinstance(value, list):
                waiting += [each for each in value if isinstance(each, ast.AST)]
            elif isinstance(value, ast.AST) and not isinstance(value, ast.Name | ast.expr_context):
                waiting.append(value)


def _name(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def _located(kind: str, source: str, start: int, body: str) -> Text:
    """Return the text that starts at a position of the source."""
    first = source.count("\n", 0, start) + 1
    return Text(kind, first, first + body.count("\n"), body)


def _blank(match: re.Match[str]) -> str:
    """Return a gap with as many lines. It is neither a word nor a space."""
    return "\n" * match[0].count("\n") or "-"


def _zeros(match: re.Match[str]) -> str:
    """Return as many zeros, with the same lines."""
    return re.sub(r"[^\n]", "\0", match[0])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
