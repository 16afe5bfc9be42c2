"""The points of the forces of a battle, and the limits and ratios that they must keep."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from msgspec.structs import replace

from rulebook.battle_log.sides import sides_problems
from rulebook.ruleset import (
    BattleSetup,
    CampaignTerms,
    FieldedSide,
    Problem,
    RosterFighter,
    Settings,
    Severity,
)
from rulebook.systems.en_garde.book import problem
from rulebook.systems.en_garde.book.catalogue import catalogue, gun
from rulebook.systems.en_garde.book.house_rules import HOUSE_RULES, settled
from rulebook.systems.en_garde.book.scenarios import ScenarioFacts, find_scenario
from rulebook.systems.en_garde.rosters.assembled_roster import (
    BANNER,
    LEADER,
    AssembledRoster,
    member_of,
)
from rulebook.systems.en_garde.rosters.builds import from_json, house_terms
from rulebook.systems.en_garde.rosters.composition import (
    crew_problems,
    handler_problems,
    most_of_rank_5,
)
from rulebook.systems.en_garde.rosters.extras import read_extras
from rulebook.systems.en_garde.rosters.loadouts import loadout

UNEVEN = Fraction(1, 10)
"""The distance from the scenario's ratio from which Muster warns."""


def force_points(side: FieldedSide) -> int:
    """Return what a side's fighters, banner and guns cost, in points.

    Raises RulesError if its purchases make no sense.
    """
    bought = read_extras(side.extras)
    banner = catalogue().calculator.banner if bought.banner else 0
    guns = sum(gun(each.gun).points for each in bought.ordnance)
    return sum(fighter.points for fighter in side.fighters) + banner + guns


def role_limit(scenario: ScenarioFacts, role: str, agreed: int) -> int:
    """Return the points that a role may field when so many are agreed, rounded down. Ruling P31."""
    scenario_role = scenario.role(role)
    numerator, denominator = (1, 1) if scenario_role is None else scenario_role.force
    return agreed * numerator // denominator


def battle_limit(agreed: int, settings: Settings) -> int | None:
    """Return the points limit of every battle of a campaign: the agreed points by house rule, else
    None.

    Ruling C18.
    """
    return agreed if settled(settings).game_limit == "agreed" else None


def civilians_in(setup: BattleSetup) -> int:
    """Return how many Civilians take part: what the set-up says, else what the scenario gives.

    Ruling S10.
    """
    civilians = find_scenario(setup.scenario).civilians
    if civilians is None:
        return 0
    number = setup.set_up.get("civilians")
    if isinstance(number, int) and not isinstance(number, bool) and number >= 0:
        return number
    if civilians.points_each is None:
        return civilians.number
    return sum(
        civilians.number_for(force_points(side))
        for side in setup.sides
        if side.role == civilians.role
    )


def bystanders(setup: BattleSetup) -> tuple[tuple[str, str], ...]:
    """Return the Civilians of a battle, as its log names them, each with its name for people."""
    return tuple(
        (f"civilian-{number}", f"Civilian {number}") for number in range(1, civilians_in(setup) + 1)
    )


def force_problems(setup: BattleSetup) -> tuple[Problem, ...]:
    """Return everything that is wrong with the forces of a battle before it starts; the empty tuple
    is good.

    Unequal forces only ever warn (Ruling S1). Raises RulesError for an unknown scenario, a wrong
    house rule, or a build that cannot be read.
    """
    HOUSE_RULES.complete(setup.settings)
    scenario = find_scenario(setup.scenario)
    problems = [*sides_problems(setup, scenario)]
    for side in setup.sides:
        problems += _leaders(side)
        problems += _bearers(side)
        terms = house_terms(CampaignTerms(side.faction, side.extras, setup.settings))
        members = tuple(
            member_of(RosterFighter(each.id, each.name, each.build)) for each in side.fighters
        )
        roster = AssembledRoster(members, terms, terms.army, read_extras(side.extras))
        # What the force cannot use: guns without a crew, hounds without handlers (Ruling C3).
        for unused in (*crew_problems(roster), *handler_problems(roster)):
            problems.append(
                replace(unused, sentence=f"{side.name}: {unused.sentence}", severity=Severity.WARNS)
            )
        problems += _legends(setup, side, roster)
        problems += _limit(setup, scenario, side)
    return (*problems, *_ratio(setup, scenario))


