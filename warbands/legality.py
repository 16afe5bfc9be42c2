"""What a change makes of the legality of a roster, for services before they write and drafts before they show."""

from collections.abc import Collection

from rulebook.ruleset import Problem, Roster, RosterPurpose, Ruleset, Severity


def new_problems(
    rules: Ruleset, before: Roster, after: Roster, purpose: RosterPurpose, concerned: Collection[str] = ()
) -> tuple[Problem, ...]:
    """What would be wrong after a change and was not before, or is worse, or speaks of those ``concerned``."""
    known = {problem.code: problem for problem in rules.roster_problems(before, purpose)}
    return tuple(
        problem
        for problem in rules.roster_problems(after, purpose)
        if problem.code not in known
        or _figure(problem) > _figure(known[problem.code])
        or not set(concerned).isdisjoint(problem.fighters)
    )


def forbids(problems: Collection[Problem]) -> bool:
    """Whether one of the problems forbids, and does not only warn."""
    return any(problem.severity is Severity.FORBIDS for problem in problems)


def _figure(problem: Problem) -> int:
    return int(problem.value) if problem.value.isdecimal() else 0
