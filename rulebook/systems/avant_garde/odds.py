"""Arithmetic of the rules: lines that add up, cells that the source has lost, tests of two dice."""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import cache
from typing import Any

import msgspec
from msgspec import Struct

from rulebook.dice.pools import at_most
from rulebook.dice.rolls import distribution
from rulebook.systems.avant_garde.book import NOT_IN_SOURCE, read_data
from rulebook.values.answers import ReasonLine
from rulebook.values.problems import Problem, RulesError

Odds = Mapping[str, Fraction]
"""The chance of each thing that may happen; they sum to 1."""
NEVER = 7
"""A number that no die shows."""


class Modifier(Struct, frozen=True, forbid_unknown_fields=True):
    """A row of a list of modifiers: what it adds each time, what people read of it, and the rule
    behind it."""

    says: str
    rule: str
    adds: int = 1


@cache
def modifier_list(name: str) -> Mapping[str, Modifier]:
    """Return a list of ``data/modifiers.toml``, in its order."""
    return msgspec.convert(read_data("modifiers")[name], dict[str, Modifier])


def modifiers(name: str, subject: object = None, /, **counts: Any) -> tuple[ReasonLine, ...]:
    """The lines of a list of modifiers that count, each as often as what its key comes to: once for
    what is true.

    What a key comes to is one of the ``counts``, or else an attribute of the ``subject``; the
    counts fill places as text too.
    """
    lines: list[ReasonLine] = []
    for key, row in modifier_list(name).items():
        times = int(counts[key] if key in counts else getattr(subject, key))
        if amount := times * row.adds:
            lines.append(ReasonLine(amount, row.says.format(**counts), row.rule))
    return tuple(lines)


def total(lines: Iterable[ReasonLine]) -> int:
    """Return what lines come to."""
    return sum(line.amount for line in lines)


def settled(value: int | None, what: str, field: str) -> int:
    """Return a number that the source may lack. Raise RulesError "not-in-source" where nobody has
    settled it."""
    if value is None:
        sentence = f"{what} is {NOT_IN_SOURCE}. Enter it, or set it as a house rule."
        raise RulesError(Problem("not-in-source", sentence, field=field))
    return value


def passes(dice: tuple[int, ...], target: int) -> bool:
    """Return whether two dice pass a test: their sum is within its target; below 2 nothing passes.
    Ruling N-M9."""
    return sum(dice) <= target


def pass_chance(target: int, *, again: bool = False) -> Fraction:
    """Return the chance to pass a test, with one more try for a pip where ``again`` is given."""
    once = at_most(distribution("2D6"), target)
    return once + (1 - once) * once if again else once
