"""Reading the data files of a rule system."""

import tomllib
from pathlib import Path
from typing import Any, TypeVar

import msgspec

Read = TypeVar("Read")


def read_toml(path: Path) -> dict[str, Any]:
    """A data file as it stands."""
    return tomllib.loads(path.read_text(encoding="utf-8"))


def read_data(path: Path, type: type[Read]) -> Read:
    """A data file as this type. Raises msgspec.ValidationError naming the place where it is something else."""
    return msgspec.convert(read_toml(path), type)
