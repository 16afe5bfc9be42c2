"""What rule systems say of right and wrong: problems, the words for things, house rules."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from msgspec import Struct

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


class Violation(Struct, frozen=True):
    """A rule that an event breaks: a stable code, a sentence, and the rule's name, so that a table may overrule it."""

    code: str
    sentence: str
    rule: str


class RulesError(ValueError):
    """The rules say no. Carries every problem at once."""

    def __init__(self, *problems: Problem) -> None:
        self.problems = problems
        super().__init__(" ".join(problem.sentence for problem in problems))


class Words(Struct, frozen=True):
    """How the rule system names things for people."""

    fighter: str
    fighters: str
    warband: str
    warbands: str
    rank: str = "Rank"
