"""Variables and parameters of product code say what they hold: none is called after what happened
to it."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from scripts.packages import PACKAGES

ROOT = Path(__file__).resolve().parents[2]
NAMES = {"told", "found", "known", "wanted", "said", "asked", "one", "there"}
"""A reader has to look up what such a variable holds: a sentence, a match, rows, values, ..."""
FOLDERS = (*PACKAGES, "scripts", "static", "tests")
KEPT_IN_FILES = {"tests/playthroughs/logs.py"}
"""Files with a field of that name which is stored."""


def variables(code: str) -> Iterator[tuple[int, str]]:
    """Yield the lines and names of all variables and parameters.

    Fields of classes are left out, as they may be stored or published.
    """
    tree = ast.parse(code)
    fields = {
        id(target)
        for each in ast.walk(tree)
        if isinstance(each, ast.ClassDef)
        for statement in each.body
        if isinstance(statement, ast.Assign | ast.AnnAssign)
        for target in (
            statement.targets if isinstance(statement, ast.Assign) else [statement.target]
        )
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.arg):
            yield node.lineno, node.arg
        elif (
            isinstance(node, ast.Name)
            and isinstance(node.ctx, ast.Store)
            and id(node) not in fields
        ):
            yield node.lineno, node.id
        elif isinstance(node, ast.ExceptHandler | ast.MatchAs) and node.name:
            yield node.lineno, node.name


def files_of(package: str) -> list[Path]:
    """Return the code of a package without its migrations, which must not change."""
    return [
        path for path in sorted((ROOT / package).rglob("*.py")) if "migrations" not in path.parts
    ]


@pytest.mark.parametrize("package", FOLDERS)
def test_variables_say_what_they_hold(package: str) -> None:
    files = files_of(package)
    assert files
    assert [
        f"{path.relative_to(ROOT)}:{line} {name}"
        for path in files
        if str(path.relative_to(ROOT)) not in KEPT_IN_FILES
        for line, name in variables(path.read_text("utf-8"))
        if name in NAMES
    ] == []


@pytest.mark.parametrize(
    "code",
    [
        "found = 1",
        "def rule(told): ...",
        "def rule(*, known=None): ...",
        "def rule(**said): ...",
        "for one in []: ...",
        "[there for there in []]",
        "if (asked := 1): ...",
        "lambda wanted: 1",
        "a, (b, found) = 1, (2, 3)",
        "try: ...\nexcept ValueError as found: ...",
        "class Page:\n    def rule(self):\n        told: str = ''",
    ],
)
def test_every_kind_of_variable_is_found(code: str) -> None:
    assert {name for _, name in variables(code)} & NAMES


def test_class_fields_are_not_variables() -> None:
    assert (
        not {name for _, name in variables("class Page:\n    told: str = ''\n    found = 1")}
        & NAMES
    )
