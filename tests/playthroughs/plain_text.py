"""Values of the rules as lines of text: short, in a fixed order, and without empty values."""

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec

from rulebook.ruleset import Problem

NOTHING: tuple[Any, ...] = (None, "", False, (), [], {})
PLAIN_NOTHINGS = frozenset({"null", '""', "false", "0", "[]", "{}"})
NAMED_BY = ("fighter", "key", "id", "civilian", "side")
"""Fields that name the members of a list of objects: the first one with distinct values is used.
"""


def compact(value: Any) -> str:
    """Return a value as JSON in one line, without the empty fields of structs."""
    return msgspec.json.encode(_filled(value)).decode()


def _filled(value: Any) -> Any:
    if isinstance(value, msgspec.Struct):
        pairs = ((name, getattr(value, name)) for name in value.__struct_fields__)
        return {name: _filled(each) for name, each in pairs if not _empty(each)}
    if isinstance(value, Mapping):
        return {str(key): _filled(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_filled(each) for each in value]
    if isinstance(value, set | frozenset):
        return sorted(_filled(each) for each in value)
    return value


def _empty(value: Any) -> bool:
    return value != 0 and value in NOTHING if not isinstance(value, bool) else not value


def words(**named: Any) -> str:
    """Return ``name=value`` for everything that is not empty."""
    return " ".join(
        f"{name}={compact(value)}" for name, value in named.items() if not _empty(value)
    )


def problem_line(problem: Problem) -> str:
    """Return a problem in one line: its code, its sentence, and its other fields."""
    more = words(
        severity="" if problem.severity == "forbids" else problem.severity,
        fighters=problem.fighters,
        field=problem.field,
        value=problem.value,
        source=problem.source,
    )
    return f"{problem.code}: {problem.sentence}{' | ' if more else ''}{more}"


def flat(value: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """Yield every leaf of a JSON value with its path, in which members of lists have their names."""
    if isinstance(value, Mapping) and value:
        for key, each in value.items():
            yield from flat(each, f"{path}.{key}" if path else str(key))
    elif (
        isinstance(value, list | tuple)
        and value
        and all(isinstance(each, Mapping) for each in value)
    ):
        names = _names(value)
        for place, each in enumerate(value):
            yield from flat(each, f"{path}[{names[place]}]")
    else:
        yield path, compact(value)


def _names(rows: Any) -> list[str]:
    for key in NAMED_BY:
        names = [str(row.get(key, "")) for row in rows]
        if all(names) and len(set(names)) == len(names):
            return names
    return [str(place) for place in range(len(rows))]


def first_lines(value: Mapping[str, Any]) -> Iterator[str]:
    """Yield a JSON object: a line per field, or per member of a list of objects."""
    for key, each in value.items():
        if (
            isinstance(each, list | tuple)
            and each
            and all(isinstance(row, Mapping) for row in each)
        ):
            yield from (
                f"{key}[{name}]: {compact(row)}"
                for name, row in zip(_names(each), each, strict=True)
            )
        else:
            yield f"{key}: {compact(each)}"


def gathered(pairs: Iterable[tuple[str, str]]) -> list[str]:
    """Return a line for each distinct text, with everybody it applies to."""
    whom: dict[str, list[str]] = {}
    for who, what in pairs:
        whom.setdefault(what, []).append(who)
    return [f"{', '.join(names)}: {what}" for what, names in whom.items()]


def changes(before: Mapping[str, str], after: Mapping[str, str]) -> Iterator[str]:
    """Yield the changes between two flat values, one line per path, without new empty values."""
    for path, value in after.items():
        if path not in before and value in PLAIN_NOTHINGS:
            continue
        if path not in before:
            yield f"{path}: {value}"
        elif before[path] != value:
            yield f"{path}: {before[path]} -> {value}"
    for path, value in before.items():
        if path not in after:
            yield f"{path}: {value} -> gone"


class Glossary:
    """Short marks for long texts that are repeated in a file; the texts are printed at its end."""

    def __init__(self) -> None:
        self.told: dict[str, str] = {}

    def mark(self, text: str) -> str:
        """Return six characters that stand for the text; "" for no text."""
        if not text:
            return ""
        mark = hashlib.sha256(text.encode()).hexdigest()[:6]
        self.told[mark] = text
        return mark

    def lines(self) -> Iterator[str]:
        """Yield every text with its mark."""
        if self.told:
            yield ""
            yield "== What the marks stand for"
        yield from sorted(f"{mark} {text}" for mark, text in self.told.items())
