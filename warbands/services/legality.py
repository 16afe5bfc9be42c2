"""What the rules say of a roster that is about to change."""

from collections.abc import Collection, Iterable

from rulebook.ruleset import Problem, Roster, RosterPurpose, Ruleset, Severity
from warbands.errors import Refused


def new_problems(
    rules: Ruleset, before: Roster, after: Roster, purpose: RosterPurpose, concerned: Collection[str] = ()
) -> tuple[Problem, ...]:
    """What would be wrong after a change and was not before, or is worse, or speaks of those ``concerned``."""
    known = {problem.code: problem for problem in rules.roster_problems(before, purpose)}
    return tuple(
        problem
        for problem in rules.roster_problems(after, purpose)
        if _is_new(problem, known.get(problem.code)) or not set(concerned).isdisjoint(problem.fighters)
    )


def illegal_roster(problems: Iterable[Problem]) -> Refused:
    """The refusal "illegal-roster" of a change, with every problem that it would bring."""
    problems = tuple(problems)
    worst = next(problem for problem in problems if problem.severity is Severity.FORBIDS)
    return Refused(
        "illegal-roster", f"{worst.sentence} An organiser may overrule this with a reason.", problems=problems
    )


def _is_new(problem: Problem, known: Problem | None) -> bool:
    return known is None or _figure(problem) > _figure(known)


def _figure(problem: Problem) -> int:
    return int(problem.value) if problem.value.isdecimal() else 0
