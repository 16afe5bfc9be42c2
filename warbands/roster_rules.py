"""Questions to the rules about a roster: new problems of a change, and possible rank-ups."""

from collections.abc import Collection, Iterator

from rulebook.chronicle.facts import Arranged
from rulebook.chronicle.states import FighterState, WarbandState, roster_fighter
from rulebook.ruleset import Problem, RankUp, Roster, RosterPurpose, RulesError, Ruleset, Severity


def rank_order(before: WarbandState, after: WarbandState) -> Iterator[Arranged]:
    """Yield a fact that orders a roster by rank after a change, if it was in that order before.

    A player's own order stays: nothing is yielded for a roster that was not ordered by rank.
    """
    ranks = [each.rank for each in before.fighters.values() if not each.gone]
    fighters = [each for each in after.fighters.values() if not each.gone]
    ordered = sorted(fighters, key=lambda each: -each.rank)
    if ranks == sorted(ranks, reverse=True) and ordered != fighters:
        yield Arranged(order=tuple(each.id for each in ordered))


def new_problems(
    rules: Ruleset,
    before: Roster,
    after: Roster,
    purpose: RosterPurpose,
    concerned: Collection[str] = (),
) -> tuple[Problem, ...]:
    """Return the problems after a change that are new, worse, or about fighters ``concerned``."""
    former = {problem.code: problem for problem in rules.roster_problems(before, purpose)}
    return tuple(
        problem
        for problem in rules.roster_problems(after, purpose)
        if problem.code not in former
        or _figure(problem) > _figure(former[problem.code])
        or not set(concerned).isdisjoint(problem.fighters)
    )


def forbids(problems: Collection[Problem]) -> bool:
    """Return whether one of the problems forbids, instead of only warning."""
    return any(problem.severity is Severity.FORBIDS for problem in problems)


def _figure(problem: Problem) -> int:
    return int(problem.value) if problem.value.isdecimal() else 0


def next_cost(rules: Ruleset, state: WarbandState, fighter: FighterState) -> int | None:
    """Return the XP cost of a fighter's next step.

    None if there is no step: for dead and retired fighters, and if the rules cannot read the build.
    """
    try:
        return None if fighter.gone else rules.progression.rank_up_cost(fighter.build, state.terms)
    except RulesError:
        return None


def rank_ups_of(rules: Ruleset, state: WarbandState, fighter: FighterState) -> tuple[RankUp, ...]:
    """Return every legal step for a fighter, even if it cannot afford it.

    Empty for dead and retired fighters, and if the rules cannot read the build.
    """
    try:
        return (
            ()
            if fighter.gone
            else rules.progression.rank_ups(roster_fighter(fighter), state.roster)
        )
    except RulesError:
        return ()


def affordable(rules: Ruleset, state: WarbandState, fighter: FighterState) -> tuple[RankUp, ...]:
    """Return the steps that a fighter can take now.

    The rules are asked for steps only if its experience pays for one.
    """
    cost = next_cost(rules, state, fighter)
    if cost is None or cost > fighter.experience:
        return ()
    steps = rank_ups_of(rules, state, fighter)
    return tuple(step for step in steps if step.cost <= fighter.experience and not forbidden(step))


def forbidden(step: RankUp) -> tuple[Problem, ...]:
    """Return the problems that forbid a step because of its effect on the roster.

    House rules decide whether such problems forbid.
    """
    return tuple(problem for problem in step.problems if problem.severity is Severity.FORBIDS)


def affordable_rank_ups(rules: Ruleset, state: WarbandState) -> dict[str, tuple[RankUp, ...]]:
    """Return the steps that each fighter can take now, by its id.

    Fighters without steps are left out.
    """
    affordable_steps = {
        fighter.id: affordable(rules, state, fighter) for fighter in state.fighters.values()
    }
    return {fighter: steps for fighter, steps in affordable_steps.items() if steps}
