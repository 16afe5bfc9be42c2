"""All data from a source is used: code reads each figure, and cites each ruling that decides."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from rulebook.book.data import read_toml
from rulebook.registry import RULESETS

HOME = Path(__file__).parents[2] / "rulebook" / "systems"
FIGURES: Mapping[str, tuple[str, ...]] = {
    "en-garde": ("movement", "wounds", "progression", "armour", "setting_up"),
    "argad": ("melee", "shooting", "firearms", "movement"),
    "wards": ("dice", "turn", "moves"),
    "avant-garde": ("figures", "terrain", "grades", "commanders"),
}
"""The files with figures of each book; what is looked up by the key of a build or an event is not
among them."""
CHOSEN = frozenset({"formation", "move"})
"""Tables whose rows are looked up by the key of a build or an event: code reads the table, and
names no row."""
DECIDES_NOTHING: Mapping[str, tuple[str, ...]] = {
    "en-garde": ("D18", "D19"),
    "argad": (),
    "wards": ("W-S2", "W-A7"),
    "avant-garde": ("N-P10", "N-T2"),
}
"""Rulings that leave something to the players, or name what the print means, so that no code asks
for them."""
FILLED_IN = re.compile(r'"([^"\n]*)"\)?\s*\.format_map\(')
"""A sentence with figures in braces."""
SYSTEMS = pytest.mark.parametrize("key", FIGURES)


def home(key: str) -> Path:
    """Return the folder of a system."""
    return HOME / key.replace("-", "_")


def code_of(key: str) -> str:
    """Return all Python of a system."""
    return "\n".join(path.read_text(encoding="utf-8") for path in sorted(home(key).rglob("*.py")))


def data_of(key: str) -> str:
    """Return all data files of a system that name sources, except the rulings and headings."""
    paths = sorted(path for path in (home(key) / "data").rglob("*.toml"))
    kept = (path for path in paths if path.name not in ("rulings.toml", "headings.toml"))
    return "\n".join(path.read_text(encoding="utf-8") for path in kept)


def figures_in(value: Any, key: str = "") -> Iterator[str]:
    """Yield the key of every number or list of numbers.

    Rows that code looks up by a number, and rows of the tables in ``CHOSEN``, give the table's
    key.
    """
    if isinstance(value, Mapping):
        for inner, each in value.items():
            yield from figures_in(each, key if inner.isdigit() or key in CHOSEN else inner)
    elif isinstance(value, list):
        for each in value:
            yield from figures_in(each, key)
    elif isinstance(value, int | float):
        yield key


def reads(code: str, reference: str, key: str) -> bool:
    """Return whether the code or the reference reads a figure.

    It may use its name, a sentence, a composed name, or a table.
    """
    if re.search(rf"[\"'.{{]{re.escape(key)}\b", code) or re.search(
        rf"\b{re.escape(key)}\b", reference
    ):
        return True
    if any(f"{{{key}}}" in sentence for sentence in FILLED_IN.findall(code)):
        return True
    patterns = {
        re.sub(r"\\{[^{}]*\\}", ".+", re.escape(each))
        for each in re.findall(r'f"([\w{}.\[\]-]*)"', code)
    }
    return any(
        re.fullmatch(pattern, key) for pattern in patterns if len(pattern.replace(".+", "")) > 2
    )


@SYSTEMS
def test_every_figure_is_read_by_code(key: str) -> None:
    shown = (home(key) / "data" / f"{name}.toml" for name in ("reference", "words"))
    code, reference = (
        code_of(key),
        "\n".join(path.read_text(encoding="utf-8") for path in shown if path.exists()),
    )
    figures = {
        each
        for name in FIGURES[key]
        for each in figures_in(read_toml(home(key) / "data" / f"{name}.toml"))
    }
    assert sorted(each for each in figures if not reads(code, reference, each)) == []


@SYSTEMS
def test_every_ruling_that_decides_is_cited_by_code(key: str) -> None:
    rulings = (home(key) / "data" / "rulings.toml").read_text(encoding="utf-8")
    ids = re.findall(r"^([A-Z]+-?[A-Z]?\d+)\s*=", rulings, re.MULTILINE)
    code = code_of(key)
    for letters, first, last in re.findall(
        r"\b([A-Z]+-?[A-Z]?)(\d+) to (?:[A-Z]+-?[A-Z]?)?(\d+)\b", code
    ):
        code += " ".join(f" {letters}{number}" for number in range(int(first), int(last) + 1))
    text = f"{code}\n{data_of(key)}"
    uncited = [each for each in ids if not re.search(rf"\b{re.escape(each)}\b", text)]
    assert len(ids) > 20
    assert [each for each in uncited if each not in DECIDES_NOTHING[key]] == []


def test_every_book_of_rulings_is_asked() -> None:
    """A system whose source leaves gaps keeps its rulings in ``data/rulings.toml``."""
    with_rulings = {key for key in RULESETS if (home(key) / "data" / "rulings.toml").exists()}
    assert set(FIGURES) == set(DECIDES_NOTHING) == with_rulings
