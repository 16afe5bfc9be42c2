"""Questions to the rules about a roster: new problems of a change, and the rank-ups that are
possible now."""

from collections.abc import Collection

from rulebook.chronicle.states import FighterState, WarbandState, roster_fighter
from rulebook.ruleset import Problem, RankUp, Roster, RosterPurpose, RulesError, Ruleset, Severity


def new_problems(
    rules: Ruleset,
    before: Roster,
    after: Roster,
    purpose: RosterPurpose,
    concerned: Collection[str] = (),
) -> tuple[Problem, ...]:
    """What would be wrong after a change and was not before, or is worse, or speaks of those
    ``concerned``."""
    former = {problem.code: problem for problem in rules.roster_problems(before, purpose)}
    return tuple(
        problem
        for problem in rules.roster_problems(after, purpose)
        if problem.code not in former
        or _figure(problem) > _figure(former[problem.code])
        or not set(concerned).isdisjoint(problem.fighters)
    )


def forbids(problems: Collection[Problem]) -> bool:
    """Whether one of the problems forbids, and does not only warn."""
    return any(problem.severity is Severity.FORBIDS for problem in problems)


def _figure(problem: Problem) -> int:
    return int(problem.value) if problem.value.isdecimal() else 0


def next_cost(rules: Ruleset, state: WarbandState, fighter: FighterState) -> int | None:
    """What its next step costs in experience; None where there is none, as for the dead, the
    retired, and those whose build the rules cannot read."""
    try:
        return None if fighter.gone else rules.progression.rank_up_cost(fighter.build, state.terms)
    except RulesError:
        return None


def rank_ups_of(rules: Ruleset, state: WarbandState, fighter: FighterState) -> tuple[RankUp, ...]:
    """Every legal step for a fighter, whether or not it can afford it; none for the dead, the
    retired, and those whose build the rules cannot read."""
    try:
        return (
            ()
            if fighter.gone
            else rules.progression.rank_ups(roster_fighter(fighter), state.roster)
        )
    except RulesError:
        return ()


def affordable(rules: Ruleset, state: WarbandState, fighter: FighterState) -> tuple[RankUp, ...]:
    """The steps that a fighter may take now. The rules are only asked for them if its balance pays
    for one."""
    cost = next_cost(rules, state, fighter)
    if cost is None or cost > fighter.experience:
        return ()
    steps = rank_ups_of(rules, state, fighter)
    return tuple(step for step in steps if step.cost <= fighter.experience and not forbidden(step))


def forbidden(step: RankUp) -> tuple[Problem, ...]:
    """What forbids a step because of what it would do to the roster; a house rule decides that."""
    return tuple(problem for problem in step.problems if problem.severity is Severity.FORBIDS)


def affordable_rank_ups(rules: Ruleset, state: WarbandState) -> dict[str, tuple[RankUp, ...]]:
    """The steps that each fighter may take now, by its id; fighters without any are left out."""
    affordable_steps = {
        fighter.id: affordable(rules, state, fighter) for fighter in state.fighters.values()
    }
    return {fighter: steps for fighter, steps in affordable_steps.items() if steps}