def _leaders(side: FieldedSide) -> Iterator[Problem]:
    if not side.fighters:
        yield problem("empty-side", value=side.key, name=side.name)
        return
    leaders = [fighter for fighter in side.fighters if fighter.fills(LEADER)]
    if len(leaders) != 1:
        named = tuple(fighter.id for fighter in leaders)
        yield problem("leader-needed", fighters=named, name=side.name, have=len(leaders) or "none")
    for fighter in leaders:
        if not loadout(from_json(fighter.build)).profile.leads:
            yield problem("cannot-lead", fighters=(fighter.id,), name=fighter.name)


def _bearers(side: FieldedSide) -> Iterator[Problem]:
    bearers = tuple(each.id for each in side.fighters if each.fills(BANNER))
    bought = read_extras(side.extras).banner
    if len(bearers) > 1:
        yield problem("one-banner", fighters=bearers, name=side.name, have=len(bearers))
    elif bearers and not bought:
        yield problem("no-banner-to-bear", fighters=bearers, name=side.name)
    elif bought and not bearers and side.fighters:
        yield problem("bearer-missing", name=side.name)


def _legends(setup: BattleSetup, side: FieldedSide, roster: AssembledRoster) -> Iterator[Problem]:
    """Yield the problem of more than one Rank 5 a side, unless a list or warband type sets such a
    limit."""
    legends = tuple(fighter for fighter in side.fighters if fighter.rank >= 5)
    if len(legends) > 1 and most_of_rank_5(roster) is not None:
        details: dict[str, Any] = {
            "name": side.name,
            "have": len(legends),
            "names": ", ".join(legend.name for legend in legends),
        }
        ids = tuple(legend.id for legend in legends)
        yield problem("one-rank-5", severity=_severity(setup, exact=True), fighters=ids, **details)


def _limit(setup: BattleSetup, scenario: ScenarioFacts, side: FieldedSide) -> Iterator[Problem]:
    if setup.points_limit is None:
        return
    limit = role_limit(scenario, side.role, setup.points_limit)
    points = force_points(side)
    if points > limit:
        severity = _severity(setup, exact=limit == setup.points_limit)
        yield problem(
            "over-the-limit", severity=severity, value=points, name=side.name, limit=limit
        )


def _severity(setup: BattleSetup, *, exact: bool) -> Severity:
    """Return the severity of a limit. A limit that follows from the other side's only warns; the
    agreed limit can forbid."""
    strict = exact and settled(setup.settings).legality == "strict"
    return Severity.FORBIDS if strict else Severity.WARNS


def _ratio(setup: BattleSetup, scenario: ScenarioFacts) -> Iterator[Problem]:
    """Yield a warning where the forces are far from the scenario's ratio, once all have one:
    expected and real."""
    roles = [scenario.role(side.role) for side in setup.sides]
    forces = [Fraction(*role.force) if role else Fraction(1) for role in roles]
    points = [force_points(side) for side in setup.sides]
    shares = [brought / force for brought, force in zip(points, forces, strict=True)]
    if len(shares) < 2 or not all(points) or min(shares) >= max(shares) * (1 - UNEVEN):
        return
    # The ratio in whole numbers: "3 to 2", not "1 to 2/3".
    whole = max(role.force[1] for role in scenario.roles)
    expected = " to ".join(f"{force * whole}" for force in forces)
    actual = " to ".join(map(str, points))
    names = ", ".join(side.name for side in setup.sides)
    yield problem("uneven-forces", name=scenario.name, wanted=expected, names=names, actual=actual)
