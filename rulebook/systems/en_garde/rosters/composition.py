"""Is this roster legal? Every problem at once, each as hard as the occasion makes it; and the roster's sums.

Composition binds when a warband is built or enrolled, and for recruits; once it has fought, casualties and
promotions may break it and only warn (Ruling C19).
"""

from collections.abc import Iterable, Iterator

import msgspec

from rulebook.ruleset import PriceLine, Problem, Roster, RosterFigure, RosterPurpose, RosterTotals, Severity
from rulebook.systems.en_garde.book import catalogue
from rulebook.systems.en_garde.rosters.assembled_roster import AssembledRoster, Member, assemble
from rulebook.systems.en_garde.rosters.composition_crews import crew_problems
from rulebook.systems.en_garde.rosters.composition_fighters import fighter_problems
from rulebook.systems.en_garde.rosters.composition_limits import limit_problems
from rulebook.systems.en_garde.rosters.composition_ranks import rank_problems
from rulebook.systems.en_garde.rosters.extras import Extras, extras_problems
from rulebook.systems.en_garde.rosters.terms import is_base_hire

MORALE_TEST_SHARE = 4
"""A warband tests Morale after losing one fighter in so many (Ruling B4)."""


def roster_problems(roster: Roster, purpose: RosterPurpose) -> tuple[Problem, ...]:
    """Everything that is wrong with a roster at once; the empty tuple is legal. Raises RulesError for unknown terms."""
    assembled = assemble(roster)
    problems = (*_leader(assembled), *assembled_problems(assembled), *_points(assembled, roster.points_limit))
    if purpose is RosterPurpose.CARRY_ON:
        return _later(problems, assembled)
    if purpose is RosterPurpose.RECRUIT and not roster.games_played:
        problems = (*_too_early(assembled), *problems)
    elif purpose is RosterPurpose.RECRUIT:
        recruits = [each for each in assembled.members if each.recruited_after == roster.games_played]
        problems = (*_recruits(recruits, assembled), *_blamed(problems, recruits, assembled))
    return tuple(_graded(each, assembled) for each in problems)


def assembled_problems(assembled: AssembledRoster) -> tuple[Problem, ...]:
    """What is wrong with the fighters and purchases of a roster, whoever leads it and whatever it may cost."""
    return (
        *extras_problems(assembled.extras, assembled.army),
        *fighter_problems(assembled),
        *composition_problems(assembled),
        *crew_problems(assembled),
    )


def composition_problems(assembled: AssembledRoster) -> tuple[Problem, ...]:
    """What is wrong with the roster as a whole."""
    return (*rank_problems(assembled), *limit_problems(assembled))


SUMS = {
    "points": 'Rule book: "New warbands"; Ruling P1',
    "experience": 'Rule book: "Progression"; Ruling X1',
}
"""The rules behind the sums of a roster."""


def roster_totals(roster: Roster) -> RosterTotals:
    """Sums of a roster; the dead, the retired and the captured do not count."""
    return totals_of(assemble(roster))


def totals_of(assembled: AssembledRoster) -> RosterTotals:
    """Sums of a roster that is put together."""
    lines = tuple(_purchases(assembled.extras))
    fighters = sum(assembled.points(member) for member in assembled.members)
    return RosterTotals(
        points=fighters + sum(line.points for line in lines),
        fighters=assembled.size,
        lines=lines,
        figures=tuple(_figures(assembled)),
        sources=SUMS,
    )


