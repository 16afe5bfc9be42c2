"""Reading the data files of a rule system."""

import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from msgspec import Struct


class BookEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """An entry of a table: its key, and what people call it."""

    key: str
    name: str


Read = TypeVar("Read")
Entry = TypeVar("Entry", bound=BookEntry)


class DataError(Exception):
    """The data files contradict themselves: a mistake of ours, never of a user."""


def read_toml(path: Path) -> dict[str, Any]:
    """Return a data file as it stands."""
    return tomllib.loads(path.read_text(encoding="utf-8"))


def read_data(path: Path, type: type[Read], part: str = "") -> Read:
    """Return a data file, or a part of it, as this type.

    Raise DataError naming the file and the place where it is not.
    """
    whole = read_toml(path)
    try:
        return msgspec.convert(whole[part] if part else whole, type, str_keys=True)
    except msgspec.ValidationError as error:
        raise DataError(f"{path.name}: {error}") from error


def read_table(path: Path, type: type[Entry], part: str) -> dict[str, Entry]:
    """Return the entries of a part of a data file by key. Raise DataError."""
    entries: tuple[Entry, ...] = read_data(path, tuple[type, ...], part)  # type: ignore[valid-type]
    return by_key(entries)


def by_key(entries: Iterable[Entry]) -> dict[str, Entry]:
    """Return the entries by key. Raise DataError where two share one."""
    table: dict[str, Entry] = {}
    for entry in entries:
        if entry.key in table:
            raise DataError(f"two entries with the key {entry.key!r}")
        table[entry.key] = entry
    return table
