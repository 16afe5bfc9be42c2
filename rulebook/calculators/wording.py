"""Answers put together: chances and their tables, sums from reasons, and what the rules would not
allow."""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any, Protocol

from rulebook.dice.pools import Chances, mean
from rulebook.values.answers import Answer, ReasonedSum, ReasonLine, chance_table, chances_answer
from rulebook.values.problems import Problem, Severity, Violation

Tables = Mapping[str, tuple[str, Mapping[Any, Fraction], str]]
"""Tables of chances by their keys: the title, the chances, the rule."""
NO_TABLES: Tables = {}


class Reasoned(Protocol):
    """An amount with its reason and the heading or ruling behind it, as rule systems have them."""

    @property
    def amount(self) -> int:
        """Return how much is added."""

    @property
    def reason(self) -> str:
        """Return why, in a few words."""

    @property
    def rule(self) -> str:
        """Return the heading or the ruling's id."""


def reasons(modifiers: Iterable[Reasoned]) -> tuple[ReasonLine, ...]:
    """Modifiers as lines of a sum."""
    return tuple(ReasonLine(each.amount, capitalized(each.reason), each.rule) for each in modifiers)


def reasoned(title: str, *lines: ReasonLine) -> ReasonedSum:
    """Return a number and what made it."""
    return ReasonedSum(title, lines, sum(line.amount for line in lines))


def capitalized(words: str) -> str:
    """Words that begin a line."""
    return words[:1].upper() + words[1:]


def violation_warnings(violations: Iterable[Violation]) -> tuple[Problem, ...]:
    """Return what the rules forbid, as an answer tells it."""
    return tuple(
        Problem(each.code, each.sentence, Severity.WARNS, source=each.rule) for each in violations
    )


def with_chances(
    headline: str,
    chances: Mapping[Any, Fraction],
    labels: Any = None,
    tables: Tables = NO_TABLES,
    **more: Any,
) -> Answer:
    """Return an answer with a main table and others, each with its title and its rule; numbers
    stand there as text."""
    every = {"outcomes": ("Each result", chances, ""), **tables}
    by_text: dict[str, dict[str, Fraction]] = {}
    drawn = []
    for key, (title, distribution, rule) in every.items():
        by_text[key] = {str(outcome): chance for outcome, chance in distribution.items()}
        drawn.append(chance_table(key, title, by_text[key], labels, rule))
    return chances_answer(headline, by_text["outcomes"], tables=tuple(drawn), **more)


def average(chances: Chances) -> str:
    """Return the average of a number, to two decimals."""
    return f"{float(mean(chances)):.2f}"
