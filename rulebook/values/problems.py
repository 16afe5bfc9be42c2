"""Problems, the words of rule systems, and house rules."""

import json
from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Any, TypeVar

from msgspec import Struct

T = TypeVar("T")
Settings = Mapping[str, Any]
"""House rules by key. Missing ones have their defaults."""


class Severity(StrEnum):
    """The effect of a problem: it forbids or warns."""

    FORBIDS = "forbids"
    WARNS = "warns"


class Problem(Struct, frozen=True):
    """A problem: a stable code, a sentence for people, and the fighters concerned."""

    code: str
    sentence: str
    severity: Severity = Severity.FORBIDS
    fighters: tuple[str, ...] = ()
    field: str = ""
    value: str = ""
    source: str = ""


class Repeated(Problem, frozen=True):
    """An event repeats something that counts only once: a fighter's end, or a fight that was won.

    ``earlier`` says it without a full stop: "Anna was killed by Bo in turn 3". ``entry`` is the
    number of the earlier event, 0 if it is unknown. ``correction`` is the data of a correction that
    replaces it with the new event, or None if that would remove more from the log.
    """

    earlier: str = ""
    entry: int = 0
    correction: Mapping[str, Any] | None = None
    # The position, from 0, of the earlier event if it is in the same request.
    beside: int | None = None


class Violation(Struct, frozen=True):
    """A rule that an event breaks: a stable code, a sentence, and the name of the rule.

    Players may override it.
    """

    code: str
    sentence: str
    rule: str


class Obligation(Struct, frozen=True, kw_only=True):
    """Something that the rules require before the next turn or the end of the battle.

    ``who`` is the id of a fighter, the key of a side, or "" for the table. ``kind`` is the kind of
    event that fulfils it. ``label`` describes it for people: "Old Guard: casualty test".
    ``blocks_end`` is False if only the next turn must wait for it. ``rule`` is the rule behind it
    if it differs from that of the kind.
    """

    who: str
    kind: str
    label: str
    blocks_end: bool = True
    rule: str = ""


class RulesError(ValueError):
    """The rules forbid something. Carries all problems.

    ``within`` is the path in the request that the fields of the problems are relative to.
    """

    def __init__(self, *problems: Problem, within: str = "") -> None:
        self.problems = problems
        self.within = within
        # Several fighters may have the same problem: repeat no sentence.
        super().__init__(" ".join(dict.fromkeys(problem.sentence for problem in problems)))


def shown(value: object) -> str:
    """Return a value as problems show it: text and numbers unchanged, anything else as JSON."""
    return (
        str(value)
        if isinstance(value, str | int | float) and not isinstance(value, bool)
        else _json(value)
    )


def _json(value: object) -> str:
    try:
        return json.dumps(value, ensure_ascii=False)
    except TypeError:
        return str(value)


def find(table: Mapping[str, T], key: str, field: str, kind: str) -> T:
    """Return the entry with this key. Raises RulesError with field, value and known keys."""
    if key in table:
        return table[key]
    raise RulesError(unknown(table, key, field, kind))


def unknown(valid_keys: Iterable[str], key: str, field: str, kind: str) -> Problem:
    """Return the problem of an unknown key, with the known ones. ``kind`` is "item" or "list"."""
    sentence = f"There is no {kind} “{key}”; there is {join_names(valid_keys, 'or')}."
    return Problem(
        "unknown-" + kind.split(maxsplit=1)[0].lower(), sentence, field=field, value=str(key)
    )


def join_names(names: Iterable[str], last: str = "and") -> str:
    """Return a list of names as text: "a, b and c"."""
    *most, end = [*names] or ["nothing"]
    return f"{', '.join(most)} {last} {end}" if most else end


def plural(number: int, noun: str) -> str:
    """Return a number with its noun: "1 gun", "2 guns"."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


class Words(Struct, frozen=True):
    """The rule system's words for things.

    ``step`` is a step that improves a fighter. ``lost`` describes a fighter that is dead or
    destroyed. ``harmed`` is the group of fighters who suffered in a battle, and ``unharmed``
    describes a fighter who did not. ``group`` is a part of a warband that stands together.
    """

    fighter: str
    fighters: str
    warband: str
    warbands: str
    rank: str = "Rank"
    step: str = "rank-up"
    steps: str = "rank-ups"
    lost: str = "dead"
    group: str = "group"
    groups: str = "groups"
    harmed: str = "the fallen and the hurt"
    unharmed: str = "unhurt"
