"""Legality of a roster: every problem at once, as an error or a warning according to the occasion.

Composition binds when a warband is built or enrolled, and for recruits; once it has fought,
casualties and promotions may break it and only warn (Ruling C19).
"""

from collections.abc import Iterable, Iterator
from functools import partial

import msgspec

from rulebook.ruleset import Problem, Roster, RosterPurpose, Severity
from rulebook.systems.en_garde.book import catalogue, problem
from rulebook.systems.en_garde.rosters.assembled_roster import (
    AssembledRoster,
    Member,
    assemble,
    ids,
    named,
    totals_of,
)
from rulebook.systems.en_garde.rosters.build_problems import build_problems
from rulebook.systems.en_garde.rosters.builds import filled, is_base_hire, weapon_of
from rulebook.systems.en_garde.rosters.composition import (
    composition_problems,
    crew_problems,
    part_of,
)
from rulebook.systems.en_garde.rosters.extras import extras_problems
from rulebook.systems.en_garde.rosters.loadouts import NUMBERS, numbers_of
from rulebook.values.problems import join_names


def roster_problems(roster: Roster, purpose: RosterPurpose) -> tuple[Problem, ...]:
    """Return everything that is wrong with a roster at once; the empty tuple is legal.

    Raises RulesError for unknown terms.
    """
    assembled = assemble(roster)
    problems = (
        *_leader(assembled),
        *assembled_problems(assembled),
        *_points(assembled, roster.points_limit),
    )
    if purpose is RosterPurpose.CARRY_ON:
        # Of a roster that has fought everything only warns, but for what the campaign goes on
        # asking (Ruling C19).
        lasting = composition_problems(assembled)
        return tuple(
            later(each, assembled) if each in lasting else _warning(each) for each in problems
        )
    if purpose is RosterPurpose.RECRUIT and not roster.games_played:
        problems = (*_too_early(assembled), *problems)
    elif purpose is RosterPurpose.RECRUIT:
        recruits = [
            each for each in assembled.members if each.recruited_after == roster.games_played
        ]
        problems = (*_recruits(recruits, assembled), *_blamed(problems, recruits, assembled))
    return tuple(_graded(each, assembled) for each in problems)


def assembled_problems(assembled: AssembledRoster) -> tuple[Problem, ...]:
    """Return what is wrong with the fighters and purchases of a roster, without regard to its
    Leader and its points limit.
    """
    return (
        *extras_problems(assembled.extras, assembled.army),
        *fighter_problems(assembled),
        *composition_problems(assembled),
        *crew_problems(assembled),
    )


def _leader(assembled: AssembledRoster) -> Iterator[Problem]:
    leader = next((member for member in assembled.members if member.id == assembled.leader), None)
    if leader and not leader.outfit.profile.leads:
        yield problem("leader-not-eligible", fighters=(leader.id,), name=leader.name)
    if leader is None and assembled.members:
        yield problem("leader-absent" if assembled.leader else "leader-missing")


def _points(assembled: AssembledRoster, limit: int | None) -> Iterator[Problem]:
    total = totals_of(assembled).points
    if limit is not None and total > limit:
        yield problem("over-points-limit", value=total, limit=limit)


def _recruits(recruits: Iterable[Member], assembled: AssembledRoster) -> Iterator[Problem]:
    """Yield who may join after the first game: Rank 1 alone, or nobody (Rulings C16, C17)."""
    for recruit in recruits:
        if assembled.rules.recruits == "none":
            yield problem("no-recruits", fighters=(recruit.id,), name=recruit.name)
        elif recruit.outfit.rank > 1:
            name, rank = recruit.name, recruit.outfit.rank
            yield problem("recruit-above-rank-1", fighters=(recruit.id,), name=name, rank=rank)


def _blamed(
    problems: Iterable[Problem], recruits: list[Member], assembled: AssembledRoster
) -> Iterator[Problem]:
    """Yield the problems of a roster with recruits: what the recruits have no part in only warns
    (Ruling C19)."""
    joined = {member.id for member in recruits}
    veterans = tuple(member for member in assembled.members if member.id not in joined)
    before = {
        each.code
        for each in assembled_problems(msgspec.structs.replace(assembled, members=veterans))
    }
    for each in problems:
        guilty = joined.intersection(each.fighters) or each.code not in before
        yield each if guilty else _warning(each)


def _too_early(assembled: AssembledRoster) -> Iterator[Problem]:
    """Yield the problem of fighters from the calculator in a first roster: they are recruits for
    later."""
    for member in assembled.members:
        if is_base_hire(member.build, assembled.terms):
            yield problem("recruit-too-early", fighters=(member.id,), name=member.name)


