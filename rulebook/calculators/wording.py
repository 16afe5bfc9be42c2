"""Answers put together: sums from reasons, and what the rules would not allow."""

from collections.abc import Iterable
from typing import Protocol

from rulebook.values.answers import ReasonedSum, ReasonLine
from rulebook.values.problems import Problem, Severity, Violation


class Reasoned(Protocol):
    """An amount with its reason and the heading or ruling behind it, as rule systems have them."""

    @property
    def amount(self) -> int:
        """How much is added."""
        ...

    @property
    def reason(self) -> str:
        """Why, in a few words."""
        ...

    @property
    def rule(self) -> str:
        """The heading or the ruling's id."""
        ...


def reasons(modifiers: Iterable[Reasoned]) -> tuple[ReasonLine, ...]:
    """Modifiers as lines of a sum."""
    return tuple(ReasonLine(each.amount, capitalized(each.reason), each.rule) for each in modifiers)


def reasoned(title: str, *lines: ReasonLine) -> ReasonedSum:
    """A number and what made it."""
    return ReasonedSum(title, lines, sum(line.amount for line in lines))


def capitalized(words: str) -> str:
    """Words that begin a line."""
    return words[:1].upper() + words[1:]


def violation_warnings(violations: Iterable[Violation]) -> tuple[Problem, ...]:
    """What the rules forbid, as an answer tells it."""
    return tuple(Problem(each.code, each.sentence, Severity.WARNS, source=each.rule) for each in violations)
