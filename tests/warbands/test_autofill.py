"""Auto-fill: in every rule system a roster that the rules accept and that can be fielded."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from rulebook.chronicle.states import WarbandState
from rulebook.registry import newest_ruleset, rulesets
from rulebook.ruleset import (
    BattleSetup,
    BuildData,
    CampaignTerms,
    FieldedFighter,
    FieldedSide,
    Roster,
    RosterFighter,
    RosterPurpose,
    Ruleset,
)
from rulebook.systems.en_garde.book.catalogue import catalogue
from tests.soak import made_up
from warbands.drafts.autofill import Fill, can_fill, fill
from warbands.roster_rules import new_problems
from warbands.selectors.offered import builds_on_offer

LISTS = [
    pytest.param(rules, faction["key"], id=f"{rules.key}/{faction['key']}")
    for rules in rulesets()
    for faction in rules.catalogue({})["factions"]
]
EN_GARDE, WARDS, AVANT_GARDE = map(newest_ruleset, ("en-garde", "wards", "avant-garde"))
NO_MIX_FOR = {"three-musketeers"}
"""Lists of heroes and their servants, who are soon all there."""
ARMS = catalogue().arms
WEAPONS = {weapon.name for weapon in (*ARMS.close_combat.values(), *ARMS.missiles.values())}
UNARMED = {"conquistadors/warhound"}
"""Profiles of animals, for which the rulebook has no weapon."""
LIMITS = {"en-garde": (150, 300), "avant-garde": (500, 2000), "wards": (6, 12), "argad": (5, 12)}


def offered(rules: Ruleset, faction: str) -> tuple[list[BuildData], list[BuildData]]:
    """Return the bare builds of a list, and its builds with unusual equipment."""
    state = WarbandState(ruleset=rules.key, edition=rules.edition, faction=faction)
    builds = builds_on_offer(rules, state).values()
    usual, unusual = (
        [each.build for each in builds if each.usual is usual] for usual in (True, False)
    )
    return usual, unusual


def filled(
    rules: Ruleset, faction: str, limit: int, present: Sequence[BuildData] = ()
) -> tuple[Roster, Roster]:
    """Return a roster of these builds, and the same one after Auto-fill."""
    terms = CampaignTerms(faction)
    fighters = tuple(
        RosterFighter(f"old-{place}", f"Old {place}", rules.clean_build(build, terms))
        for place, build in enumerate(present)
    )
    points = limit if rules.points.counted else None
    roster = Roster(terms, fighters, {}, points_limit=points)
    usual, unusual = offered(rules, faction)
    added = fill(rules, roster, usual, RosterPurpose.BUILD, unusual, limit=limit)
    joined = (*roster.fighters, *added.fighters)
    return roster, replace(roster, fighters=joined, posts=added.posts)


def fielded(rules: Ruleset, roster: Roster, key: str) -> FieldedSide:
    """Return a side whose line-up is the whole roster."""
    fighters = []
    for each in roster.fighters:
        facts = rules.fighter_facts(each.build, roster.terms)
        held = tuple(post for post, holders in roster.posts.items() if each.id in holders)
        fighters.append(
            FieldedFighter(
                f"{key}-{each.id}", each.name, each.build, facts.rank, facts.points, held
            )
        )
    role = rules.scenarios()[0].roles[0].key
    return FieldedSide(key, key.upper(), role, roster.terms.faction, tuple(fighters))


@pytest.mark.parametrize(("rules", "faction"), LISTS)
@pytest.mark.parametrize("size", [0, 1])
def test_autofill_makes_rosters_without_problems(rules: Ruleset, faction: str, size: int) -> None:
    limit = LIMITS[rules.key][size]
    _, full = filled(rules, faction, limit)
    assert rules.roster_problems(full, RosterPurpose.BUILD) == ()
    totals = rules.roster_totals(full)
    if not rules.points.counted:
        assert totals.fighters == limit
    elif faction not in NO_MIX_FOR:
        assert limit * 0.8 <= totals.points <= limit
    needed = {post.key for post in rules.posts(full.terms) if post.open and post.least}
    assert needed <= full.posts.keys()
    sides = tuple(fielded(rules, full, key) for key in "ab")
    setup = BattleSetup(rules.scenarios()[0].key, sides)
    assert rules.force_problems(setup) == ()


@pytest.mark.parametrize(("rules", "faction"), LISTS)
def test_autofill_of_any_limit_has_no_problem(rules: Ruleset, faction: str) -> None:
    most = 1500 if rules.points.counted else 25
    usual, _ = offered(rules, faction)

    @made_up("rosters made by Auto-fill of any limit and beginning", 1000, sample=4, deadline=None)
    @given(st.integers(1, most), st.lists(st.sampled_from(usual), max_size=5))
    def holds(limit: int, present: list[BuildData]) -> None:
        before, after = filled(rules, faction, limit, present)
        added = len(after.fighters) - len(before.fighters)
        # The fighters of the beginning may be illegal; nothing gets worse.
        new = new_problems(rules, before, after, RosterPurpose.BUILD)
        assert not [each for each in new if added]
        if added and rules.points.counted:
            assert rules.roster_totals(after).points <= limit
            assert len(after.fighters) <= rules.largest_fill()
        elif added:
            assert len(after.fighters) <= limit
        if not present and added:
            assert rules.roster_problems(after, RosterPurpose.BUILD) == ()

    holds()


@pytest.mark.parametrize("faction", ["landsknechts", "cardinals-guard", "border-reivers"])
@pytest.mark.parametrize("limit", [200, 300])
def test_autofill_of_en_garde_mixes_ranks_and_missile_weapons(faction: str, limit: int) -> None:
    _, full = filled(EN_GARDE, faction, limit)
    facts = [EN_GARDE.fighter_facts(each.build, full.terms) for each in full.fighters]
    ranks = [each.rank for each in facts]
    assert ranks == sorted(ranks, reverse=True)
    common = ranks[-1] + 1
    assert sum(rank > common for rank in ranks) * 2 <= len(ranks)
    _, unusual = offered(EN_GARDE, faction)
    assert any(each.build in unusual for each in full.fighters)


@pytest.mark.parametrize("faction", [each["key"] for each in EN_GARDE.catalogue({})["factions"]])
def test_autofill_of_en_garde_arms_every_fighter(faction: str) -> None:
    usual, unusual = offered(EN_GARDE, faction)

    @made_up("rosters of Auto-fill without an unarmed fighter", 300, sample=3, deadline=None)
    @given(
        st.integers(20, 600),
        st.lists(st.sampled_from([*usual, *unusual]), max_size=4, unique_by=str),
    )
    def holds(limit: int, present: list[BuildData]) -> None:
        before, after = filled(EN_GARDE, faction, limit, present)
        added = after.fighters[len(before.fighters) :]
        assert {profile for each in added if (profile := unarmed(each, after.terms))} <= UNARMED
        new = new_problems(EN_GARDE, before, after, RosterPurpose.BUILD)
        assert not [each for each in new if added]

    holds()


def unarmed(fighter: RosterFighter, terms: CampaignTerms) -> str:
    """Return the profile of a fighter who carries no weapon, "" if it carries one."""
    names = {item.name for item in EN_GARDE.sheet(fighter.build, terms).equipment}
    armed = any(name in each for name in names for each in WEAPONS)
    return "" if armed else str(fighter.build["profile"])


def test_autofill_beyond_the_largest_warband_keeps_a_mix() -> None:
    _, full = filled(EN_GARDE, "landsknechts", 2000)
    names = [EN_GARDE.fighter_facts(each.build, full.terms).profile_name for each in full.fighters]
    assert len(names) == 20
    assert {"Oberst", "Hauptmann", "Doppelsoldner", "Landsknecht"} == set(names)


def test_autofill_of_avant_garde_makes_brigades() -> None:
    _, full = filled(AVANT_GARDE, "france", 2000)
    groups = AVANT_GARDE.groups(full)
    assert len(groups) == 4
    assert all(3 <= len(group.fighters) <= 7 for group in groups)
    arms = [str(each.build["profile"]) for each in full.fighters]
    assert {arm: arms.count(arm) for arm in ("commander", "cavalry")} == {
        "commander": 5,
        "cavalry": 2,
    }


def test_autofill_of_avant_garde_completes_a_brigade() -> None:
    present = [{"profile": "infantry", "brigade": "Old Guard"}]
    _, full = filled(AVANT_GARDE, "france", 400, present)
    assert AVANT_GARDE.roster_problems(full, RosterPurpose.BUILD) == ()
    assert [group.name for group in AVANT_GARDE.groups(full)] == ["Old Guard"]


def test_autofill_of_wards_counts_units_that_serve() -> None:
    present: list[BuildData] = [
        {"arm": "general"},
        {"quality": "household", "bases": 3, "ward": "Main"},
    ]
    _, full = filled(WARDS, "army", 8, present)
    arms = [(each.build["arm"], each.build["quality"]) for each in full.fighters]
    assert arms.count(("general", "household")) == 3
    assert arms.count(("foot", "household")) == 1


def test_autofill_needs_a_limit() -> None:
    roster = Roster(CampaignTerms("army"), (), {})
    assert fill(WARDS, roster, [], RosterPurpose.BUILD, limit=None) == Fill((), {})
    assert can_fill(WARDS, roster)
