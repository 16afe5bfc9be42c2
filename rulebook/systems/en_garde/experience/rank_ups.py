"""What a veteran may become: every legal step up, what it gives, keeps, costs and does to the roster.

Rule book: "Progression"; Rulings X1, X9 to X18.
"""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

import msgspec

from rulebook.ruleset import (
    BuildData,
    Problem,
    RankUp,
    RankUpStep,
    Roster,
    RosterFighter,
    RulesError,
    Severity,
    Terms,
)
from rulebook.systems.en_garde.book import catalogue
from rulebook.systems.en_garde.experience.promotion import promoted, same_move, targets
from rulebook.systems.en_garde.experience.rank_up_picks import picks_for, too_many
from rulebook.systems.en_garde.experience.rank_up_words import gains, keeps
from rulebook.systems.en_garde.rosters.assembled_roster import AssembledRoster, assemble, member_of
from rulebook.systems.en_garde.rosters.build_forms import clean_build
from rulebook.systems.en_garde.rosters.builds import Build, from_json, to_json
from rulebook.systems.en_garde.rosters.composition import composition_problems, later
from rulebook.systems.en_garde.rosters.composition_crews import crew_problems
from rulebook.systems.en_garde.rosters.loadouts import Loadout, loadout
from rulebook.systems.en_garde.rosters.points import price
from rulebook.systems.en_garde.rosters.sheets import profile_name, sheet_of
from rulebook.systems.en_garde.rosters.terms import HouseTerms, house_terms

SOURCE = "Progression"


def rank_up_cost(build: BuildData, terms: Terms) -> int | None:
    """Experience for the next step up, None where there is none: at Rank 5, for Warhounds, and as house rules say.

    Raises RulesError if the build cannot be read.
    """
    read = from_json(build)
    return catalogue.catalogue().costs.get(loadout(read).rank) if targets(read, house_terms(terms)) else None


def rank_ups(fighter: RosterFighter, roster: Roster) -> tuple[RankUp, ...]:
    """Every legal step for a fighter, those of its own way of moving first (Ruling X10).

    Whether it can afford them is not asked. Raises RulesError if its build cannot be read.
    """
    terms = house_terms(roster.terms)
    build = from_json(fighter.build)
    steps = _steps(build, terms)
    if not steps:
        return ()
    assembled = assemble(roster)
    before = _codes(assembled)
    return tuple(_with_problems(step, fighter, assembled, before) for step in steps)


def take_rank_up(build: BuildData, terms: Terms, key: str, picks: Mapping[str, Any]) -> RankUpStep:
    """What a build becomes by the step ``key`` with these picks, which are written as a build's options are.

    Raises RulesError with every problem if there is no such step or the picks are not legal.
    """
    house = house_terms(terms)
    old = from_json(build)
    offered = targets(old, house)
    if key not in offered:
        raise RulesError(_no_such_step(key, offered))
    bare = to_json(promoted(old, key, house))
    options, others = _sorted_picks(picks)
    others = _with_known_spells(others, bare)
    new = from_json(clean_build({**bare, **others, "options": options}, terms))
    excess = tuple(too_many(new, house))
    if excess:
        raise RulesError(*excess)
    outfit = loadout(new)
    return RankUpStep(
        build=to_json(new),
        rank=outfit.rank,
        points=price(new, house).points,
        cost=catalogue.catalogue().costs[outfit.rank - 1],
        name=step_name(new, outfit),
        rule=f'Rule book: "{SOURCE}"',
    )


def step_name(build: Build, outfit: Loadout) -> str:
    """What the step leads to, for people: "Doppelsoldner", or "Servant at Rank 2" where there is no profile for it."""
    name = profile_name(build, outfit)
    return f"{name} at Rank {outfit.rank}" if build.custom and build.name else name


def _no_such_step(key: str, offered: tuple[str, ...]) -> Problem:
    if not offered:
        return Problem(code="no-rank-up", sentence="This fighter can rise no further.", field="key", value=key)
    return catalogue.unknown(offered, key, "key", "rank-up")


def _sorted_picks(picks: object) -> tuple[dict[str, Any], dict[str, Any]]:
    """Picks of option lines, and those of a build's other fields: the free choice and spells."""
    if not isinstance(picks, Mapping):
        sentence = "Picks are an object: option lines by their keys."
        raise RulesError(Problem(code="bad-picks", sentence=sentence, field="picks"))
    others = {key: picks[key] for key in ("choice", "spells") if picks.get(key)}
    if isinstance(others.get("choice"), list | tuple) and len(others["choice"]) == 1:
        others["choice"] = others["choice"][0]
    return {key: value for key, value in picks.items() if key not in ("choice", "spells")}, others


def _with_known_spells(others: dict[str, Any], bare: BuildData) -> dict[str, Any]:
    """Spells that are picked come on top of those that the fighter knows; one may stand without its list."""
    known, learned = bare.get("spells", ()), others.get("spells")
    several = [learned] if isinstance(learned, str) else learned
    if not isinstance(several, list | tuple):
        return others
    return {**others, "spells": [*known, *(key for key in several if key not in known)]}


@lru_cache(maxsize=16384)
def _steps(build: Build, terms: HouseTerms) -> tuple[RankUp, ...]:
    """The steps without what they do to a roster, those of the same way of moving first."""
    steps = [_step(build, key, terms) for key in targets(build, terms)]
    return tuple(sorted(steps, key=lambda step: not step.offered_first))


def _step(build: Build, key: str, terms: HouseTerms) -> RankUp:
    new = promoted(build, key, terms)
    before, after = loadout(build), loadout(new)
    sheet = sheet_of(new, terms)
    return RankUp(
        key=key,
        name=step_name(new, after),
        rank=after.rank,
        cost=catalogue.catalogue().costs[before.rank],
        build=to_json(new),
        sheet=sheet,
        gains=tuple(gains(before, after)),
        keeps=tuple(keeps(new, after)),
        picks=picks_for(new, terms),
        points_before=price(build, terms).points,
        points_after=sheet.points,
        offered_first=same_move(before, after),
        source=SOURCE,
    )


def _codes(assembled: AssembledRoster) -> frozenset[str]:
    return frozenset(each.code for each in _breaches(assembled))


def _breaches(assembled: AssembledRoster) -> Iterator[Problem]:
    """What a step may break: the list's lines, as hard as they bind now, and crews, which only warn."""
    yield from (later(each, assembled) for each in composition_problems(assembled))
    yield from (msgspec.structs.replace(each, severity=Severity.WARNS) for each in crew_problems(assembled))


def _with_problems(step: RankUp, fighter: RosterFighter, assembled: AssembledRoster, before: frozenset[str]) -> RankUp:
    """The step with the breaches that only it would bring about (Rulings C19, X17)."""
    riser = member_of(msgspec.structs.replace(fighter, build=step.build, promoted=True))
    members = tuple(riser if member.id == fighter.id else member for member in assembled.members)
    after = _breaches(msgspec.structs.replace(assembled, members=members))
    new = tuple(each for each in after if each.code not in before)
    return msgspec.structs.replace(step, problems=new) if new else step
