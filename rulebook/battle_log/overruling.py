"""What the rules forbid may be overruled by the table, with a reason that stays."""

from collections.abc import Iterator
from typing import Any

from rulebook.battle_log.kinds import EventKind
from rulebook.values.problems import Problem, Violation

LEAST_REASON = 3


def reason_given(event: EventKind[Any]) -> str:
    """What somebody has written in order to overrule a rule, "" if nothing, or where a kind cannot be overruled."""
    reason: str = getattr(event, "overruled", "")
    return reason


def is_overruled(event: EventKind[Any]) -> bool:
    """Is the reason long enough to set the rules aside?"""
    given = reason_given(event)
    return bool(given) and len(given.strip()) >= LEAST_REASON


def as_problem(violation: Violation, given: str = "") -> Problem:
    """A violation as a problem, with the way out: a reason to overrule it, longer than the one that was ``given``."""
    short = f" of at least {LEAST_REASON} letters" if given else ""
    sentence = f"{violation.sentence} Correct the event, or overrule the rule with a reason{short}."
    return Problem(violation.code, sentence, field="overruled", value=given, source=violation.rule)


def nothing_to_overrule(event: EventKind[Any]) -> Iterator[Problem]:
    """The problem of a reason that nobody needs."""
    given = reason_given(event)
    if given:
        sentence = "Nothing here needs to be overruled: leave 'overruled' out."
        yield Problem("nothing-to-overrule", sentence, field="overruled", value=given)
