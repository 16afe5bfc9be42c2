"""Find texts in pages, forms and selectors that are not marked for translation."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from django.conf import settings

from scripts.packages import APPS

KINDS = ("gettext", "ngettext", "pgettext", "npgettext")
MARKS = frozenset({*KINDS, *(f"{kind}_lazy" for kind in KINDS), "gettext_noop", "_"})
WORDS = re.compile(r"[A-Za-z]{2,}[,:;]? [a-z]{2,}")
WORD = re.compile(r"(?:^|\W)[a-z]{3,}\s|\s[a-z]{3,}(?:\W|$)")
"""A string is a text if it has several words; part of a longer string if it has a separate word.
"""
FOR_MACHINES = re.compile(
    r"^(attachment|inline); filename=|^text/|, max-age=|^undo $|^\s*SELECT |\) waiting$|^subject id$"
)
"""Response headers, queries, SQL, names of events, and columns of a file for programs."""
STORED = frozenset({"Undone at the table"})
"""Texts that are written to a log, in the same words for everybody."""


def faces() -> Iterator[Path]:
    """Yield the files with texts of pages.

    The API and the admin site are left out: they are in English.
    """
    for app in set(APPS) - {"operations"}:
        for file in Path(settings.BASE_DIR, app).rglob("*.py"):
            if {"views", "forms", "selectors"} & {
                *file.parts,
                file.stem,
            } and "api" not in file.parts:
                yield file


def unmarked_code(source: str) -> list[tuple[int, str]]:
    """Return the untranslatable sentences of some code, each with its line."""
    reader = _Reader()
    reader.visit(ast.parse(source))
    return [
        (line, text)
        for line, text in reader.found
        if text not in STORED and not FOR_MACHINES.search(text)
    ]


class _Reader(ast.NodeVisitor):
    def __init__(self) -> None:
        self.found: list[tuple[int, str]] = []

    def visit_Call(self, node: ast.Call) -> None:
        if getattr(node.func, "id", "") not in MARKS:
            self.generic_visit(node)

    def visit_keyword(self, node: ast.keyword) -> None:
        """Skip ``api`` arguments: descriptions in the API's schema are for engineers."""
        if node.arg != "api":
            self.generic_visit(node)

    def visit_Expr(self, node: ast.Expr) -> None:
        if not isinstance(node.value, ast.Constant):
            self.generic_visit(node)

    def visit_Raise(self, node: ast.Raise) -> None:
        """Skip ValueErrors: our own faults are for the operator."""
        if getattr(getattr(node.exc, "func", None), "id", "") != "ValueError":
            self.generic_visit(node)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        for part in node.values:
            if isinstance(part, ast.FormattedValue):
                self.visit(part.value)
            elif isinstance(part, ast.Constant) and WORD.search(str(part.value)):
                self.found.append((node.lineno, str(part.value)))

    def visit_Constant(self, node: ast.Constant) -> None:
        if isinstance(node.value, str) and WORDS.search(node.value):
            self.found.append((node.lineno, node.value))
