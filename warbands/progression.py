"""Which fighters may rise now, and to what: pure questions to the rules, for services and summaries alike."""

from rulebook.chronicle.states import FighterState, WarbandState, roster_fighter
from rulebook.ruleset import Problem, RankUp, RulesError, Ruleset, Severity


def next_cost(rules: Ruleset, state: WarbandState, fighter: FighterState) -> int | None:
    """What its next step costs in experience; None where there is none, as for the dead, the retired, and those whose
    build the rules cannot read."""
    try:
        return None if fighter.gone else rules.progression.rank_up_cost(fighter.build, state.terms)
    except RulesError:
        return None


def rank_ups_of(rules: Ruleset, state: WarbandState, fighter: FighterState) -> tuple[RankUp, ...]:
    """Every legal step for a fighter, whether or not it can afford it; none for the dead, the retired, and those whose
    build the rules cannot read."""
    try:
        return () if fighter.gone else rules.progression.rank_ups(roster_fighter(fighter), state.roster)
    except RulesError:
        return ()


def affordable(rules: Ruleset, state: WarbandState, fighter: FighterState) -> tuple[RankUp, ...]:
    """The steps that a fighter may take now. The rules are only asked for them if its balance pays for one."""
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
    found = {fighter.id: affordable(rules, state, fighter) for fighter in state.fighters.values()}
    return {fighter: steps for fighter, steps in found.items() if steps}
