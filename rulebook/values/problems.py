"""What rule systems say of right and wrong: problems, the words for things, house rules."""

import json
from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Any, TypeVar

from msgspec import Struct

T = TypeVar("T")
Settings = Mapping[str, Any]
"""House rules by key, complete or not: what is absent has its default."""


class Severity(StrEnum):
    """Whether a problem forbids or warns."""

    FORBIDS = "forbids"
    WARNS = "warns"


class Problem(Struct, frozen=True):
    """One thing that is wrong: a stable code, a sentence for people, and whom it concerns."""

    code: str
    sentence: str
    severity: Severity = Severity.FORBIDS
    fighters: tuple[str, ...] = ()
    field: str = ""
    value: str = ""
    source: str = ""


class Repeated(Problem, frozen=True):
    """An event tells what the log tells already, and what counts once: the end of a fighter, a
    fight that was won.

    ``earlier`` says it without a full stop: "Anna was killed by Bo in turn 3". ``entry`` is the
    place of the event that tells it, 0 where nobody knows. ``correction`` is the data of a
    correction that puts the new event in its place, None where that would take more from the log
    than this. ``beside`` is the place, from 0, of an event of the same request that tells it.
    """

    earlier: str = ""
    entry: int = 0
    correction: Mapping[str, Any] | None = None
    beside: int | None = None


class Violation(Struct, frozen=True):
    """A rule that an event breaks: a stable code, a sentence, and the rule's name, so that a table
    may overrule it."""

    code: str
    sentence: str
    rule: str


class Obligation(Struct, frozen=True, kw_only=True):
    """Something that the rules demand before another turn, or the end of the battle.

    ``who`` is the id of a fighter or the key of a side, "" for the table; ``kind`` is the key of
    the kind of event that settles it; ``label`` says it to people: "Old Guard: casualty test".
    ``blocks_end`` is False where only another turn has to wait for it, ``rule`` the rule behind it
    where that is not its kind's.
    """

    who: str
    kind: str
    label: str
    blocks_end: bool = True
    rule: str = ""


class RulesError(ValueError):
    """The rules say no. Carries every problem at once.

    ``within`` is the field of the request in which the fields of the problems lie.
    """

    def __init__(self, *problems: Problem, within: str = "") -> None:
        self.problems = problems
        self.within = within
        # Several fighters may share a problem: its sentence is said once.
        super().__init__(" ".join(dict.fromkeys(problem.sentence for problem in problems)))


def shown(value: object) -> str:
    """Return a value as a problem shows it: text and numbers as they are, anything else as JSON."""
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
    """The entry of that key. Raises RulesError naming the field, the value and what there is."""
    if key in table:
        return table[key]
    raise RulesError(unknown(table, key, field, kind))


def unknown(valid_keys: Iterable[str], key: str, field: str, kind: str) -> Problem:
    """The problem of a key that is not there, with the way out; ``kind`` says what it is of:
    "item", "list"."""
    sentence = f"There is no {kind} “{key}”; there is {join_names(valid_keys, 'or')}."
    return Problem(
        "unknown-" + kind.split(maxsplit=1)[0].lower(), sentence, field=field, value=str(key)
    )


def join_names(names: Iterable[str], last: str = "and") -> str:
    """Names as a person lists them: "a, b and c"."""
    *most, end = [*names] or ["nothing"]
    return f"{', '.join(most)} {last} {end}" if most else end


def plural(number: int, noun: str) -> str:
    """A number with its noun: "1 gun", "2 guns"."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


class Words(Struct, frozen=True):
    """How the rule system names things for people.

    ``step`` is what a fighter takes to become a better one; ``lost`` says of a fighter that it is
    no more, whatever it was, ``harmed`` whom a battle has cost something, ``unharmed`` of one whom
    it has not; ``group`` is a part of a warband that stands together.
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
