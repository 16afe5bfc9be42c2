"""Texts of violations in rule systems: the data and the code that names them agree."""

import ast
from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from pkgutil import iter_modules
from string import Formatter
from types import ModuleType

import pytest

from rulebook import battle_log, systems
from rulebook.book.violations import ViolationBook
from rulebook.values.problems import Problem, Severity, Violation


def book_of(system: str) -> ModuleType | None:
    """Return the module of a rule system with its ``VIOLATIONS``: ``book`` or
    ``book.violations``.
    """
    path = f"rulebook.systems.{system}.book"
    if find_spec(path) is None:
        return None
    book = import_module(path)
    if not hasattr(book, "VIOLATIONS") and hasattr(book, "__path__"):
        book = import_module(f"{path}.violations")
    return book if hasattr(book, "VIOLATIONS") else None


SYSTEMS = {
    each.name: book for each in iter_modules(systems.__path__) if (book := book_of(each.name))
}
ALL = pytest.mark.parametrize("book", SYSTEMS.values(), ids=SYSTEMS.keys())
ENGINE = Path(battle_log.__file__ or "").parent
OF_PROBLEMS = {"field", "value", "fighters", "severity"}


@pytest.fixture
def sheet(tmp_path: Path) -> ViolationBook:
    file = tmp_path / "violations.toml"
    file.write_text(
        '[violation.too-far]\nsays = "{name} goes {inches:g} inches at most."\nrule = "Sheet: '
        '{heading}"\n'
        '[violation.too-far-mounted]\ncode = "too-far"\nsays = "No {field} goes to {value!r}."\n'
    )
    return ViolationBook(file)


def test_an_entry_says_of_which_field_it_tells(sheet: ViolationBook):
    assert sheet.field_of("too-far") == ""
    assert SYSTEMS["avant_garde"].VIOLATIONS.field_of("no-target") == "target"


def test_a_violation_is_its_code_its_sentence_and_its_rule(sheet: ViolationBook):
    kwargs = {"name": "Alice", "inches": 6.0, "heading": "Movement"}
    expected = Violation("too-far", "Alice goes 6 inches at most.", "Sheet: Movement")
    assert sheet.violation("too-far", **kwargs) == expected
    assert sheet.broken((True, "too-far"), (False, "too-far-mounted"), **kwargs) == (expected,)


def test_a_problem_names_the_field_and_the_value_and_an_entry_may_share_a_code(
    sheet: ViolationBook,
):
    problem = sheet.problem(
        "too-far-mounted", field="horse", value="B", fighters=("b",), severity=Severity.WARNS
    )
    assert problem == Problem(
        "too-far", "No horse goes to 'B'.", Severity.WARNS, ("b",), "horse", "B"
    )


def test_systems_of_the_books_say_what_they_forbid():
    assert {"argad", "avant_garde", "en_garde", "wards"} <= SYSTEMS.keys()


def folder(book: ModuleType) -> Path:
    """Return the folder of the whole system."""
    path = Path(book.__file__ or "").parent
    return path if (path / "data").exists() else path.parent


def calls(book: ModuleType) -> Iterator[tuple[str, ast.Call]]:
    """Yield each call that reports a violation, by the plain name of the called function."""
    for path in folder(book).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                yield node.func.id, node


def names_in(call: ast.Call) -> set[str]:
    """Return the entries that a call names: its first word, or those of its checks."""
    return {
        each.value
        for argument in call.args
        for each in (argument.elts[1:] if isinstance(argument, ast.Tuple) else [argument])
        if isinstance(each, ast.Constant) and isinstance(each.value, str)
    }


def places(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name}


@ALL
def test_violations_in_code_have_data_and_arguments(book: ModuleType):
    problems = getattr(book, "PROBLEMS", book.VIOLATIONS)
    for called, call in calls(book):
        if called in ("violation", "broken", "problem"):
            entries, names = (
                (problems if called == "problem" else book.VIOLATIONS).entries,
                names_in(call),
            )
            assert names <= set(entries), ast.unparse(call)
            arguments = {each.arg for each in call.keywords} | (
                OF_PROBLEMS if called == "problem" else set()
            )
            needed = {
                place
                for name in names
                for place in places(entries[name].says) | places(entries[name].rule)
            }
            assert needed <= arguments or None in arguments, ast.unparse(call)


@ALL
def test_every_violation_entry_is_used_and_complete(book: ModuleType):
    paths = [*folder(book).rglob("*.py"), *folder(book).glob("data/*.toml"), *ENGINE.glob("*.py")]
    texts = [path.read_text(encoding="utf-8") for path in paths]
    for sheet in (book.VIOLATIONS, getattr(book, "PROBLEMS", book.VIOLATIONS)):
        for name, entry in sheet.entries.items():
            assert any(f'"{name}"' in text for text in texts), name
            assert entry.says.endswith(".") or entry.says.endswith("}"), name
            assert entry.code != name, name
