"""Is this roster legal? Every problem at once, each as hard as the occasion makes it; and the roster's sums.

Composition binds when a warband is built or enrolled, and for recruits; once it has fought, casualties and
promotions may break it and only warn (Ruling C19).
"""

from collections.abc import Iterable, Iterator

import msgspec

from rulebook.ruleset import PriceLine, Problem, Roster, RosterPurpose, RosterTotals, Severity
from rulebook.systems.en_garde.book import catalogue
from rulebook.systems.en_garde.rosters.composition_crews import crew_problems
from rulebook.systems.en_garde.rosters.composition_fighters import fighter_problems
from rulebook.systems.en_garde.rosters.composition_limits import limit_problems
from rulebook.systems.en_garde.rosters.composition_ranks import rank_problems
from rulebook.systems.en_garde.rosters.extras import Extras, extras_problems
from rulebook.systems.en_garde.rosters.muster import Member, Muster, muster_of
from rulebook.systems.en_garde.rosters.terms import is_base_hire

MORALE_TEST_SHARE = 4
"""A warband tests Morale after losing one fighter in so many (Ruling B4)."""


def roster_problems(roster: Roster, purpose: RosterPurpose) -> tuple[Problem, ...]:
    """Everything that is wrong with a roster at once; the empty tuple is legal. Raises RulesError for unknown terms."""
    muster = muster_of(roster)
    problems = (*_leader(roster, muster), *muster_problems(muster), *_points(muster, roster.points_limit))
    if purpose is RosterPurpose.CARRY_ON:
        return _later(problems, muster)
    if purpose is RosterPurpose.RECRUIT and not roster.games_played:
        problems = (*_too_early(muster), *problems)
    elif purpose is RosterPurpose.RECRUIT:
        recruits = [each for each in muster.members if each.recruited_after == roster.games_played]
        problems = (*_recruits(recruits, muster), *_blamed(problems, recruits, muster))
    return tuple(_weighed(each, muster) for each in problems)


def muster_problems(muster: Muster) -> tuple[Problem, ...]:
    """What is wrong with the fighters and purchases of a roster, whoever leads it and whatever it may cost."""
    return (
        *extras_problems(muster.extras, muster.army),
        *fighter_problems(muster),
        *composition_problems(muster),
        *crew_problems(muster),
    )


def composition_problems(muster: Muster) -> tuple[Problem, ...]:
    """What is wrong with the roster as a whole."""
    return (*rank_problems(muster), *limit_problems(muster))


SUMS = {
    "points": 'Rule book: "New warbands"; Ruling P1',
    "morale": 'Rule book: "Warband Morale"; Ruling P4',
    "morale_test_after": 'Rule book: "Test morale"; Ruling B4',
    "experience": 'Rule book: "Progression"; Ruling X1',
}
"""The rules behind the sums of a roster."""


def roster_totals(roster: Roster) -> RosterTotals:
    """Sums of a roster; the dead, the retired and the captured do not count. Morale test by Ruling B4."""
    return totals_of(muster_of(roster))


