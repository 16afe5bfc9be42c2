"""Ranges of numbers are printed with a dash: "4–5" is not a subtraction."""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import rulebook.systems

DATA = sorted(Path(rulebook.systems.__path__[0]).glob("*/data/**/*.toml"))
HYPHEN = re.compile(r"\d-\d")


def texts(value: Any) -> Iterator[str]:
    """Yield every text of a file at any depth."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from (text for each in value.values() for text in texts(each))
    elif isinstance(value, list):
        yield from (text for each in value for text in texts(each))


def test_no_text_of_a_rule_system_writes_a_range_with_a_hyphen() -> None:
    offenders = [
        text
        for path in DATA
        for text in texts(tomllib.loads(path.read_text("utf-8")))
        if HYPHEN.search(text)
    ]
    assert len(DATA) > 40 and offenders == []
