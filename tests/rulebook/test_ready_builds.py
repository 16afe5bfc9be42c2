"""Builds that are recruited with one tap: readable, legal and different from each other, in every
rule system."""

import pytest

from rulebook.registry import rulesets
from rulebook.ruleset import (
    CampaignTerms,
    ReadyBuild,
    Roster,
    RosterFighter,
    RosterPurpose,
    Ruleset,
    Severity,
)

LISTS = [
    pytest.param(rules, faction, id=f"{rules.key}/{faction['key']}")
    for rules in rulesets()
    for faction in rules.catalogue({})["factions"]
]
OF_THE_WHOLE = {
    "three-generals",
    "too-many-missiles",
    "too-few-low-ranks",
    "too-few-rank-3",
    "too-few-handlers",
    "too-many-servants",
    "share-exceeded",
    "leader-missing",
}
"""Problems of every roster with one fighter, which more fighters solve."""


def roster(rules: Ruleset, faction: str, ready: ReadyBuild) -> Roster:
    """Return a roster of this build only."""
    terms = CampaignTerms(faction)
    return Roster(terms, (RosterFighter("1", "One", rules.clean_build(ready.build, terms)),), {})


@pytest.mark.parametrize(("rules", "faction"), LISTS)
def test_every_ready_build_can_be_recruited_as_it_stands(rules, faction):
    for ready in rules.ready_builds(faction["key"]):
        problems = rules.roster_problems(roster(rules, faction["key"], ready), RosterPurpose.BUILD)
        forbidden = {each.code for each in problems if each.severity is Severity.FORBIDS}
        assert forbidden <= OF_THE_WHOLE, ready.name


@pytest.mark.parametrize(("rules", "faction"), LISTS)
def test_ready_builds_are_of_the_lists_profiles_and_differ(rules, faction):
    ready = rules.ready_builds(faction["key"])
    assert {each.profile for each in ready} <= {each["key"] for each in faction["profiles"]}
    assert len({(each.profile, each.key) for each in ready}) == len(ready)
    assert len({each.name for each in ready}) == len(ready)


@pytest.mark.parametrize(("rules", "faction"), LISTS)
def test_nothing_is_recruited_illegal_by_default(rules, faction):
    """A battery has guns: what a form begins with has nothing wrong of its own."""
    for profile in faction["profiles"]:
        terms, build = (
            CampaignTerms(faction["key"]),
            rules.starting_build(faction["key"], profile["key"]),
        )
        fighter = RosterFighter("1", "One", rules.clean_build(build, terms))
        problems = rules.roster_problems(Roster(terms, (fighter,), {}), RosterPurpose.BUILD)
        own = {
            each.code
            for each in problems
            if each.severity is Severity.FORBIDS and "1" in each.fighters
        }
        assert own <= OF_THE_WHOLE, profile["key"]


@pytest.mark.parametrize("rules", rulesets(), ids=lambda rules: rules.key)
def test_build_forms_have_flags_with_true_or_false(rules):
    flags = [each for form in rules.build_forms for each in form.fields if each.kind == "flag"]
    assert all(isinstance(each.default, bool) for each in flags)
