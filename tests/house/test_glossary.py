"""One idea, one word: docs/glossary.md, held to in names, templates and docs."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from scripts.packages import PACKAGES

ROOT = Path(__file__).parents[2]
CODE = (*PACKAGES, "scripts", "tests")
TEXTS = ("templates", "docs", "*/templates")
GLOSSARY = ROOT / "docs" / "glossary.md"

# Each word that must not stand in a name, and what to say instead.
FORBIDDEN_IN_NAMES = {
    "admin": "organiser",
    "came": "outcome",
    "character": "Fighter",
    "characters": "Fighter",
    "chip": "badge",
    "chips": "badges",
    "court": "validation",
    "doing": "action",
    "doings": "actions",
    "exp": "experience",
    "foreseen": "preview",
    "gang": "Warband",
    "helpers": "a name that says what it decides",
    "level": "rank, or position",
    "levels": "rank, or position",
    "levelup": "RankUp",
    "manager": "a name that says what it decides",
    "meeting": "combat, or pair",
    "meetings": "combats, or pairs",
    "mini": "Fighter",
    "miniature": "Fighter",
    "miniatures": "Fighter",
    "mission": "Scenario",
    "missions": "Scenario",
    "model": "Fighter",
    "needless": "superfluous",
    "slip": "input error",
    "slips": "input errors",
    "status": "Outcome, Fate or state",
    "unit": "Fighter",
    "units": "Fighter",
    "utils": "a name that says what it decides",
    "xp": "experience",
}
FORBIDDEN_IN_TEXTS = ("gang", "gangs", "miniatures", "mission", "missions")

# Names that mean something else, or that others gave. Each with its reason.
ALLOWED_NAMES = {
    "model": "Django's word for a table, in a Meta or a migration",
    "status": "of HTTP, as RFC 9457 calls it",
    "http_status": "of HTTP",
    "status_code": "of HTTP, as REST framework calls it",
    "_http_status": "of HTTP",
    "delete_model": "of Django's site for support",
    "save_model": "of Django's site for support",
    "get_model_class": "of the sessions of Django",
    "create_model_instance": "of the sessions of Django",
    "no_null_characters": "the character that no text may hold",
    "LOG_LEVEL": "how much is logged: the logging library's word",
}
IMPORTS = re.compile(r"^(?:from|import) .*", re.MULTILINE)
IDENTIFIER = re.compile(r"[A-Za-z_]\w*")
ALLOWED_MODULES = {
    "admin": "Django's name for its site for support",
}


def python_files() -> list[Path]:
    return [
        path
        for folder in CODE
        for path in (ROOT / folder).rglob("*.py")
        if "migrations" not in path.parts
    ]


def names_in(tree: ast.AST) -> Iterator[tuple[str, int]]:
    """Yield every name that the file defines: of functions, classes, arguments, variables,
    attributes.
    """
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.AsyncFunctionDef):
            yield node.name, node.lineno
        elif isinstance(node, ast.arg):
            yield node.arg, node.lineno
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id, node.lineno
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.attr, node.lineno


def words_of(name: str) -> list[str]:
    """Return the words of a name: `RankUpOffer` and `rank_up_offer` give rank, up, offer."""
    return [word.lower() for word in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", name)]


@cache
def offence(name: str) -> str | None:
    """Return what to say instead, or None if the name is fine."""
    if name in ALLOWED_NAMES or name.startswith("test_"):
        return None
    return next(
        (
            f"{name}: say {FORBIDDEN_IN_NAMES[word]}"
            for word in words_of(name)
            if word in FORBIDDEN_IN_NAMES
        ),
        None,
    )


def has_forbidden_word(code: str) -> bool:
    """Return whether any word of the code could be forbidden.

    Parsing every file would take seconds.
    """
    return any(offence(name) for name in {*IDENTIFIER.findall(IMPORTS.sub("", code))})


def is_of_django_site(path: Path, name: str) -> bool:
    """Return whether the name is about Django's admin site, in a module about it."""
    return "admin" in path.stem and "admin" in words_of(name)


def test_names_in_python_use_the_words_of_the_glossary():
    codes = {path: path.read_text(encoding="utf-8") for path in python_files()}
    complaints = [
        f"{path.relative_to(ROOT)}:{line} {complaint}"
        for path, code in codes.items()
        if has_forbidden_word(code)
        for name, line in names_in(ast.parse(code))
        if (complaint := offence(name)) and not is_of_django_site(path, name)
    ]
    assert complaints == []


@pytest.mark.parametrize(
    "code",
    ["def slip(): pass", "class RankUpHelpers: pass", "self.came = 1", "for unit in us: pass"],
)
def test_file_with_an_offence_is_parsed(code: str) -> None:
    assert has_forbidden_word(code) and any(offence(name) for name, _ in names_in(ast.parse(code)))


def test_files_and_folders_use_the_words_of_the_glossary():
    parts = {
        part for path in python_files() for part in path.relative_to(ROOT).with_suffix("").parts
    }
    complaints = [
        complaint for part in parts - ALLOWED_MODULES.keys() if (complaint := offence(part))
    ]
    assert complaints == []


def test_templates_and_docs_use_the_words_of_the_glossary():
    forbidden = re.compile(rf"\b({'|'.join(FORBIDDEN_IN_TEXTS)})\b", re.IGNORECASE)
    complaints = [
        f"{path.relative_to(ROOT)}:{number} {word[0]}"
        for folder in TEXTS
        for place in ROOT.glob(folder)
        for path in [*place.rglob("*.html"), *place.rglob("*.md"), *place.rglob("*.txt")]
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if path != GLOSSARY and (word := forbidden.search(line))
    ]
    assert complaints == []


@pytest.mark.parametrize(
    "name", ["xp_total", "FighterUnit", "court_result", "BattleChip", "unit", "get_model_name"]
)
def test_the_test_finds_offenders(name):
    assert offence(name)


@pytest.mark.parametrize(
    "name",
    [
        "experience",
        "RankUp",
        "match",
        "campaign_stats",
        "BattleReport",
        "leagues",
        "unite",
        "models",
    ],
)
def test_the_test_leaves_innocent_names_alone(name):
    assert offence(name) is None


def test_glossary_lists_every_forbidden_word():
    text = GLOSSARY.read_text(encoding="utf-8").lower()
    words = {word.removesuffix("s") for word in FORBIDDEN_IN_NAMES}
    assert [word for word in sorted(words) if word not in text] == []