def _figures(assembled: AssembledRoster) -> Iterator[RosterFigure]:
    """Morale, and the losses after which it is tested (Ruling B4)."""
    morale, losses = assembled.terms.morale, -(-assembled.size // MORALE_TEST_SHARE)
    told = f"The list and what was bought with it give a Morale of {morale}."
    yield RosterFigure("morale", "Morale", morale, told, 'Rule book: "Warband Morale"; Ruling P4', brief=True)
    if losses:
        told = f"It is tested in the turn after {losses} of {assembled.size} fall."
        source = 'Rule book: "Test morale"; Ruling B4'
        yield RosterFigure("morale_test_after", "Morale test after losing", losses, told, source)


def default_leader(roster: Roster) -> str | None:
    """The id of the fighter who leads if nobody is named: the highest Rank, then the dearest (Ruling P26)."""
    assembled = assemble(roster)
    able = [member for member in assembled.members if member.outfit.profile.leads]
    best = max(able, key=lambda member: (member.outfit.rank, assembled.points(member)), default=None)
    return best.id if best else None


def _purchases(extras: Extras) -> Iterator[PriceLine]:
    if extras.banner:
        yield PriceLine("Banner", catalogue.catalogue().calculator.banner, "Banners")
    for bought in extras.ordnance:
        gun = catalogue.gun(bought.gun)
        yield PriceLine(gun.name, gun.points, "Ordnance")


def _leader(assembled: AssembledRoster) -> Iterator[Problem]:
    leader = next((member for member in assembled.members if member.id == assembled.leader), None)
    if leader and not leader.outfit.profile.leads:
        sentence = f"{leader.name} cannot lead a warband: choose another Leader."
        yield Problem(code="leader-not-eligible", sentence=sentence, fighters=(leader.id,), source="Ruling P26")
    if leader is None and assembled.members:
        code = "leader-absent" if assembled.leader else "leader-missing"
        sentence = "No Leader is named among those present: the highest Rank leads until one is."
        yield Problem(code=code, sentence=sentence, severity=Severity.WARNS, field="leader", source="Ruling P26")


def _points(assembled: AssembledRoster, limit: int | None) -> Iterator[Problem]:
    total = totals_of(assembled).points
    if limit is not None and total > limit:
        sentence = f"The warband is worth {total} points; {limit} were agreed."
        source = 'Rule book: "Campaigns"'
        yield Problem(code="over-points-limit", sentence=sentence, field="points", value=str(total), source=source)


def _recruits(recruits: Iterable[Member], assembled: AssembledRoster) -> Iterator[Problem]:
    """Who may join after the first game: Rank 1 alone, or nobody (Rulings C16, C17)."""
    for recruit in recruits:
        if assembled.rules.recruits == "none":
            sentence = f"{recruit.name} comes too late: this campaign takes no recruits after the first game."
            yield Problem(code="no-recruits", sentence=sentence, fighters=(recruit.id,), source="Ruling C16")
        elif recruit.outfit.rank > 1:
            sentence = f"{recruit.name} has Rank {recruit.outfit.rank}: after the first game only Rank 1 may join."
            yield Problem(code="recruit-above-rank-1", sentence=sentence, fighters=(recruit.id,), source="Ruling C16")


def _blamed(problems: Iterable[Problem], recruits: list[Member], assembled: AssembledRoster) -> Iterator[Problem]:
    """The problems of a roster with recruits: what the recruits have no part in only warns (Ruling C19)."""
    joined = {member.id for member in recruits}
    veterans = tuple(member for member in assembled.members if member.id not in joined)
    before = {each.code for each in assembled_problems(msgspec.structs.replace(assembled, members=veterans))}
    for each in problems:
        guilty = joined.intersection(each.fighters) or each.code not in before
        yield each if guilty else _warning(each)


def _too_early(assembled: AssembledRoster) -> Iterator[Problem]:
    """Fighters from the calculator are recruits for later, not for the first roster (Ruling C17)."""
    for member in assembled.members:
        if is_base_hire(member.build, assembled.terms):
            sentence = f"{member.name} comes too early: the list's own fighters play the first game."
            yield Problem(code="recruit-too-early", sentence=sentence, fighters=(member.id,), source="Ruling C17")


def _later(problems: Iterable[Problem], assembled: AssembledRoster) -> tuple[Problem, ...]:
    """The problems of a roster that has fought: warnings, but for what the campaign goes on asking (Ruling C19)."""
    asked = composition_problems(assembled)
    return tuple(later(each, assembled) if each in asked else _warning(each) for each in problems)


def later(problem: Problem, assembled: AssembledRoster) -> Problem:
    """A breach of composition after the first game, as hard as the house rules make it. Rulings C19, X17."""
    rank_5 = problem.code == "too-many-rank-5"
    binds = assembled.rules.second_rank_5 if rank_5 else assembled.rules.later_composition
    return _graded(problem, assembled) if binds == "forbid" else _warning(problem)


def _warning(problem: Problem) -> Problem:
    return msgspec.structs.replace(problem, severity=Severity.WARNS)


def _graded(problem: Problem, assembled: AssembledRoster) -> Problem:
    return problem if assembled.rules.legality == "strict" else _warning(problem)