def later(breach: Problem, assembled: AssembledRoster) -> Problem:
    """Return a breach of composition after the first game, as hard as the house rules make it.

    Rulings C19, X17.
    """
    rank_5 = breach.code == "too-many-rank-5"
    binds = assembled.rules.second_rank_5 if rank_5 else assembled.rules.later_composition
    return _graded(breach, assembled) if binds == "forbid" else _warning(breach)


def _warning(problem: Problem) -> Problem:
    return msgspec.structs.replace(problem, severity=Severity.WARNS)


def _graded(problem: Problem, assembled: AssembledRoster) -> Problem:
    return problem if assembled.rules.legality == "strict" else _warning(problem)


def fighter_problems(roster: AssembledRoster) -> Iterator[Problem]:
    """Yield everything about fighters one by one, and the custom ones' own limits."""
    yield from roster.unreadable
    for member in roster.members:
        yield from named(member.id, member.name, build_problems(member.build, roster.terms))
        if member.build.promoted and not member.promoted:
            yield problem("unearned-rank", fighters=(member.id,), name=member.name)
        yield from _clumsy(member)
        yield from _without_weapon(member)
        if member.build.custom:
            yield from _beyond_base(member, roster)
    yield from _rank_2_attributes(roster)


def _clumsy(member: Member) -> Iterator[Problem]:
    """Yield things that may be owned together but not used together (Ruling P15)."""
    outfit, arms = member.outfit, catalogue.catalogue().arms
    two_handed = [
        key
        for key in outfit.equipment
        if key in arms.close_combat and arms.close_combat[key].hands == "two"
    ]
    odd = partial(problem, fighters=(member.id,), name=member.name)
    for key in two_handed:
        if outfit.mounted:
            yield odd("two-handed-mounted", weapon=catalogue.item_name(key).lower())
        if outfit.gear & arms.shields.keys():
            yield odd("two-handed-with-shield", weapon=catalogue.item_name(key).lower())
    for key in outfit.gear if outfit.mounted else ():
        if key in arms.missiles and arms.missiles[key].never_mounted:
            yield odd("never-mounted", weapon=catalogue.item_name(key).lower())


def _without_weapon(member: Member) -> Iterator[Problem]:
    for key in member.outfit.attributes:
        weapon = weapon_of(key)
        if weapon and not member.outfit.carries(weapon) and not _includes(member, weapon):
            attribute = catalogue.attribute_name(key)
            yield problem(
                "attribute-without-weapon",
                fighters=(member.id,),
                name=member.name,
                attribute=attribute,
            )


def _includes(member: Member, weapon: str) -> bool:
    """Return whether another thing it carries is that weapon too: a pistol strikes, a magic staff
    is a staff."""
    arms = catalogue.catalogue().arms
    comes_with = arms.close_combat[weapon].comes_with if weapon in arms.close_combat else ""
    magic = (
        arms.magic_items[key].as_weapon for key in member.outfit.gear if key in arms.magic_items
    )
    return bool(comes_with and member.outfit.carries(comes_with)) or weapon in magic


def _beyond_base(member: Member, roster: AssembledRoster) -> Iterator[Problem]:
    """Yield the warning of a custom fighter better than its Rank's base profile: a legend, or a
    slip (Ruling P29)."""
    severity = Severity.FORBIDS if roster.rules.strict_characteristics else Severity.WARNS
    base = catalogue.base_profile(member.outfit.rank)
    above = partial(
        problem, fighters=(member.id,), severity=severity, name=member.name, rank=base.rank
    )
    chosen = filled(member.build.characteristics, numbers_of(base))
    higher = [key for key in NUMBERS if chosen[key] > getattr(base, key)]
    if higher:
        yield above(
            "above-base-profile", numbers=join_names(key.replace("_", " ") for key in higher)
        )
    attributes = member.build.picks("attributes")
    if len(attributes) > base.attributes:
        yield above("more-attributes-than-base", have=len(attributes), most=base.attributes)


def _rank_2_attributes(roster: AssembledRoster) -> Iterator[Problem]:
    """Yield the problem of Rank 2: at most half of its custom fighters have chosen an Attribute."""
    for base in catalogue.catalogue().base_profiles.values():
        same = [
            each for each in roster.members if each.build.custom and each.outfit.rank == base.rank
        ]
        gifted = [member for member in same if member.build.picks("attributes")]
        most = part_of(len(same), base.attributes_share or (1, 1))
        if len(gifted) > most:
            yield problem(
                "too-many-gifted", fighters=ids(gifted), most=most, of=len(same), rank=base.rank
            )
