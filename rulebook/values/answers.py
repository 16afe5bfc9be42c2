"""Answers of calculators: numbers with their sources.

Everything here is for people and scripts alike: chances are fractions in lowest terms as text, with
percentages beside them; every number that was added has its reason and the heading or ruling behind
it.
"""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from msgspec import Struct

from rulebook.values.problems import Problem

LONGEST = 16
"""A longer fraction stands in a table, and in no sentence."""


class ReasonLine(Struct, frozen=True):
    """One thing that was added: how much, why in a few words, and the heading or ruling behind
    it."""

    amount: int
    reason: str
    rule: str


def counting(*lines: ReasonLine) -> tuple[ReasonLine, ...]:
    """Return the lines that add or take something."""
    return tuple(line for line in lines if line.amount)


class ReasonedSum(Struct, frozen=True):
    """A number with everything that made it, line by line; ``total`` is the sum of ``lines``."""

    title: str
    lines: tuple[ReasonLine, ...]
    total: int


class Figure(Struct, frozen=True):
    """One figure of an answer: ``key`` is stable, ``value`` is for people."""

    key: str
    label: str
    value: str
    rule: str = ""


class Chance(Struct, frozen=True):
    """The probability of an outcome: ``chance`` is a fraction in lowest terms, "5/12"; ``percent``
    has one decimal."""

    key: str
    label: str
    chance: str
    percent: float


class ChanceTable(Struct, frozen=True):
    """Things of which one happens, with their chances, which sum to 1."""

    key: str
    title: str
    rows: tuple[Chance, ...]
    rule: str = ""


class GridRow(Struct, frozen=True):
    """A row of a grid: its name and its cells."""

    label: str
    cells: tuple[str, ...]


class Grid(Struct, frozen=True):
    """A table of plain cells."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[GridRow, ...]
    rule: str = ""


class Answer(Struct, frozen=True):
    """The answer of a calculator.

    ``asked`` holds the values as they were understood, defaults filled in; ``headline`` is the
    answer in a sentence. ``outcomes`` and ``percentages`` are the main table's chances by key;
    ``rolled`` is what the given dice come to. ``forbidden`` names what the rules would not allow of
    the question; it is answered anyway.
    """

    headline: str
    calculator: str = ""
    name: str = ""
    source: str = ""
    asked: Mapping[str, Any] = {}
    outcomes: Mapping[str, str] = {}
    percentages: Mapping[str, float] = {}
    tables: tuple[ChanceTable, ...] = ()
    figures: tuple[Figure, ...] = ()
    sums: tuple[ReasonedSum, ...] = ()
    grids: tuple[Grid, ...] = ()
    rolled: tuple[Figure, ...] = ()
    forbidden: tuple[Problem, ...] = ()
    assumptions: tuple[str, ...] = ()


def chances_answer(headline: str, chances: Mapping[str, Fraction], **more: Any) -> Answer:
    """Return an answer whose main table is of these chances."""
    return Answer(
        headline=headline, outcomes=texts(chances), percentages=percentages(chances), **more
    )


def percent(chance: Fraction) -> float:
    """Return a chance in percent, to one decimal."""
    return round(float(chance) * 100, 1)


def in_words(chance: Fraction) -> str:
    """Return a chance for people: "5/12 (41.7%)", and "41.7%" where the fraction is too long for a
    sentence.

    What is neither impossible nor certain is never rounded to that.
    """
    rounded = percent(chance)
    text = f"{rounded:g}%"
    if chance > 0 and not rounded:
        text = "less than 0.1%"
    if chance < 1 and rounded == 100:
        text = "more than 99.9%"
    return f"{chance} ({text})" if len(str(chance)) <= LONGEST else text


def chance_table(
    key: str,
    title: str,
    chances: Mapping[str, Fraction],
    labels: Mapping[str, str] | None = None,
    rule: str = "",
) -> ChanceTable:
    """Return a table of these chances, in their order; what has no label is called by its key."""
    named = labels or {}
    rows = (
        Chance(
            each, named.get(each, each.replace("-", " ").capitalize()), str(chance), percent(chance)
        )
        for each, chance in chances.items()
    )
    return ChanceTable(key, title, tuple(rows), rule)


def texts(chances: Mapping[str, Fraction]) -> dict[str, str]:
    """Return chances as fractions in lowest terms: "5/12", "0", "1"."""
    return {key: str(chance) for key, chance in chances.items()}


def percentages(chances: Mapping[str, Fraction]) -> dict[str, float]:
    """Return chances in percent, to one decimal."""
    return {key: percent(chance) for key, chance in chances.items()}