def totals_of(muster: Muster) -> RosterTotals:
    """Sums of a roster that is put together."""
    lines = tuple(_purchases(muster.extras))
    fighters = sum(muster.points(member) for member in muster.members)
    return RosterTotals(
        points=fighters + sum(line.points for line in lines),
        fighters=muster.size,
        lines=lines,
        morale=muster.terms.morale,
        morale_test_after=-(-muster.size // MORALE_TEST_SHARE) or None,
        sources=SUMS,
    )


def default_leader(roster: Roster) -> str | None:
    """The id of the fighter who leads if nobody is named: the highest Rank, then the dearest (Ruling P26)."""
    muster = muster_of(roster)
    able = [member for member in muster.members if member.outfit.profile.leads]
    best = max(able, key=lambda member: (member.outfit.rank, muster.points(member)), default=None)
    return best.id if best else None


def _purchases(extras: Extras) -> Iterator[PriceLine]:
    if extras.banner:
        yield PriceLine("Banner", catalogue.catalogue().calculator.banner, "Banners")
    for bought in extras.ordnance:
        gun = catalogue.gun(bought.gun)
        yield PriceLine(gun.name, gun.points, "Ordnance")


def _leader(roster: Roster, muster: Muster) -> Iterator[Problem]:
    leader = next((member for member in muster.members if member.id == roster.leader), None)
    if leader and not leader.outfit.profile.leads:
        sentence = f"{leader.name} cannot lead a warband: choose another Leader."
        yield Problem(code="leader-not-eligible", sentence=sentence, fighters=(leader.id,), source="Ruling P26")
    if leader is None and muster.members:
        code = "leader-absent" if roster.leader else "leader-missing"
        sentence = "No Leader is named among those present: the highest Rank leads until one is."
        yield Problem(code=code, sentence=sentence, severity=Severity.WARNS, field="leader", source="Ruling P26")


def _points(muster: Muster, limit: int | None) -> Iterator[Problem]:
    total = totals_of(muster).points
    if limit is not None and total > limit:
        sentence = f"The warband is worth {total} points; {limit} were agreed."
        source = 'Rule book: "Campaigns"'
        yield Problem(code="over-points-limit", sentence=sentence, field="points", value=str(total), source=source)


def _recruits(recruits: Iterable[Member], muster: Muster) -> Iterator[Problem]:
    """Who may join after the first game: Rank 1 alone, or nobody (Rulings C16, C17)."""
    for recruit in recruits:
        if muster.rules.recruits == "none":
            sentence = f"{recruit.name} comes too late: this campaign takes no recruits after the first game."
            yield Problem(code="no-recruits", sentence=sentence, fighters=(recruit.id,), source="Ruling C16")
        elif recruit.outfit.rank > 1:
            sentence = f"{recruit.name} has Rank {recruit.outfit.rank}: after the first game only Rank 1 may join."
            yield Problem(code="recruit-above-rank-1", sentence=sentence, fighters=(recruit.id,), source="Ruling C16")


def _blamed(problems: Iterable[Problem], recruits: list[Member], muster: Muster) -> Iterator[Problem]:
    """The problems of a roster with recruits: what the recruits have no part in only warns (Ruling C19)."""
    joined = {member.id for member in recruits}
    veterans = tuple(member for member in muster.members if member.id not in joined)
    before = {each.code for each in muster_problems(msgspec.structs.replace(muster, members=veterans))}
    for each in problems:
        guilty = joined.intersection(each.fighters) or each.code not in before
        yield each if guilty else _warning(each)


def _too_early(muster: Muster) -> Iterator[Problem]:
    """Fighters from the calculator are recruits for later, not for the first roster (Ruling C17)."""
    for member in muster.members:
        if is_base_hire(member.build, muster.terms):
            sentence = f"{member.name} comes too early: the list's own fighters play the first game."
            yield Problem(code="recruit-too-early", sentence=sentence, fighters=(member.id,), source="Ruling C17")


def _later(problems: Iterable[Problem], muster: Muster) -> tuple[Problem, ...]:
    """The problems of a roster that has fought: warnings, but for what the campaign goes on asking (Ruling C19)."""
    asked = composition_problems(muster)
    return tuple(later(each, muster) if each in asked else _warning(each) for each in problems)


def later(problem: Problem, muster: Muster) -> Problem:
    """A breach of composition after the first game, as hard as the house rules make it. Rulings C19, X17."""
    rank_5 = problem.code == "too-many-rank-5"
    binds = muster.rules.second_rank_5 if rank_5 else muster.rules.later_composition
    return _weighed(problem, muster) if binds == "forbid" else _warning(problem)


def _warning(problem: Problem) -> Problem:
    return msgspec.structs.replace(problem, severity=Severity.WARNS)


def _weighed(problem: Problem, muster: Muster) -> Problem:
    return problem if muster.rules.legality == "strict" else _warning(problem)
