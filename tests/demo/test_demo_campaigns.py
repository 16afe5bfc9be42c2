"""The campaigns of the other rule systems: legal rosters, names enough, and battles that their
referees end."""

from random import Random

import pytest

from rulebook.registry import RULESETS, newest_ruleset
from rulebook.ruleset import (
    BattleSetup,
    CampaignTerms,
    FieldedFighter,
    FieldedSide,
    Roster,
    RosterFighter,
    RosterPurpose,
)
from scripts.demo.campaigns import DATA, REFEREES, ArmyPlan, CampaignPlan, campaign_plan
from scripts.demo.names import name_lists
from scripts.demo.plans import warband_plans
from tests.rulebook.conformance import check_battle

BATTLES = 4
"""The minimum number of battles in a campaign, the same for each rule system."""


def roster(ruleset: str, plan: CampaignPlan, army: ArmyPlan) -> Roster:
    """Return a planned army as a roster of the rules."""
    rules, bare = newest_ruleset(ruleset), CampaignTerms(army.faction, {}, plan.house_rules)
    terms = CampaignTerms(army.faction, rules.clean_extras(army.extras, bare), plan.house_rules)
    builds = [
        rules.clean_build(line.build, terms) for line in army.fighter for _ in range(line.count)
    ]
    fighters = tuple(
        RosterFighter(f"{army.name} {place}", f"f{place}", build)
        for place, build in enumerate(builds)
    )
    lines = [line for line in army.fighter for _ in range(line.count)]
    posts: dict[str, tuple[str, ...]] = {}
    for line, fighter in zip(lines, fighters, strict=True):
        for post in line.posts:
            posts.setdefault(post, (fighter.id,))
    return Roster(terms, fighters, posts, plan.terms.get("points", 0))


def held(roster: Roster, fighter: str) -> tuple[str, ...]:
    """Return the posts that a fighter fills."""
    return tuple(post for post, holders in roster.posts.items() if fighter in holders)


def setup(ruleset: str) -> BattleSetup:
    """Return the first battle of a campaign with everybody in the line-up."""
    rules, plan = newest_ruleset(ruleset), campaign_plan(ruleset)
    sides = []
    for key, army, role in zip("ab", plan.army, plan.battle[0].roles, strict=True):
        army_roster = roster(ruleset, plan, army)
        facts = [
            rules.fighter_facts(each.build, army_roster.terms) for each in army_roster.fighters
        ]
        fielded = tuple(
            FieldedFighter(
                each.id,
                each.name,
                each.build,
                fighter_facts.rank,
                fighter_facts.points,
                tuple(post for post, who in army_roster.posts.items() if each.id in who),
            )
            for each, fighter_facts in zip(army_roster.fighters, facts, strict=True)
        )
        sides.append(
            FieldedSide(key, army.name, role, army.faction, fielded, army_roster.terms.extras)
        )
    return BattleSetup(plan.battle[0].scenario, tuple(sides), plan.house_rules)


def test_each_rulebook_system_has_own_campaign():
    """Another rule system may have one too: without a plan and a referee it is not in the
    demonstration."""
    assert {"argad", "wards", "avant-garde"} <= set(REFEREES) <= set(RULESETS)
    assert {path.stem for path in DATA.glob("*.toml")} & set(RULESETS) == set(REFEREES)


@pytest.mark.parametrize("ruleset", REFEREES)
def test_both_armies_are_legal_and_belong_to_players_with_an_account(ruleset):
    plan, accounts = (
        campaign_plan(ruleset),
        {each.player for each in warband_plans() if each.account},
    )
    for army in plan.army:
        problems = newest_ruleset(ruleset).roster_problems(
            roster(ruleset, plan, army), RosterPurpose.ENROL
        )
        assert problems == ()
        assert army.player in accounts
    assert len({army.player for army in plan.army}) == 2


@pytest.mark.parametrize("ruleset", REFEREES)
def test_there_are_battles_and_names_enough(ruleset):
    plan = campaign_plan(ruleset)
    assert len(plan.battle) >= BATTLES
    for army in plan.army:
        lists = [line.names or army.names for line in army.fighter for _ in range(line.count)]
        for source in set(lists):
            names = name_lists()[source]
            assert len(names["given"]) * len(names.get("family", [""])) >= len(lists)


@pytest.mark.soak(
    "battles of the demonstration's campaigns, refereed twice and replayed", each=1, sample=3
)
@pytest.mark.parametrize("seed", range(100))
@pytest.mark.parametrize("ruleset", REFEREES)
def test_the_referee_plays_a_battle_to_its_end_by_the_rules(ruleset, seed):
    fixed = setup(ruleset)
    events = REFEREES[ruleset].battle(fixed, Random(seed))
    assert events == REFEREES[ruleset].battle(fixed, Random(seed))
    check_battle(newest_ruleset(ruleset), fixed, events)
