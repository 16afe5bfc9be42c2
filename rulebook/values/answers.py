"""Answers of calculators: numbers with their sources.

They are for people and scripts. Chances are fractions in lowest terms as text, with percentages.
Every number in a sum has its reason and the heading or ruling behind it.
"""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from msgspec import Struct

from rulebook.values.problems import Problem

LONGEST = 16
"""The maximum length of a fraction in a sentence, in characters. Tables show longer ones too."""


class ReasonLine(Struct, frozen=True):
    """A part of a sum: the amount, a short reason, and the heading or ruling behind it."""

    amount: int
    reason: str
    rule: str


def counting(*lines: ReasonLine) -> tuple[ReasonLine, ...]:
    """Return the lines whose amount is not 0."""
    return tuple(line for line in lines if line.amount)


class ReasonedSum(Struct, frozen=True):
    """A number with all its parts. ``total`` is the sum of ``lines``."""

    title: str
    lines: tuple[ReasonLine, ...]
    total: int


class Figure(Struct, frozen=True):
    """A figure of an answer. ``key`` is stable, ``value`` is for people."""

    key: str
    label: str
    value: str
    rule: str = ""


class Chance(Struct, frozen=True):
    """The probability of an outcome.

    ``chance`` is a fraction in lowest terms, such as "5/12". ``percent`` has one decimal place.
    """

    key: str
    label: str
    chance: str
    percent: float


class ChanceTable(Struct, frozen=True):
    """Outcomes of which exactly one happens, with their chances, which sum to 1."""

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

    ``asked`` has the values as they were understood, including defaults. ``headline`` is the answer
    in a sentence. ``outcomes`` and ``percentages`` are the chances of the main table by key.
    ``rolled`` is the result of the given dice. ``forbidden`` lists what the rules do not allow in
    the question, which is answered anyway.
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
    """Return an answer with these chances as its main table."""
    return Answer(
        headline=headline, outcomes=texts(chances), percentages=percentages(chances), **more
    )


def percent(chance: Fraction) -> float:
    """Return a chance in percent, rounded to one decimal place."""
    return round(float(chance) * 100, 1)


def in_words(chance: Fraction) -> str:
    """Return a chance as text: "5/12 (41.7%)", or "41.7%" if the fraction is too long.

    A chance is rounded to 0% or 100% only if it is impossible or certain.
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
    """Return a table of these chances in their order. The default label of a chance is its key."""
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
    """Return chances in percent, rounded to one decimal place."""
    return {key: percent(chance) for key, chance in chances.items()}
